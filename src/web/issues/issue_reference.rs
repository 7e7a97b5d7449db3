//! The field of a form that names an issue: by its id, as `12` or `#12`, or by words of its
//! subject.
//!
//! Invariant: an issue that the viewer may not see is not found, whatever names it.

use super::show::related::{self, IssueLink};
use crate::components::form_field::{FieldKind, FormField, choice, typed};
use crate::prelude::*;
use quarry_domain::access::visibility;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::validation::ValidationError;
use quarry_domain::values::id_set::IdSet;
use quarry_http::resources::search::current_visibility;
use quarry_search::SuggestRequest;
use quarry_store::issues as stored_issues;

/// Maximum number of issues to choose from.
const MAX_CANDIDATES: usize = 10;
/// The address that suggests issues while somebody types.
const SUGGESTIONS: &str = "/search/suggest.json?issues=1&scope=";
/// The field with the chosen one of several issues.
const CHOSEN: &str = "chosen_issue";
/// The field with the words that they were found for.
const WORDS: &str = "chosen_for";

/// What the text of a field names.
pub enum IssueReference {
    One(IssueId),
    /// Several issues that match.
    Several(Vec<IssueLink>),
    /// No issue that the viewer sees.
    Unknown,
}

/// Makes a field accept words, with suggestions: of all issues, or of those of one project.
pub fn searchable(field: FormField, project: Option<ProjectId>) -> FormField {
    let scope = match project {
        Some(project) => format!("project&id={project}"),
        None => "all".to_owned(),
    };
    FormField {
        suggest: Some(format!("{SUGGESTIONS}{scope}")),
        hint: "The number of an issue, or words of its subject.".to_owned(),
        ..field
    }
}

/// Returns the issue that the field of the sent form names; `None` if it is empty or missing. Words
/// are searched in all projects, or in one.
pub fn find(
    request: &RequestContext,
    db: &Read<'_>,
    name: &str,
    project: Option<ProjectId>,
) -> Result<Option<IssueReference>, Error> {
    let Some(text) = typed(&request.body, name) else {
        return Ok(None);
    };
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let chosen = typed(&request.body, CHOSEN)
        .filter(|_| typed(&request.body, WORDS).is_some_and(|words| words.trim() == text));
    let id = chosen.as_deref().and_then(id).or_else(|| id(text));
    if let Some(id) = id {
        let visible = visibility::issues(request.viewer());
        let issue = stored_issues::find(db, visible, id)?;
        return Ok(Some(match issue {
            Some(issue) => IssueReference::One(issue.id),
            None => IssueReference::Unknown,
        }));
    }
    let candidates = candidates(request, db, text, project)?;
    Ok(Some(match candidates.as_slice() {
        [] => IssueReference::Unknown,
        [issue] => IssueReference::One(IssueId(issue.id)),
        _ => IssueReference::Several(candidates),
    }))
}

/// Returns the id in `12`, `#12`, or `#12 The subject`, which a suggestion fills in.
fn id(text: &str) -> Option<IssueId> {
    let first = text.split_whitespace().next()?;
    match first.strip_prefix('#') {
        Some(digits) => digits.parse().ok().map(IssueId),
        None => text.parse().ok().map(IssueId),
    }
}

/// Returns the visible issues whose subjects have the words, best first; none while the index is not
/// ready, and for a text that is too long.
fn candidates(
    request: &RequestContext,
    db: &Read<'_>,
    text: &str,
    project: Option<ProjectId>,
) -> Result<Vec<IssueLink>, Error> {
    let search = &request.app.search;
    let Ok(words) = search.parse_incomplete(text) else {
        return Ok(Vec::new());
    };
    let projects: Option<IdSet> = project.map(|project| [project].into_iter().collect());
    let visibility = current_visibility(request, db)?;
    let hits = search.suggest(&SuggestRequest {
        query: &words,
        visibility: &visibility,
        kinds: &[Kind::Issue],
        projects: projects.as_ref(),
        closed: None,
        limit: MAX_CANDIDATES,
        now: db.now(),
    });
    let ids: Vec<i64> = hits.unwrap_or_default().iter().map(|hit| hit.id).collect();
    related::links(request, db, &ids)
}

/// Returns the rows of the field: with the candidates below it, if there are several.
pub fn fields(field: FormField, named: &IssueReference) -> Vec<FormField> {
    let IssueReference::Several(candidates) = named else {
        return vec![field];
    };
    let choices = candidates.iter().map(|issue| {
        choice(
            issue.id,
            format!("#{} {} ({})", issue.id, issue.subject, issue.status),
        )
    });
    let radios =
        FormField::new(FieldKind::Radios, CHOSEN, "Issues that match", "").with_choices(choices);
    let words = FormField::new(FieldKind::Hidden, WORDS, "", field.value.clone());
    vec![field, radios, words]
}

/// Returns the error beside a field that names no issue, or several.
pub fn error(field: &FormField, named: Option<&IssueReference>) -> ValidationError {
    let message = match named {
        Some(IssueReference::Several(_)) => "matches several issues. Choose one of them.",
        _ => "names no issue that you can see",
    };
    ValidationError::new(&field.attribute, &field.label, message)
}

/// Returns the form with the id of an issue as an attribute of the object `issue`.
pub fn replaced(form: &Input, attribute: &str, id: IssueId) -> Input {
    let sent = form.get("issue").map(Input::entries).unwrap_or_default();
    let mut issue: Vec<(String, Input)> = sent.to_vec();
    issue.retain(|(name, _)| name != attribute);
    issue.push((attribute.to_owned(), Input::Text(id.to_string())));
    let mut entries = form.entries().to_vec();
    entries.retain(|(name, _)| name != "issue");
    entries.push(("issue".to_owned(), Input::Map(issue)));
    Input::Map(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn id_is_a_number_or_follows_a_hash() {
        for text in ["12", "#12", "#12 The pump leaks"] {
            assert_eq!(id(text), Some(IssueId(12)), "{text}");
        }
        for text in ["12 pumps", "pump #12", "# 12", "#", ""] {
            assert_eq!(id(text), None, "{text:?}");
        }
    }
}
