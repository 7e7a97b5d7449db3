//! How an issue looks outside (contract 4.1).

use crate::api::custom_fields::view::custom_fields;
use crate::app::Asker;
use crate::domain::catalogue::Catalogue;
use crate::domain::custom_field::{CustomField, Customized, Values};
use crate::domain::ids::IssueId;
use crate::domain::issue::Issue;
use crate::domain::permission::Permission;
use crate::domain::setting::Setting;
use crate::http::Error;
use crate::store::{Read, custom_fields as store_fields, issues, time_entries};
use crate::wire::Fields;
use std::borrow::Borrow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// What stands around the issues of an answer.
pub struct Around {
    catalogue: Arc<Catalogue>,
    asker: Arc<Asker>,
    spent: HashMap<IssueId, f64>,
    /// Those with others below them, and the sums over all of these; of the rest the sums are their own.
    tops: Vec<i64>,
    estimated: HashMap<IssueId, f64>,
    total_spent: HashMap<IssueId, f64>,
    parents: HashSet<IssueId>,
    values: HashMap<i64, Values>,
    /// Whether hours spent are shown to those who may see them.
    pub with_spent: bool,
}

impl Around {
    /// Reads the sums of these issues.
    pub fn load(db: &Read<'_>, asker: &Arc<Asker>, page: &[impl Borrow<Issue>]) -> Result<Around, Error> {
        let ids: Vec<i64> = page.iter().map(|issue| issue.borrow().id.0).collect();
        let parents: Vec<i64> = page.iter().filter_map(|issue| issue.borrow().parent).map(|parent| parent.0).collect();
        let tops = issues::tops(db, &ids)?;
        Ok(Around {
            catalogue: Arc::clone(db.catalogue()),
            asker: Arc::clone(asker),
            spent: time_entries::spent(db, &asker.viewer, &ids)?,
            estimated: if tops.is_empty() { HashMap::new() } else { issues::total_estimated(db, &asker.viewer, &tops)? },
            total_spent: if tops.is_empty() { HashMap::new() } else { issues::total_spent(db, &asker.viewer, &tops)? },
            tops,
            parents: if parents.is_empty() { HashSet::new() } else { issues::seen(db, &asker.viewer, &parents)? },
            values: store_fields::values(db, Customized::Issue, if db.catalogue().custom_fields.is_empty() { &[] } else { &ids })?,
            with_spent: true,
        })
    }
}

/// The custom fields of an issue that the viewer may see, in their order.
fn fields_of<'c>(issue: &Issue, around: &'c Around) -> impl Iterator<Item = &'c CustomField> {
    let (project, tracker, viewer) = (issue.project, issue.tracker, &around.asker.viewer);
    let fields = around.catalogue.custom_fields_of(Customized::Issue).filter(move |field| field.is_in(project, tracker));
    fields.filter(move |field| field.is_visible_to(viewer, project))
}

/// How much is done: what the status says where it says so, whatever the issue had before (contract 4.6).
fn done_ratio(issue: &Issue, catalogue: &Catalogue) -> i64 {
    let by_status = catalogue.setting(Setting::IssueDoneRatio) == "issue_status";
    let said = catalogue.status(issue.status).and_then(|status| status.default_done_ratio).filter(|_| by_status);
    said.unwrap_or(issue.done_ratio)
}

fn named(found: Option<&str>) -> &str {
    found.unwrap_or_default()
}

/// The fields of an issue, in the order of the contract.
pub fn issue(w: &mut Fields, issue: &Issue, around: &Around) {
    let catalogue = &around.catalogue;
    w.field("id", issue.id.0);
    w.reference("project", issue.project.0, named(catalogue.projects.get(&issue.project).map(|project| project.name.as_str())));
    w.reference("tracker", issue.tracker.0, named(catalogue.tracker(issue.tracker).map(|tracker| tracker.name.as_str())));
    let status = catalogue.status(issue.status);
    w.nested("status", |w| {
        w.attribute("id", issue.status.0);
        w.attribute("name", status.map_or("", |status| status.name.as_str()));
        w.attribute("is_closed", status.is_some_and(|status| status.is_closed));
    });
    w.reference("priority", issue.priority.0, named(catalogue.enumeration(issue.priority).map(|priority| priority.name.as_str())));
    w.reference("author", issue.author.0, named(catalogue.principal_name(issue.author.into())));
    w.maybe_reference("assigned_to", issue.assignee.map(|id| (id.0, catalogue.principal_name(id).unwrap_or_default())));
    w.maybe_reference("category", issue.category.map(|id| (id.0, catalogue.categories.get(&id).map_or("", |category| &category.name))));
    w.maybe_reference("fixed_version", issue.version.map(|id| (id.0, catalogue.versions.get(&id).map_or("", |version| &version.name))));
    if let Some(parent) = issue.parent.filter(|parent| around.parents.contains(parent)) {
        w.nested("parent", |w| w.attribute("id", parent.0));
    }
    w.field("subject", &issue.subject);
    w.field("description", issue.description.as_deref());
    w.field("start_date", issue.start_date);
    w.field("due_date", issue.due_date);
    w.field("done_ratio", done_ratio(issue, catalogue));
    w.field("is_private", issue.private);
    w.field("estimated_hours", issue.estimated_hours);
    let is_top = around.tops.contains(&issue.id.0);
    w.field("total_estimated_hours", if is_top { around.estimated.get(&issue.id).copied() } else { issue.estimated_hours });
    if around.with_spent && around.asker.viewer.may(Permission::ViewTimeEntries, issue.project) {
        w.field("spent_hours", around.spent.get(&issue.id).copied().unwrap_or(0.0));
        let total = if is_top { &around.total_spent } else { &around.spent };
        w.field("total_spent_hours", total.get(&issue.id).copied().unwrap_or(0.0));
    }
    custom_fields(w, fields_of(issue, around), around.values.get(&issue.id.0));
    w.field("created_on", issue.created_on);
    w.field("updated_on", issue.updated_on);
    w.field("closed_on", issue.closed_on);
}
