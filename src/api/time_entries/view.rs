//! JSON and XML of time entries (compatibility 9).

use crate::api::custom_fields::view::custom_fields;
use crate::app::ViewerContext;
use crate::domain::catalogue::Catalogue;
use crate::domain::custom_field::{Customized, Values};
use crate::domain::ids::IssueId;
use crate::domain::time_entry::{TimeEntry, round};
use crate::http::Error;
use crate::store::{Read, custom_fields as store_fields, issues};
use crate::wire::Fields;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// What the output of time entries needs besides the entries.
pub struct ViewContext {
    catalogue: Arc<Catalogue>,
    viewer_context: Arc<ViewerContext>,
    issues: HashSet<IssueId>,
    values: HashMap<i64, Values>,
}

impl ViewContext {
    /// Loads which issues of these time entries the viewer can see, and the values of custom
    /// fields.
    pub fn load(
        db: &Read<'_>,
        viewer_context: &Arc<ViewerContext>,
        page: &[TimeEntry],
    ) -> Result<ViewContext, Error> {
        let ids: Vec<i64> = page.iter().map(|entry| entry.id.0).collect();
        let issue_ids: Vec<i64> = page
            .iter()
            .filter_map(|entry| entry.issue)
            .map(|issue| issue.0)
            .collect();
        Ok(ViewContext {
            catalogue: Arc::clone(db.catalogue()),
            viewer_context: Arc::clone(viewer_context),
            issues: if issue_ids.is_empty() {
                HashSet::new()
            } else {
                issues::visible_ids(db, &viewer_context.viewer, &issue_ids)?
            },
            values: store_fields::list_values(db, Customized::TimeEntry, &ids)?,
        })
    }
}

/// Writes the fields of a time entry, in the order of compatibility 9. An issue that the viewer
/// cannot see is omitted.
pub fn time_entry(w: &mut Fields, entry: &TimeEntry, context: &ViewContext) {
    let catalogue = &context.catalogue;
    let viewer = &context.viewer_context.viewer;
    w.field("id", entry.id.0);
    w.reference(
        "project",
        entry.project.0,
        catalogue.project_name(entry.project),
    );
    if let Some(issue) = entry.issue.filter(|issue| context.issues.contains(issue)) {
        w.nested("issue", |w| w.attribute("id", issue.0));
    }
    w.reference(
        "user",
        entry.user.0,
        catalogue
            .principal_name(entry.user.into())
            .unwrap_or_default(),
    );
    w.reference(
        "activity",
        entry.activity.0,
        catalogue
            .enumeration(entry.activity)
            .map_or("", |activity| &activity.name),
    );
    w.field("hours", round(entry.hours));
    w.field("comments", entry.comments.as_deref());
    w.field("spent_on", entry.spent_on);
    w.field("created_on", entry.created_on);
    w.field("updated_on", entry.updated_on);
    let fields = catalogue
        .custom_fields_of(Customized::TimeEntry)
        .filter(|field| field.is_visible_to(viewer, entry.project));
    custom_fields(w, fields, context.values.get(&entry.id.0));
}
