//! Issue statuses, for administrators.

use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{Choice, choice};
use crate::components::form_page::Section;
use crate::components::list_page::{Cell, Link, ListPage};
use crate::frame::Frame;
use crate::prelude::*;
use crate::records::deletions::{DeletionEffects, count, issue_link};
use crate::records::record_area::AdministrationArea;
use crate::records::record_pages::{RecordPages, delete_path, edit_path};
use crate::records::record_routes::admin_routes;
use quarry_actions::administration::issue_statuses as actions;
use quarry_domain::administration::issue_status::IssueStatus;
use quarry_store::administration::issue_statuses as store;

/// Returns the routes of issue statuses.
pub fn routes() -> Routes {
    admin_routes::<StatusPages>(list)
}

fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let statuses = &db.catalogue().statuses;
    let rows = statuses.iter().enumerate().map(|(index, status)| {
        let edit = edit_path::<StatusPages>(status.id.0);
        vec![
            Cell::record(&status.name, &edit),
            Cell::Check(status.is_closed),
            Cell::Text(status.description.clone().unwrap_or_default()),
            Cell::order(edit, "issue_status", index, statuses.len()),
            Cell::Links(vec![Link::new(
                "Delete",
                delete_path::<StatusPages>(status.id.0),
            )]),
        ]
    });
    let frame = Frame::for_administration(request, db, "Issue statuses");
    ListPage::new(
        frame,
        &["Name", "Closed", "Description", "Order", ""],
        rows.collect(),
    )
    .with_introduction("The steps that issues go through. The workflow says which follows which.")
    .with_button("New status", "/issue_statuses/new")
    .with_empty("There is no status yet.", "Issues need at least one.")
    .with_json("/issue_statuses.json")
    .render()
}

struct StatusPages;

impl RecordPages for StatusPages {
    type Resource = IssueStatus;
    type Record = IssueStatus;
    type Parent = ();
    type Area = AdministrationArea;

    const NOUN: &'static str = "status";
    const PATH: &'static str = "/issue_statuses";
    const AREA: AdministrationArea = AdministrationArea {
        label: "Issue statuses",
        path: Self::PATH,
    };

    fn find(request: &RequestContext, db: &Read<'_>) -> Result<IssueStatus, Error> {
        let status = db.catalogue().status(request.id_param("id")?);
        status.cloned().ok_or(Error::NotFound)
    }

    fn parent_of(_status: &IssueStatus) {}

    fn id(status: &IssueStatus) -> i64 {
        status.id.0
    }

    fn name(status: &IssueStatus) -> &str {
        &status.name
    }

    fn sections(
        _request: &RequestContext,
        _db: &Read<'_>,
        (): (),
        status: Option<&IssueStatus>,
        form: FieldBuilder<'_>,
    ) -> Result<Vec<Section>, Error> {
        let status = status.cloned().unwrap_or_default();
        let fields = vec![
            form.line("name", "Name", status.name).required(),
            form.switch(
                "is_closed",
                "Issues with this status are closed",
                status.is_closed,
            ),
            form.integer(
                "default_done_ratio",
                "Done, in percent",
                status.default_done_ratio,
            )
            .with_hint("Used when the done ratio of issues follows from their status."),
            form.line(
                "description",
                "Description",
                status.description.unwrap_or_default(),
            ),
        ];
        Ok(vec![Section::new("", fields)])
    }

    fn deletion_effects(db: &Read<'_>, status: &IssueStatus) -> Result<DeletionEffects, Error> {
        let catalogue = db.catalogue();
        let issues = store::count_issues(db, status.id)?;
        let trackers: Vec<&str> = catalogue
            .trackers
            .iter()
            .filter(|tracker| tracker.default_status == status.id)
            .map(|tracker| tracker.name.as_str())
            .collect();
        let keywords = actions::commit_keywords(catalogue, status.id);
        if issues == 0 && trackers.is_empty() && keywords.is_empty() {
            return Ok(DeletionEffects {
                notes: vec![
                    "No issue has this status. It is removed from the workflow.".to_owned(),
                ],
                ..DeletionEffects::default()
            });
        }
        let mut notes = Vec::new();
        if issues > 0 {
            notes.push(format!(
                "{} the new status.",
                count(issues, "issue gets", "issues get")
            ));
        }
        if !trackers.is_empty() {
            notes.push(format!(
                "New issues of {} start with the new status.",
                trackers.join(", ")
            ));
        }
        if !keywords.is_empty() {
            notes.push(format!(
                "In commit messages, {} will set the new status.",
                keywords.join(", ")
            ));
        }
        notes.push("The history of issues stays as it is.".to_owned());
        let others = catalogue.statuses.iter();
        let others = others.filter(|other| other.id != status.id);
        let replacements: Vec<Choice> = others.map(status_choice).collect();
        Ok(DeletionEffects {
            notes,
            links: issue_link(issues, format!("/issues?status_id={}", status.id)),
            refusal: replacements
                .is_empty()
                .then(|| "There is no other status that could replace it.".to_owned()),
            replacements,
            needs_replacement: issues > 0 || !trackers.is_empty(),
        })
    }
}

/// Returns a status as a choice, with the word `closed` if it is.
fn status_choice(status: &IssueStatus) -> Choice {
    let label = if status.is_closed {
        format!("{} (closed)", status.name)
    } else {
        status.name.clone()
    };
    choice(status.id, label)
}
