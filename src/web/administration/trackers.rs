//! Trackers, for administrators.

use crate::administration::project_choices;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{Choice, FormField, choice};
use crate::components::form_page::Section;
use crate::components::list_page::{Cell, Link, ListPage};
use crate::frame::Frame;
use crate::prelude::*;
use crate::records::deletions::{DeletionEffects, count, issue_link};
use crate::records::record_area::AdministrationArea;
use crate::records::record_pages::{RecordPages, delete_path, edit_path};
use crate::records::record_routes::admin_routes;
use quarry_actions::administration::trackers as actions;
use quarry_actions::administration::trackers::TrackerChange;
use quarry_domain::administration::custom_field::Customized;
use quarry_domain::administration::tracker::{CORE_FIELDS, Tracker};
use quarry_domain::ids::TrackerId;
use quarry_store::administration::trackers as store;

/// Returns the routes of trackers.
pub fn routes() -> Routes {
    admin_routes::<TrackerPages>(list)
}

fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let trackers = &catalogue.trackers;
    let issues = store::issue_counts(db)?;
    let rows = trackers.iter().enumerate().map(|(index, tracker)| {
        let id = tracker.id.0;
        let edit = edit_path::<TrackerPages>(id);
        let status = catalogue.status(tracker.default_status);
        let projects = projects_with(catalogue, tracker.id).count();
        vec![
            Cell::record(&tracker.name, &edit),
            Cell::Text(status.map(|status| status.name.clone()).unwrap_or_default()),
            Cell::Number(i64::try_from(projects).unwrap_or(i64::MAX)),
            Cell::Count(
                issues.get(&tracker.id).copied().unwrap_or(0),
                issues_path(tracker.id),
            ),
            Cell::Text(tracker.description.clone().unwrap_or_default()),
            Cell::order(edit, TrackerForm::OBJECT, index, trackers.len()),
            Cell::Links(vec![Link::new("Delete", delete_path::<TrackerPages>(id))]),
        ]
    });
    let frame = Frame::for_administration(request, db, "Trackers");
    ListPage::new(
        frame,
        &[
            "Name",
            "Default status",
            "#Projects",
            "#Issues",
            "Description",
            "Order",
            "",
        ],
        rows.collect(),
    )
    .with_introduction("The types of issues. Each has its own fields, projects and workflow.")
    .with_button("New tracker", "/trackers/new")
    .with_empty("There is no tracker yet.", "Issues need at least one.")
    .with_json("/trackers.json")
    .render()
}

/// Returns the address of all issues with a tracker.
fn issues_path(tracker: TrackerId) -> String {
    format!("/issues?tracker_id={tracker}&status_id=*")
}

/// Returns the projects that use a tracker.
fn projects_with(catalogue: &Catalogue, tracker: TrackerId) -> impl Iterator<Item = ProjectId> {
    catalogue
        .projects
        .values()
        .filter(move |project| project.trackers.contains(&tracker))
        .map(|project| project.id)
}

/// The form of a tracker.
struct TrackerForm {
    change: TrackerChange,
    /// The tracker whose workflow a new one gets.
    workflow: Option<TrackerId>,
}

impl FromBody for TrackerForm {
    const OBJECT: &'static str = TrackerChange::OBJECT;

    fn from_fields(body: &mut BodyFields<'_>) -> Result<Self, Error> {
        let workflow = body.id("copy_workflow_from", "Copy workflow from");
        body.check()?;
        Ok(TrackerForm {
            change: TrackerChange::from_fields(body)?,
            workflow: workflow.value().copied(),
        })
    }
}

struct TrackerPages;

impl Resource for TrackerPages {
    type Id = TrackerId;
    type Parent = ();
    type Change = TrackerForm;

    fn create(
        db: &mut Write<'_>,
        viewer: &Viewer,
        (): (),
        form: &TrackerForm,
    ) -> Result<TrackerId, ActionError> {
        match form.workflow {
            Some(source) => actions::create_with_workflow(db, viewer, &form.change, source),
            None => Tracker::create(db, viewer, (), &form.change),
        }
    }

    fn update(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: TrackerId,
        form: &TrackerForm,
    ) -> Result<(), ActionError> {
        Tracker::update(db, viewer, id, &form.change)
    }

    fn delete(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: TrackerId,
        replacement: Option<TrackerId>,
    ) -> Result<(), ActionError> {
        Tracker::delete(db, viewer, id, replacement)
    }
}

impl RecordPages for TrackerPages {
    type Resource = Self;
    type Record = Tracker;
    type Parent = ();
    type Area = AdministrationArea;

    const NOUN: &'static str = "tracker";
    const PATH: &'static str = "/trackers";
    const AREA: AdministrationArea = AdministrationArea {
        label: "Trackers",
        path: Self::PATH,
    };

    fn find(request: &RequestContext, db: &Read<'_>) -> Result<Tracker, Error> {
        let tracker = db.catalogue().tracker(request.id_param("id")?);
        tracker.cloned().ok_or(Error::NotFound)
    }

    fn parent_of(_tracker: &Tracker) {}

    fn id(tracker: &Tracker) -> i64 {
        tracker.id.0
    }

    fn name(tracker: &Tracker) -> &str {
        &tracker.name
    }

    fn sections(
        _request: &RequestContext,
        db: &Read<'_>,
        (): (),
        tracker: Option<&Tracker>,
        form: FieldBuilder<'_>,
    ) -> Result<Vec<Section>, Error> {
        let catalogue = db.catalogue();
        Ok(vec![
            Section::new("", general_fields(catalogue, tracker, form)),
            Section::new("Fields", used_fields(catalogue, tracker, form))
                .with_hint("Issues with this tracker have the fields that are selected."),
            project_section(catalogue, tracker, form),
        ])
    }

    fn deletion_effects(db: &Read<'_>, tracker: &Tracker) -> Result<DeletionEffects, Error> {
        let catalogue = db.catalogue();
        let issues = store::count_issues(db, tracker.id)?;
        let projects = projects_with(catalogue, tracker.id).count();
        let projects = i64::try_from(projects).unwrap_or(i64::MAX);
        let lose = count(projects, "project loses", "projects lose");
        let mut notes = vec![format!(
            "Its workflow is deleted, and {lose} it. The history of issues stays as it is."
        )];
        let keywords = actions::commit_keywords(catalogue, tracker.id).join(", ");
        if issues == 0 {
            if !keywords.is_empty() {
                notes.push(format!(
                    "In commit messages, what {keywords} did with issues of this tracker is deleted."
                ));
            }
            return Ok(DeletionEffects {
                notes,
                ..DeletionEffects::default()
            });
        }
        let get = count(issues, "issue gets", "issues get");
        notes.push(format!(
            "{get} the other tracker, which their projects use from now on. They keep their status, and values in fields that the other tracker does not show."
        ));
        if !keywords.is_empty() {
            notes.push(format!(
                "In commit messages, {keywords} will change issues of the other tracker in the same way, unless there is a rule for it."
            ));
        }
        let others = catalogue.trackers.iter();
        let others = others.filter(|other| other.id != tracker.id);
        let replacements: Vec<Choice> = others.map(|other| choice(other.id, &other.name)).collect();
        Ok(DeletionEffects {
            notes,
            links: issue_link(issues, issues_path(tracker.id)),
            refusal: replacements.is_empty().then(|| {
                let have = count(issues, "issue has", "issues have");
                format!("{have} this tracker, and there is no other one.")
            }),
            replacements,
            needs_replacement: true,
        })
    }
}

/// Returns name, status, and the workflow of a new tracker.
fn general_fields(
    catalogue: &Catalogue,
    tracker: Option<&Tracker>,
    form: FieldBuilder<'_>,
) -> Vec<FormField> {
    let current = tracker.cloned().unwrap_or_default();
    let statuses = catalogue.statuses.iter();
    let statuses = statuses.map(|status| choice(status.id, &status.name));
    let mut fields = vec![
        form.line("name", "Name", current.name).required(),
        form.line(
            "description",
            "Description",
            current.description.unwrap_or_default(),
        ),
        form.select(
            "default_status_id",
            "Default status",
            current.default_status,
            statuses,
        )
        .with_hint("The status of new issues.")
        .required(),
    ];
    if tracker.is_none() {
        let sources = catalogue.trackers.iter();
        let sources = sources.map(|source| choice(source.id, &source.name));
        fields.push(
            form.select(
                "copy_workflow_from",
                "Copy the workflow from",
                "",
                [choice("", "no tracker")].into_iter().chain(sources),
            )
            .with_hint("Without a workflow, nobody can change the status of its issues."),
        );
    }
    fields
}

/// Returns the standard and custom fields that a tracker can have.
fn used_fields(
    catalogue: &Catalogue,
    tracker: Option<&Tracker>,
    form: FieldBuilder<'_>,
) -> Vec<FormField> {
    let blank = Tracker::default();
    let stored = tracker.unwrap_or(&blank);
    let enabled = CORE_FIELDS.into_iter().filter(|field| stored.has(field));
    let standard = CORE_FIELDS
        .into_iter()
        .filter(|field| *field != "priority_id" || !stored.has(field))
        .map(|field| choice(field, label(field)));
    let custom: Vec<Choice> = catalogue
        .custom_fields_of(Customized::Issue)
        .map(|field| choice(field.id, &field.name))
        .collect();
    let used = catalogue
        .custom_fields_of(Customized::Issue)
        .filter(|field| field.trackers.contains(&stored.id))
        .map(|field| field.id);
    let mut fields = vec![form.checkboxes(
        "enabled_standard_fields",
        "Standard fields",
        enabled,
        standard,
    )];
    if !custom.is_empty() {
        fields.push(form.checkboxes("custom_field_ids", "Custom fields", used, custom));
    }
    fields
}

/// Returns the projects that can use a tracker.
fn project_section(
    catalogue: &Catalogue,
    tracker: Option<&Tracker>,
    form: FieldBuilder<'_>,
) -> Section {
    let id = tracker.map(|tracker| tracker.id);
    let used = id.into_iter().flat_map(|id| projects_with(catalogue, id));
    project_choices::section(
        catalogue,
        form,
        used,
        "The projects in which new issues can have this tracker.",
    )
}

/// Returns what people call a standard field.
fn label(field: &str) -> &'static str {
    match field {
        "assigned_to_id" => "Assignee",
        "category_id" => "Category",
        "fixed_version_id" => "Target version",
        "parent_issue_id" => "Parent task",
        "start_date" => "Start date",
        "due_date" => "Due date",
        "estimated_hours" => "Estimated time",
        "done_ratio" => "% Done",
        "description" => "Description",
        _ => "Priority",
    }
}
