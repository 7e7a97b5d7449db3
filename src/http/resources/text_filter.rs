//! The text of a list of issues, in the language of the search (docs/search.md, section 1.5).
//!
//! Invariant: a list with a text has exactly the issues of its scope that the search for the text
//! finds, for the same viewer.

use crate::resources::search::{FoundIssues, find_issues};
use crate::{Error, RequestContext};
use quarry_domain::query::filter::Predicate;
use quarry_domain::query::issues::{Condition, Field};
use quarry_domain::values::id_set::IdSet;
use quarry_store::Read;

/// A text that filters a list of issues, and how it was searched.
#[derive(Clone, Debug)]
pub struct TextFilter {
    /// The text of the request or of the saved query.
    pub text: String,
    /// The text that was searched instead, because a word of the requested one occurs in nothing
    /// that the viewer may see.
    pub corrected: Option<String>,
    /// What was searched as text, and why.
    pub as_text: Option<String>,
}

impl TextFilter {
    /// Returns the values of `Warning`, if the text was searched in another way than it says.
    pub fn warnings(&self) -> impl Iterator<Item = String> {
        let as_text = self
            .as_text
            .as_ref()
            .map(|reason| format!("299 quarry \"{reason}\""));
        let corrected = self.corrected.as_ref().map(|_| {
            "299 quarry \"a word of q occurs nowhere, so a similar one was searched; did_you_mean of /search has it\"".to_owned()
        });
        as_text.into_iter().chain(corrected)
    }
}

/// Replaces the texts among the conditions of a list by the issues that they find in these projects,
/// or in all with `None`. Fails with [`Error::InvalidQuery`] for a text that cannot be searched for.
pub fn replace_texts(
    request: &RequestContext,
    db: &Read<'_>,
    projects: Option<&IdSet>,
    conditions: &mut [Condition],
) -> Result<Vec<TextFilter>, Error> {
    let mut texts = Vec::new();
    for condition in conditions {
        let (Field::Search, Predicate::Equals(text)) = (condition.field, &condition.predicate)
        else {
            continue;
        };
        let FoundIssues {
            ids,
            corrected,
            as_text,
        } = find_issues(request, db, projects.cloned(), text)?;
        texts.push(TextFilter {
            text: text.clone(),
            corrected,
            as_text,
        });
        condition.predicate = Predicate::OneOf(ids);
    }
    Ok(texts)
}
