//! The issues that a form is about: those with the ids in `ids`, or all that a list has.

use crate::frame::local_path::local_path;
use crate::prelude::*;
use quarry_actions::issues::bulk;
use quarry_actions::issues::bulk::BulkAction;
use quarry_http::resources::issue_list::IssueList;

/// Maximum number of ids in a request; the page says that further ones are left out.
const MAX_IDS: usize = bulk::MAX_ISSUES;
/// The parameter that selects all issues of the list that the query string describes.
pub const ALL: &str = "all";
/// The parameter with the address of the list from which the selection comes.
pub const BACK: &str = "back_url";

/// The selected issues.
pub struct Selection {
    /// Those that the viewer may see and for which the action is permitted.
    pub issues: Vec<Issue>,
    /// Number of the others. They may not exist.
    pub missing: usize,
    /// Whether more are selected than can change at once.
    pub is_cut: bool,
    /// The text of the list, and the one that was searched instead.
    corrected: Option<(String, String)>,
}

impl Selection {
    /// Loads the issues that the request names, or with `all=1` those of the list that its query
    /// string describes.
    pub fn load(
        request: &RequestContext,
        db: &Read<'_>,
        action: BulkAction,
    ) -> Result<Selection, Error> {
        let viewer = request.viewer();
        let mut corrected = None;
        let (ids, is_cut) = if selects_list(request) {
            let limit = i64::try_from(MAX_IDS).unwrap_or(i64::MAX);
            let list = IssueList::parse(request, db)?;
            let found = list.load_first(db, viewer, limit + 1)?;
            corrected = list
                .texts
                .into_iter()
                .find_map(|text| Some((text.text, text.corrected?)));
            let ids = found.iter().take(MAX_IDS).map(|issue| issue.id);
            (ids.collect(), found.len() > MAX_IDS)
        } else {
            requested_ids(request)
        };
        let issues = bulk::list_permitted(db, viewer, &ids, action)?;
        Ok(Selection {
            missing: ids.len() - issues.len(),
            issues,
            is_cut,
            corrected,
        })
    }

    /// Returns the ids.
    pub fn ids(&self) -> Vec<IssueId> {
        self.issues.iter().map(|issue| issue.id).collect()
    }

    /// Returns what is to be said about issues that are left out.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if let Some((text, corrected)) = &self.corrected {
            warnings.push(format!(
                "Nothing has all words of “{text}”. These are the issues with “{corrected}”."
            ));
        }
        if self.is_cut {
            warnings.push(format!(
                "You selected more than {MAX_IDS} issues. Only the first {MAX_IDS} are included."
            ));
        }
        if self.missing > 0 {
            let verb = if self.missing == 1 { "is" } else { "are" };
            warnings.push(format!(
                "{} of the selected issues {verb} left out, because you may not do this with them.",
                self.missing
            ));
        }
        warnings
    }
}

/// Whether the request selects all issues of a list. Forms carry ids on instead.
fn selects_list(request: &RequestContext) -> bool {
    let is_on = |value: Option<&Input>| {
        value
            .and_then(Input::as_text)
            .is_some_and(|text| text == "1")
    };
    is_on(request.body.get(ALL)) || !request.body.is_map() && is_on(request.query.get(ALL))
}

/// Returns the ids in the body or in the query string.
pub fn ids(request: &RequestContext) -> Vec<IssueId> {
    requested_ids(request).0
}

/// Returns the ids, as a list or separated by commas, each once, and whether there are too many.
fn requested_ids(request: &RequestContext) -> (Vec<IssueId>, bool) {
    let sent = request.body.get("ids").or_else(|| request.query.get("ids"));
    let texts: Vec<String> = match sent {
        Some(Input::List(items)) => {
            let texts = items.iter().filter_map(Input::as_text);
            texts.map(|text| text.into_owned()).collect()
        }
        Some(value) => {
            let text = value.as_text().unwrap_or_default();
            text.split(',').map(str::to_owned).collect()
        }
        None => Vec::new(),
    };
    let mut ids: Vec<IssueId> = Vec::new();
    for id in texts.iter().filter_map(|text| text.trim().parse().ok()) {
        let is_new = !ids.contains(&IssueId(id));
        if is_new && ids.len() == MAX_IDS {
            return (ids, true);
        }
        if is_new {
            ids.push(IssueId(id));
        }
    }
    (ids, false)
}

/// Returns ids as forms and addresses carry them on.
pub fn join_ids(ids: &[IssueId]) -> String {
    let texts: Vec<String> = ids.iter().map(IssueId::to_string).collect();
    texts.join(",")
}

/// Returns the address of the list from which the selection comes.
pub fn back(request: &RequestContext) -> String {
    let sent = request.body.get(BACK).or_else(|| request.query.get(BACK));
    let text = sent.and_then(Input::as_text).unwrap_or_default();
    local_path(&text).unwrap_or("/issues").to_owned()
}
