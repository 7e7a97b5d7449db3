//! Who sees which entry of a history, and how much of it (compatibility 6.2).

use crate::domain::catalogue::Catalogue;
use crate::domain::ids::{JournalId, ProjectId, UserId};
use crate::domain::issue::Issue;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::domain::visible::AccessAttributes;
use crate::store::journals::{Journal, StoredDetail};
use crate::store::{Read, StoreError, issues, journals};
use std::collections::HashSet;

/// The history of an issue that the viewer may see, oldest first, as far as the viewer may read it. What says nothing then is
/// left out.
pub fn list(db: &Read<'_>, viewer: &Viewer, issue: &Issue) -> Result<Vec<Journal>, StoreError> {
    shown(db, viewer, issue, journals::list(db, issue.id)?)
}

/// The entries of the history of an issue that the viewer may read, oldest first, each with the size of its texts in bytes. Some may say
/// nothing to this viewer, see [`list_by_ids`].
pub fn sizes(db: &Read<'_>, viewer: &Viewer, issue: &Issue) -> Result<Vec<(JournalId, usize)>, StoreError> {
    let entries = journals::sizes(db, issue.id)?.into_iter();
    Ok(entries.filter(|entry| may_read(viewer, issue, entry.user, entry.private)).map(|entry| (entry.id, entry.bytes)).collect())
}

/// Those of these entries that say something to the viewer, in the order of their ids in `ids`.
pub fn list_by_ids(db: &Read<'_>, viewer: &Viewer, issue: &Issue, ids: &[JournalId]) -> Result<Vec<Journal>, StoreError> {
    let mut entries = shown(db, viewer, issue, journals::list_by_ids(db, issue.id, ids)?)?;
    entries.sort_by_key(|entry| ids.iter().position(|id| *id == entry.id));
    Ok(entries)
}

/// These entries as the viewer sees them.
pub(super) fn shown(db: &Read<'_>, viewer: &Viewer, issue: &Issue, entries: Vec<Journal>) -> Result<Vec<Journal>, StoreError> {
    let mut entries: Vec<Journal> = entries.into_iter().filter(|entry| may_read(viewer, issue, entry.user, entry.private)).collect();
    let details = || entries.iter().flat_map(|entry| &entry.details);
    let named: Vec<i64> = details().filter(|detail| is_about_issues(detail)).flat_map(values).collect();
    let known = Known {
        issues: issues::visible_ids(db, viewer, &named)?.into_iter().map(i64::from).collect(),
        catalogue: db.catalogue(),
        project: issue.project,
        viewer,
    };
    for entry in &mut entries {
        entry.details.retain(|detail| known.matches(detail));
    }
    entries.retain(|entry| !entry.details.is_empty() || entry.notes.as_ref().is_some_and(|notes| !notes.is_empty()));
    Ok(entries)
}

/// Whether the viewer may read an entry by `author` of an issue that the viewer may see.
fn may_read(viewer: &Viewer, issue: &Issue, author: UserId, private: bool) -> bool {
    let attributes = AccessAttributes { project: issue.project, private, author: Some(author), assignee: None, tracker: None };
    visibility::notes(viewer).matches(&attributes)
}

/// What the viewer knows of what details name.
struct Known<'v> {
    issues: HashSet<i64>,
    catalogue: &'v Catalogue,
    project: ProjectId,
    viewer: &'v Viewer,
}

impl Known<'_> {
    /// Whether the viewer may know of everything that the detail names. What is gone can no longer be judged, and is not shown.
    fn matches(&self, detail: &StoredDetail) -> bool {
        match (detail.property.as_str(), detail.name.as_str()) {
            ("cf", number) => {
                let field = self.catalogue.custom_fields.iter().find(|field| field.id.to_string() == number);
                field.is_some_and(|field| field.is_visible_to(self.viewer, self.project))
            }
            ("attr", "project_id") => values(detail).all(|id| self.viewer.rights(ProjectId(id)).is_some()),
            _ if is_about_issues(detail) => values(detail).all(|id| self.issues.contains(&id)),
            _ => true,
        }
    }
}

fn is_about_issues(detail: &StoredDetail) -> bool {
    detail.property == "relation" || (detail.property == "attr" && matches!(detail.name.as_str(), "parent_id" | "child_id"))
}

/// The numbers among the values. What should be one and is none names nothing that anybody sees.
fn values(detail: &StoredDetail) -> impl Iterator<Item = i64> {
    let given = [&detail.old_value, &detail.new_value].into_iter().flatten();
    given.filter(|value| !value.is_empty()).map(|value| value.parse().unwrap_or(0)).collect::<Vec<_>>().into_iter()
}
