//! The structure of a query: what is joined by spaces, `AND` and `OR`, and in which group.

use super::as_text::{AsText, Reason};
use crate::query::lexer::{Lexeme, MAX_PARENTHESES};
use crate::query::qualifier::Qualifier;
use crate::query::token::{Token, TokenKind};

/// Items that must all match. Each has alternatives, of which one suffices, and is never empty.
pub(crate) type Items = Vec<Vec<Part>>;

/// A part of a query.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Part {
    /// A word, a phrase or a qualifier. Its `or` has no meaning here.
    Operand(Token),
    /// Parentheses.
    Group(Group),
}

/// What is in parentheses.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Group {
    /// Whether it must not match.
    pub negated: bool,
    pub position: usize,
    pub items: Items,
}

/// The items between two parentheses, or of a whole query.
pub(super) struct Tree {
    pub items: Items,
    /// Whether items are joined by `AND`.
    has_and: bool,
}

/// How a part is joined to the one before it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Join {
    Space,
    And,
    Or,
}

impl Tree {
    /// Parses a whole query.
    pub fn parse(lexemes: &[Lexeme]) -> Result<Tree, AsText> {
        let mut parser = Parser { lexemes, at: 0 };
        parser.items(0, None)
    }
}

struct Parser<'l> {
    lexemes: &'l [Lexeme],
    at: usize,
}

impl Parser<'_> {
    /// Parses up to the end, or to the parenthesis that closes the one at `open`.
    fn items(&mut self, depth: usize, open: Option<usize>) -> Result<Tree, AsText> {
        let mut tree = Tree {
            items: Vec::new(),
            has_and: false,
        };
        let mut join = Join::Space;
        let mut negated = false;
        while let Some(lexeme) = self.lexemes.get(self.at) {
            self.at += 1;
            let part = match lexeme {
                Lexeme::Close { .. } if open.is_some() => return Ok(tree),
                Lexeme::Close { position } => return Err(as_text(*position, Reason::Unopened)),
                Lexeme::And { position } => {
                    let joins = !tree.items.is_empty() && join == Join::Space && !negated;
                    if !joins || !(self.has_operand() || self.has_not() || self.has_or()) {
                        return Err(as_text(*position, Reason::NothingToJoin));
                    }
                    join = Join::And;
                    tree.has_and = true;
                    continue;
                }
                Lexeme::Not { position } => {
                    if !self.has_operand() && !self.has_not() {
                        return Err(as_text(*position, Reason::NothingToExclude));
                    }
                    negated = !negated;
                    continue;
                }
                Lexeme::Or { .. }
                    if !tree.items.is_empty()
                        && (self.has_operand() || self.has_not() || self.has_or()) =>
                {
                    join = Join::Or;
                    continue;
                }
                Lexeme::Or { position } => Part::Operand(Token {
                    negated,
                    or: false,
                    kind: TokenKind::Phrase("OR".to_owned()),
                    position: *position,
                }),
                Lexeme::Operand(token) if negated => negate(Part::Operand(token.clone())),
                Lexeme::Operand(token) => Part::Operand(token.clone()),
                Lexeme::Open {
                    negated: minus,
                    position,
                } => {
                    if depth == MAX_PARENTHESES {
                        return Err(as_text(*position, Reason::TooManyParentheses));
                    }
                    let inner = self.items(depth + 1, Some(*position))?;
                    let group = Group {
                        negated: *minus != negated,
                        position: *position,
                        items: normalize(inner.items),
                    };
                    let follows_word = join == Join::Space && ends_with_word(&tree.items);
                    if inner.has_and && follows_word && is_plain(&group) && !self.is_joined() {
                        return Err(as_text(*position, Reason::RedundantGroup));
                    }
                    Part::Group(group)
                }
            };
            match tree.items.last_mut() {
                Some(item) if join == Join::Or => item.push(part),
                _ => tree.items.push(vec![part]),
            }
            join = Join::Space;
            negated = false;
        }
        match open {
            Some(position) => Err(as_text(position, Reason::Unclosed)),
            None => Ok(tree),
        }
    }

    /// Whether an operand or a group follows.
    fn has_operand(&self) -> bool {
        let next = self.lexemes.get(self.at);
        matches!(next, Some(Lexeme::Operand(_) | Lexeme::Open { .. }))
    }

    /// Whether `NOT` follows.
    fn has_not(&self) -> bool {
        matches!(self.lexemes.get(self.at), Some(Lexeme::Not { .. }))
    }

    /// Whether `OR` follows, and something else. `OR OR` is one operator.
    fn has_or(&self) -> bool {
        matches!(self.lexemes.get(self.at), Some(Lexeme::Or { .. }))
            && self.at + 1 < self.lexemes.len()
    }

    /// Whether an operator follows.
    fn is_joined(&self) -> bool {
        matches!(
            self.lexemes.get(self.at),
            Some(Lexeme::And { .. } | Lexeme::Or { .. })
        )
    }
}

fn as_text(position: usize, reason: Reason) -> AsText {
    AsText { position, reason }
}

fn ends_with_word(items: &Items) -> bool {
    let last = items.last().and_then(|item| item.last());
    matches!(
        last,
        Some(Part::Operand(Token {
            kind: TokenKind::Word(_),
            ..
        }))
    )
}

/// Whether a group has only words and phrases that must all match.
fn is_plain(group: &Group) -> bool {
    let is_word = |part: &Part| {
        matches!(
            part,
            Part::Operand(Token {
                negated: false,
                kind: TokenKind::Word(_) | TokenKind::Phrase(_),
                ..
            })
        )
    };
    !group.negated
        && group
            .items
            .iter()
            .all(|item| matches!(item.as_slice(), [only] if is_word(only)))
}

/// Leaves out parentheses that change nothing, and moves negations inwards where that makes a group
/// unnecessary: `-(a OR b)` is `-a -b`. The items of the groups are normalized already.
pub(super) fn normalize(items: Items) -> Items {
    let mut output: Items = Vec::new();
    // Several qualifiers of one name are alternatives, so those of a group stay apart.
    let mut joined: Vec<Qualifier> = joined_qualifiers(&items);
    let mut rest: Vec<Vec<Part>> = items;
    rest.reverse();
    while let Some(item) = rest.pop() {
        let was_group = matches!(item.as_slice(), [Part::Group(_)]);
        let alternatives = normalize_alternatives(item);
        let group = match <[Part; 1]>::try_from(alternatives) {
            Ok([Part::Group(group)]) => group,
            Ok([Part::Operand(token)]) if was_group => Group {
                negated: false,
                position: token.position,
                items: vec![vec![Part::Operand(token)]],
            },
            Ok([operand]) => {
                output.push(vec![operand]);
                continue;
            }
            Err(alternatives) => {
                if !alternatives.is_empty() {
                    output.push(alternatives);
                }
                continue;
            }
        };
        let inner = match group.items.as_slice() {
            [alternatives] if group.negated => {
                let negated = alternatives.iter().cloned().map(negate);
                negated.map(|alternative| vec![alternative]).collect()
            }
            _ if group.negated => {
                output.push(vec![Part::Group(group)]);
                continue;
            }
            items => items.to_vec(),
        };
        let inner_joined = joined_qualifiers(&inner);
        let has_scope = inner.len() > 1 && inner.iter().any(|item| is_scope(item));
        if has_scope || inner_joined.iter().any(|inner| joined.contains(inner)) {
            output.push(vec![Part::Group(group)]);
        } else {
            joined.extend(inner_joined);
            rest.extend(inner.into_iter().rev());
        }
    }
    output
}

/// Leaves out the groups among alternatives that change nothing. The alternatives of a group are
/// alternatives.
fn normalize_alternatives(item: Vec<Part>) -> Vec<Part> {
    let mut output = Vec::new();
    for alternative in item {
        match alternative {
            Part::Group(group) => match <[Vec<Part>; 1]>::try_from(group.items) {
                Ok([alternatives]) if !group.negated => output.extend(alternatives),
                Ok([alternatives]) if alternatives.len() == 1 => {
                    output.extend(alternatives.into_iter().map(negate));
                }
                Ok([alternatives]) => output.push(Part::Group(Group {
                    items: vec![alternatives],
                    ..group
                })),
                Err(items) if items.is_empty() => {}
                Err(items) => output.push(Part::Group(Group { items, ..group })),
            },
            operand => output.push(operand),
        }
    }
    output
}

fn negate(syntax: Part) -> Part {
    match syntax {
        Part::Operand(token) => Part::Operand(Token {
            negated: !token.negated,
            kind: match token.kind {
                // Two signs in a row are text.
                TokenKind::Word(word) if word.starts_with('-') => TokenKind::Phrase(word),
                kind => kind,
            },
            ..token
        }),
        Part::Group(group) => Part::Group(Group {
            negated: !group.negated,
            ..group
        }),
    }
}

/// Whether an item says where the words of its group must be.
fn is_scope(item: &[Part]) -> bool {
    matches!(
        item,
        [Part::Operand(Token {
            kind: TokenKind::Qualifier(Qualifier::In, _),
            ..
        })]
    )
}

/// Returns the qualifiers that are items of their own and not negated.
fn joined_qualifiers(items: &Items) -> Vec<Qualifier> {
    let qualifiers = items.iter().filter_map(|item| match item.as_slice() {
        [
            Part::Operand(Token {
                negated: false,
                kind: TokenKind::Qualifier(qualifier, value),
                ..
            }),
        ] if qualifier.joins_values(value) => Some(*qualifier),
        _ => None,
    });
    qualifiers.collect()
}

/// Returns the position of a group that is in more than this many others.
pub(super) fn deeper_than(items: &Items, depth: usize) -> Option<usize> {
    items.iter().flatten().find_map(|syntax| match syntax {
        Part::Operand(_) => None,
        Part::Group(group) => match depth.checked_sub(1) {
            None => Some(group.position),
            Some(depth) => deeper_than(&group.items, depth),
        },
    })
}

/// Appends the tokens of items.
pub(super) fn write(items: &Items, tokens: &mut Vec<Token>) {
    for item in items {
        for (index, alternative) in item.iter().enumerate() {
            let or = index > 0;
            match alternative {
                Part::Operand(token) => tokens.push(Token {
                    or,
                    ..token.clone()
                }),
                Part::Group(group) => {
                    tokens.push(Token {
                        negated: group.negated,
                        or,
                        kind: TokenKind::Open,
                        position: group.position,
                    });
                    write(&group.items, tokens);
                    tokens.push(Token {
                        negated: false,
                        or: false,
                        kind: TokenKind::Close,
                        position: group.position,
                    });
                }
            }
        }
    }
}
