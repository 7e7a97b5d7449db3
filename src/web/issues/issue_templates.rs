//! Templates of issues of a project: `/projects/:id/settings/templates`, and the forms.

use crate::access;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{choice, with_current};
use crate::components::form_page::Section;
use crate::components::list_page::{Cell, Link, ListPage};
use crate::prelude::*;
use crate::records::record_area::{ProjectSettingsArea, RecordArea};
use crate::records::record_pages::{RecordPages, delete_path, edit_path};
use crate::records::record_routes::project_routes;
use quarry_actions::issues::issue_templates as actions;
use quarry_domain::issues::template::IssueTemplate;
use quarry_store::issues::templates;

const SECTION: &str = "Issue templates";

/// Returns the routes of templates.
pub fn routes() -> Routes {
    project_routes::<TemplatePages>("templates", list)
}

fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let project = TemplatePages::AREA.parent(request, catalogue)?;
    let templates = actions::list(db, request.viewer(), project)?;
    let rows = templates.into_iter().map(|template| {
        let tracker = catalogue.tracker(template.tracker);
        let edit = edit_path::<TemplatePages>(template.id.0);
        vec![
            Cell::record(template.name, edit),
            Cell::Text(tracker.map_or_else(String::new, |tracker| tracker.name.clone())),
            Cell::Text(template.subject),
            Cell::Check(template.is_default),
            Cell::Links(vec![Link::new(
                "Delete",
                delete_path::<TemplatePages>(template.id.0),
            )]),
        ]
    });
    let rows = rows.collect();
    let frame = TemplatePages::AREA.frame(request, db, project, SECTION)?;
    ListPage::new(
        frame,
        &["Name", "Tracker", "Subject begins with", "Default", ""],
        rows,
    )
    .with_heading(SECTION)
    .with_introduction("The form for a new issue offers the templates of its tracker.")
    .with_button(
        "New template",
        TemplatePages::AREA.new_path(catalogue, project),
    )
    .with_empty(
        "There is no template yet.",
        "A template says what an issue should have, such as the steps that lead to an error.",
    )
    .render()
}

struct TemplatePages;

impl RecordPages for TemplatePages {
    type Resource = IssueTemplate;
    type Record = IssueTemplate;
    type Parent = ProjectId;
    type Area = ProjectSettingsArea;

    const NOUN: &'static str = "template";
    const PATH: &'static str = "/issue_templates";
    const AREA: ProjectSettingsArea = ProjectSettingsArea {
        label: SECTION,
        list: "/settings/templates",
        new: "/issue_templates/new",
        permission: Permission::EditProject,
    };

    fn find(request: &RequestContext, db: &Read<'_>) -> Result<IssueTemplate, Error> {
        let template = templates::find(db, request.id_param("id")?)?;
        let template = template.ok_or_else(|| access::missing(request))?;
        let permission = Permission::EditProject;
        access::managed_by_id(request, db.catalogue(), template.project, permission)?;
        Ok(template)
    }

    fn parent_of(template: &IssueTemplate) -> ProjectId {
        template.project
    }

    fn id(template: &IssueTemplate) -> i64 {
        template.id.0
    }

    fn name(template: &IssueTemplate) -> &str {
        &template.name
    }

    fn sections(
        _request: &RequestContext,
        db: &Read<'_>,
        project: ProjectId,
        template: Option<&IssueTemplate>,
        form: FieldBuilder<'_>,
    ) -> Result<Vec<Section>, Error> {
        let catalogue = db.catalogue();
        let is_new = template.is_none();
        let template = template.cloned().unwrap_or_default();
        let trackers = catalogue
            .projects
            .get(&project)
            .map(|project| &project.trackers);
        let name = |id| catalogue.tracker(id).map(|tracker| tracker.name.as_str());
        let mut choices = trackers
            .into_iter()
            .flatten()
            .filter_map(|id| Some(choice(id, name(*id)?)))
            .collect();
        let current = name(template.tracker);
        let current = current.map(|name| (template.tracker.to_string(), name.to_owned()));
        with_current(&mut choices, current);
        let line = form.line("name", "Name", template.name).required();
        let fields = vec![
            if is_new { line.focused() } else { line },
            form.select("tracker_id", "Tracker", template.tracker, choices)
                .required(),
            form.line("subject", "Subject begins with", template.subject)
                .with_hint("Such as “Release: ”. Empty for nothing."),
            form.long_text("description", "Description", template.description)
                .with_preview(paths::preview("project", project)),
            form.switch(
                "is_default",
                "Fill in the description of every new issue of the tracker",
                template.is_default,
            ),
        ];
        Ok(vec![Section::new("", fields)])
    }
}
