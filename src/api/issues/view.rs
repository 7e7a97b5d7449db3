//! JSON and XML of issues (compatibility 6.1).

use crate::custom_fields::write_custom_fields;
use crate::prelude::*;
use quarry_app::ViewerContext;
use quarry_domain::administration::custom_field::{CustomField, Customized, Values};
use quarry_domain::administration::setting::Setting;
use quarry_domain::ids::IssueId;
use quarry_domain::issues::issue::Issue;
use quarry_domain::values::text::with_crlf;
use quarry_store::administration::custom_fields as store_fields;
use quarry_store::issues;
use quarry_store::issues::time_entries;
use std::borrow::{Borrow, Cow};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// What the output of issues needs besides the issues.
pub struct ViewContext {
    catalogue: Arc<Catalogue>,
    viewer_context: Arc<ViewerContext>,
    spent: HashMap<IssueId, f64>,
    /// Issues with subtasks, for which the totals include these.
    with_subtasks: Vec<i64>,
    estimated: HashMap<IssueId, f64>,
    total_spent: HashMap<IssueId, f64>,
    visible_parents: HashSet<IssueId>,
    values: HashMap<i64, Values>,
    /// Whether spent hours are written for viewers who may see them.
    pub with_spent: bool,
}

impl ViewContext {
    /// Loads the context of these issues.
    pub fn load(
        db: &Read<'_>,
        viewer_context: &Arc<ViewerContext>,
        page: &[impl Borrow<Issue>],
    ) -> Result<ViewContext, Error> {
        let ids: Vec<i64> = page.iter().map(|issue| issue.borrow().id.0).collect();
        let parents: Vec<i64> = page
            .iter()
            .filter_map(|issue| issue.borrow().parent)
            .map(|parent| parent.0)
            .collect();
        let with_subtasks = issues::with_children(db, &ids)?;
        Ok(ViewContext {
            catalogue: Arc::clone(db.catalogue()),
            viewer_context: Arc::clone(viewer_context),
            spent: time_entries::hours_by_issue(db, &viewer_context.viewer, &ids)?,
            estimated: if with_subtasks.is_empty() {
                HashMap::new()
            } else {
                issues::total_estimated(db, &viewer_context.viewer, &with_subtasks)?
            },
            total_spent: if with_subtasks.is_empty() {
                HashMap::new()
            } else {
                issues::total_spent(db, &viewer_context.viewer, &with_subtasks)?
            },
            with_subtasks,
            visible_parents: if parents.is_empty() {
                HashSet::new()
            } else {
                issues::visible_ids(db, &viewer_context.viewer, &parents)?
            },
            values: store_fields::list_values(
                db,
                Customized::Issue,
                if db.catalogue().custom_fields.is_empty() {
                    &[]
                } else {
                    &ids
                },
            )?,
            with_spent: true,
        })
    }
}

/// Returns the text of a description as the API writes it: with CRLF, as Redmine stores the line endings (compatibility 6.4).
pub fn description_text(text: &str) -> Cow<'_, str> {
    if text.contains(['\n', '\r']) {
        Cow::Owned(with_crlf(text))
    } else {
        Cow::Borrowed(text)
    }
}

/// Returns the custom fields of an issue that the viewer can see, in order.
fn visible_fields<'c>(
    issue: &Issue,
    context: &'c ViewContext,
) -> impl Iterator<Item = &'c CustomField> {
    let project = issue.project;
    let tracker = issue.tracker;
    let viewer = &context.viewer_context.viewer;
    let fields = context
        .catalogue
        .custom_fields_of(Customized::Issue)
        .filter(move |field| field.is_in(project, tracker));
    fields.filter(move |field| field.is_visible_to(viewer, project))
}

/// Returns the done ratio: that of the status if the setting says so, otherwise that of the issue
/// (compatibility 6.6).
fn done_ratio(issue: &Issue, catalogue: &Catalogue) -> i64 {
    let by_status = catalogue.setting(Setting::IssueDoneRatio) == "issue_status";
    let ratio_of_status = catalogue
        .status(issue.status)
        .and_then(|status| status.default_done_ratio)
        .filter(|_| by_status);
    ratio_of_status.unwrap_or(issue.done_ratio)
}

fn or_empty(name: Option<&str>) -> &str {
    name.unwrap_or_default()
}

/// Writes the fields of an issue, in the order of compatibility 6.1.
pub fn issue(w: &mut Fields, issue: &Issue, context: &ViewContext) {
    let catalogue = &context.catalogue;
    w.field("id", issue.id.0);
    w.reference(
        "project",
        issue.project.0,
        catalogue.project_name(issue.project),
    );
    w.reference(
        "tracker",
        issue.tracker.0,
        or_empty(
            catalogue
                .tracker(issue.tracker)
                .map(|tracker| tracker.name.as_str()),
        ),
    );
    let status = catalogue.status(issue.status);
    w.nested("status", |w| {
        w.attribute("id", issue.status.0);
        w.attribute("name", status.map_or("", |status| status.name.as_str()));
        w.attribute("is_closed", status.is_some_and(|status| status.is_closed));
    });
    w.reference(
        "priority",
        issue.priority.0,
        or_empty(
            catalogue
                .enumeration(issue.priority)
                .map(|priority| priority.name.as_str()),
        ),
    );
    w.reference(
        "author",
        issue.author.0,
        or_empty(catalogue.principal_name(issue.author.into())),
    );
    w.maybe_reference(
        "assigned_to",
        issue
            .assignee
            .map(|id| (id.0, catalogue.principal_name(id).unwrap_or_default())),
    );
    w.maybe_reference(
        "category",
        issue.category.map(|id| {
            (
                id.0,
                catalogue
                    .categories
                    .get(&id)
                    .map_or("", |category| &category.name),
            )
        }),
    );
    w.maybe_reference(
        "fixed_version",
        issue.version.map(|id| {
            (
                id.0,
                catalogue
                    .versions
                    .get(&id)
                    .map_or("", |version| &version.name),
            )
        }),
    );
    if let Some(parent) = issue
        .parent
        .filter(|parent| context.visible_parents.contains(parent))
    {
        w.nested("parent", |w| w.attribute("id", parent.0));
    }
    w.field("subject", &issue.subject);
    let description = issue.description.as_deref();
    let description = description.map(description_text);
    w.field("description", description.as_deref());
    w.field("start_date", issue.start_date);
    w.field("due_date", issue.due_date);
    w.field("done_ratio", done_ratio(issue, catalogue));
    w.field("is_private", issue.private);
    w.field("estimated_hours", issue.estimated_hours);
    let has_subtasks = context.with_subtasks.contains(&issue.id.0);
    w.field(
        "total_estimated_hours",
        if has_subtasks {
            context.estimated.get(&issue.id).copied()
        } else {
            issue.estimated_hours
        },
    );
    if context.with_spent
        && context
            .viewer_context
            .viewer
            .may(Permission::ViewTimeEntries, issue.project)
    {
        w.field(
            "spent_hours",
            context.spent.get(&issue.id).copied().unwrap_or(0.0),
        );
        let total = if has_subtasks {
            &context.total_spent
        } else {
            &context.spent
        };
        w.field(
            "total_spent_hours",
            total.get(&issue.id).copied().unwrap_or(0.0),
        );
    }
    write_custom_fields(
        w,
        visible_fields(issue, context),
        context.values.get(&issue.id.0),
    );
    w.field("created_on", issue.created_on);
    w.field("updated_on", issue.updated_on);
    w.field("closed_on", issue.closed_on);
}
