//! Quotes a note or the description in a new comment.

use crate::actions::journals;
use crate::domain::ids::JournalId;
use crate::domain::issue::Issue;
use crate::http::{Error, RequestContext};
use crate::store::Read;

/// Maximum number of characters that are quoted.
const MAX_CHARS: usize = 20_000;

/// What a new comment quotes.
pub enum Quote {
    /// The description.
    Description,
    /// A note.
    Note(JournalId),
}

impl Quote {
    /// Parses the parameter `quote`.
    pub fn parse(text: &str) -> Option<Quote> {
        if text == "description" {
            Some(Quote::Description)
        } else {
            text.parse().ok().map(|id| Quote::Note(JournalId(id)))
        }
    }
}

/// Returns the quotation, and whether the new note should be private because the quoted one is.
/// Empty for a note that the viewer may not read, as for one that does not exist.
pub fn text(
    request: &RequestContext,
    db: &Read<'_>,
    issue: &Issue,
    quote: &Quote,
) -> Result<(String, bool), Error> {
    let catalogue = db.catalogue();
    let name = |id| {
        catalogue
            .principal_name(id)
            .unwrap_or("Anonymous")
            .to_owned()
    };
    match quote {
        Quote::Description => {
            let text = quoted(issue.description.as_deref().unwrap_or_default());
            Ok((
                format!("{} wrote:\n{text}\n\n", name(issue.author.into())),
                false,
            ))
        }
        Quote::Note(id) => {
            let number = journals::sizes(db, request.viewer(), issue)?
                .iter()
                .position(|(journal, _)| journal == id);
            let journal = journals::list_by_ids(db, request.viewer(), issue, &[*id])?
                .into_iter()
                .next();
            let (Some(number), Some(journal)) = (number, journal) else {
                return Ok((String::new(), false));
            };
            let text = quoted(journal.notes.as_deref().unwrap_or_default());
            Ok((
                format!(
                    "{} wrote in #note-{}:\n{text}\n\n",
                    name(journal.user.into()),
                    number + 1
                ),
                journal.private,
            ))
        }
    }
}

/// Puts `>` before each line, as Markdown and Textile quote.
fn quoted(text: &str) -> String {
    let text: String = text.trim().chars().take(MAX_CHARS).collect();
    text.lines()
        .map(|line| format!("> {line}"))
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn each_line_is_quoted() {
        assert_eq!(quoted("a\r\n\r\n> b\n"), "> a\n> \n> > b");
    }
}
