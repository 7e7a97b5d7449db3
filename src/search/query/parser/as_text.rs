//! Why operators of a query are searched as text.

use std::fmt;

/// Why parentheses, `AND` and `NOT` of a text are searched as text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AsText {
    /// The position of what shows it, in characters from 1.
    pub position: usize,
    pub(super) reason: Reason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Reason {
    Unclosed,
    Unopened,
    TooManyParentheses,
    NothingToJoin,
    NothingToExclude,
    Sentence,
    RedundantGroup,
}

impl fmt::Display for AsText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.position;
        match self.reason {
            Reason::Unclosed => {
                write!(f, "the parenthesis at character {position} is never closed")
            }
            Reason::Unopened => write!(
                f,
                "the parenthesis at character {position} is in a word, or has no counterpart"
            ),
            Reason::TooManyParentheses => write!(f, "there are too many parentheses"),
            Reason::NothingToJoin => {
                write!(
                    f,
                    "AND at character {position} has nothing to join on one side"
                )
            }
            Reason::NothingToExclude => {
                write!(f, "NOT at character {position} has nothing to exclude")
            }
            Reason::Sentence => {
                write!(
                    f,
                    "NOT at character {position} is among words as in a message"
                )
            }
            Reason::RedundantGroup => {
                write!(f, "the group at character {position} would change nothing")
            }
        }
    }
}
