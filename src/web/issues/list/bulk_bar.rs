//! The buttons above a list for the selected issues.

use crate::prelude::*;
use crate::queries::ListAddress;
use quarry_actions::issues::bulk::MAX_ISSUES;

/// The fields that have a button of their own, with its label.
const FIELDS: [(&str, &str); 4] = [
    ("status_id", "Status"),
    ("assigned_to_id", "Assignee"),
    ("priority_id", "Priority"),
    ("fixed_version_id", "Version"),
];

/// What can be done with the selected issues. Whether it can be done with each of them turns out
/// when they are selected.
pub struct BulkBar {
    /// The address of the form, with the parameters of the list.
    pub path: String,
    /// The address of the list.
    pub back: String,
    pub may_edit: bool,
    /// The fields that have a button of their own: name and label.
    pub fields: [(&'static str, &'static str); 4],
    pub may_copy: bool,
    pub may_delete: bool,
    /// What selects all issues of the list, if there are more than on the page.
    pub all: Option<String>,
}

impl BulkBar {
    /// Returns the buttons for a list with the number of its issues and of those on the page;
    /// `None` for anonymous.
    pub fn new(
        request: &RequestContext,
        project: Option<&Project>,
        address: &ListAddress,
        (total, on_page): (i64, usize),
    ) -> Option<BulkBar> {
        let viewer = request.viewer();
        viewer.user?;
        // Subprojects can give rights that the project does not give.
        let may = |permission| viewer.may_somewhere(permission);
        let max = i64::try_from(MAX_ISSUES).unwrap_or(i64::MAX);
        let has_more = i64::try_from(on_page).is_ok_and(|on_page| total > on_page);
        let all = has_more.then(|| match total {
            total if total > max => format!("The first {max} of {total}"),
            total => format!("All {total} that match"),
        });
        let project = project.map(|project| project.id.to_string());
        let mut changes = vec![("page", None), ("offset", None)];
        changes.extend(project.as_deref().map(|id| ("project_id", Some(id))));
        Some(BulkBar {
            path: format!("/issues/bulk{}", address.with(&changes)),
            back: request.path_and_query(),
            may_edit: may(Permission::EditIssues) || may(Permission::EditOwnIssues),
            fields: FIELDS,
            may_copy: may(Permission::CopyIssues) && may(Permission::AddIssues),
            may_delete: may(Permission::DeleteIssues),
            all,
        })
    }
}
