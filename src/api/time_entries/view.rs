//! How a time entry looks outside (contract 7).

use crate::api::custom_fields::view::custom_fields;
use crate::app::Asker;
use crate::domain::catalogue::Catalogue;
use crate::domain::custom_field::{Customized, Values};
use crate::domain::ids::IssueId;
use crate::domain::time_entry::{TimeEntry, shown};
use crate::http::Error;
use crate::store::{Read, custom_fields as store_fields, issues};
use crate::wire::Fields;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// What stands around the time entries of an answer.
pub struct Around {
    catalogue: Arc<Catalogue>,
    asker: Arc<Asker>,
    issues: HashSet<IssueId>,
    values: HashMap<i64, Values>,
}

impl Around {
    /// Reads which issues of these time entries the viewer may see, and their values in custom fields.
    pub fn load(db: &Read<'_>, asker: &Arc<Asker>, page: &[TimeEntry]) -> Result<Around, Error> {
        let ids: Vec<i64> = page.iter().map(|entry| entry.id.0).collect();
        let named: Vec<i64> = page.iter().filter_map(|entry| entry.issue).map(|issue| issue.0).collect();
        Ok(Around {
            catalogue: Arc::clone(db.catalogue()),
            asker: Arc::clone(asker),
            issues: if named.is_empty() { HashSet::new() } else { issues::seen(db, &asker.viewer, &named)? },
            values: store_fields::values(db, Customized::TimeEntry, &ids)?,
        })
    }
}

/// The fields of a time entry, in the order of the contract. An issue that the viewer may not see is not named.
pub fn time_entry(w: &mut Fields, entry: &TimeEntry, around: &Around) {
    let (catalogue, viewer) = (&around.catalogue, &around.asker.viewer);
    w.field("id", entry.id.0);
    w.reference("project", entry.project.0, catalogue.projects.get(&entry.project).map_or("", |project| &project.name));
    if let Some(issue) = entry.issue.filter(|issue| around.issues.contains(issue)) {
        w.nested("issue", |w| w.attribute("id", issue.0));
    }
    w.reference("user", entry.user.0, catalogue.principal_name(entry.user.into()).unwrap_or_default());
    w.reference("activity", entry.activity.0, catalogue.enumeration(entry.activity).map_or("", |activity| &activity.name));
    w.field("hours", shown(entry.hours));
    w.field("comments", entry.comments.as_deref());
    w.field("spent_on", entry.spent_on);
    w.field("created_on", entry.created_on);
    w.field("updated_on", entry.updated_on);
    let fields = catalogue.custom_fields_of(Customized::TimeEntry).filter(|field| field.is_visible_to(viewer, entry.project));
    custom_fields(w, fields, around.values.get(&entry.id.0));
}
