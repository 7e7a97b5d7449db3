//! The issues that a form changes: those with the ids in `ids`, or all that a list has.

use quarry_actions::issues::bulk;
use quarry_domain::ids::IssueId;
use quarry_domain::issues::issue::Issue;
use quarry_http::resources::issue_list::IssueList;
use quarry_http::{Error, RequestContext};
use quarry_store::Read;
use quarry_wire::Input;
use std::sync::Arc;

/// Maximum number of ids in a request; further ones are ignored.
const MAX_IDS: usize = bulk::MAX_ISSUES;

/// The selected issues.
pub struct Selection {
    /// Those that the viewer may see and edit.
    pub issues: Vec<Issue>,
    /// Number of ids of which the viewer may edit no issue. They may not exist.
    pub missing: usize,
    /// Whether the list has more issues than can change at once.
    pub is_cut: bool,
}

impl Selection {
    /// Loads the issues that the request names, or with `all=1` those of the list that its query
    /// string describes.
    pub fn load(request: &RequestContext, db: &Read<'_>) -> Result<Selection, Error> {
        let viewer = request.viewer();
        let is_list = request.query_param("all").is_some_and(|all| all == "1");
        if is_list && !request.body.is_map() {
            let limit = i64::try_from(MAX_IDS).unwrap_or(i64::MAX);
            let list = IssueList::parse(request, db)?;
            let mut found = list.load_first(db, viewer, limit + 1)?;
            let is_cut = found.len() > MAX_IDS;
            found.truncate(MAX_IDS);
            let ids: Vec<IssueId> = found.iter().map(|issue: &Arc<Issue>| issue.id).collect();
            return Ok(Selection {
                issues: bulk::list_editable(db, viewer, &ids)?,
                missing: 0,
                is_cut,
            });
        }
        let ids = ids(request);
        let issues = bulk::list_editable(db, viewer, &ids)?;
        Ok(Selection {
            missing: ids.len() - issues.len(),
            issues,
            is_cut: false,
        })
    }

    /// Returns the ids.
    pub fn ids(&self) -> Vec<IssueId> {
        self.issues.iter().map(|issue| issue.id).collect()
    }
}

/// Returns the ids in the body or in the query string, as a list or separated by commas, each once.
pub fn ids(request: &RequestContext) -> Vec<IssueId> {
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
        if !ids.contains(&IssueId(id)) && ids.len() < MAX_IDS {
            ids.push(IssueId(id));
        }
    }
    ids
}

/// Returns ids as forms and addresses carry them on.
pub fn joined(ids: &[IssueId]) -> String {
    let texts: Vec<String> = ids.iter().map(IssueId::to_string).collect();
    texts.join(",")
}
