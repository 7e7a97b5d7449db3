//! `/projects/new`: creates a project, with `copy_from` one that takes over parts of another project.

use super::fields::ProjectFields;
use crate::accounts::memberships::members_path;
use crate::components::form_field::{FieldKind, FormField, choice, typed};
use crate::components::form_page::{FormPage, Section};
use crate::form::save;
use crate::frame::Frame;
use crate::prelude::*;
use quarry_actions::projects as actions;
use quarry_actions::projects::{CopiedParts, may_create};
use quarry_domain::administration::custom_field::Customized;
use quarry_http::resources::fields;
use quarry_store::administration::custom_fields;

const TRACKER_DELETED: &str = "A chosen tracker has been deleted meanwhile; choose others";

/// `GET`: the form, filled from the query string: `project[name]=…` and, as in Redmine,
/// `parent_id`, the id or identifier of the parent.
pub fn new(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, &request.query, ValidationErrors::new())
}

/// `POST`: creates the project. Redirects to its members if the viewer may add some.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    if !may_create(request.viewer()) {
        return Err(Error::Forbidden);
    }
    save(
        request,
        || {
            let change = fields::project::parse(&request.body)?;
            let original = original(request, &request.body)?;
            let parts = copied_parts(&request.body);
            let created = request.write(move |db, viewer| match original {
                Some(from) => actions::create_copy(db, viewer, &change, from, parts),
                None => actions::create(db, viewer, &change),
            });
            created.map_err(|error| match error {
                Error::NotFound => Error::invalid(TRACKER_DELETED.to_owned()),
                error => error,
            })
        },
        |id| created(request, id),
        |db, errors| page(request, db, &request.body, errors),
    )
}

/// The parameter with the identifier of a project from which the new one takes over parts.
const COPY_FROM: &str = "copy_from";

/// The parameter with the parts that a new project takes over.
const PARTS: &str = "copy[]";

/// The parts with their labels.
const PART_LABELS: [(&str, &str); 4] = [
    ("members", "Members"),
    ("versions", "Versions"),
    ("categories", "Categories"),
    ("boards", "Forums"),
];

/// Returns the project that the new one copies; `None` without one. Only administrators copy
/// projects.
fn original(request: &RequestContext, sent: &Input) -> Result<Option<ProjectId>, Error> {
    let Some(reference) = typed(sent, COPY_FROM).filter(|reference| !reference.is_empty()) else {
        return Ok(None);
    };
    request.require_admin()?;
    let catalogue = request.app.store.catalogue()?;
    let project = catalogue.project_by(&reference).ok_or(Error::NotFound)?;
    Ok(Some(project.id))
}

fn copied_parts(sent: &Input) -> CopiedParts {
    let parts = typed(sent, PARTS).unwrap_or_default();
    let has = |part| parts.split('\n').any(|sent| sent == part);
    CopiedParts {
        members: has("members"),
        versions: has("versions"),
        categories: has("categories"),
        boards: has("boards"),
    }
}

/// Returns the fields for what is taken over from a project.
fn copy_fields(original: &Project, sent: &Input) -> Vec<FormField> {
    let all = PART_LABELS.map(|(part, _)| part).join("\n");
    let value = typed(sent, PARTS).unwrap_or(all);
    let choices = PART_LABELS.map(|(part, label)| choice(part, label));
    vec![
        FormField::new(
            FieldKind::Hidden,
            COPY_FROM,
            "",
            original.identifier.as_str(),
        ),
        FormField::new(FieldKind::Checkboxes, PARTS, "Take over", value).with_choices(choices),
    ]
}

/// Returns where the creator of a project goes on, with a message.
fn created(request: &RequestContext, id: ProjectId) -> Result<(String, String), Error> {
    let catalogue = request.app.store.catalogue()?;
    let viewer = request.viewer().renewed(&catalogue);
    let created = catalogue.projects.get(&id).filter(|_| viewer.sees(id));
    Ok(match created {
        Some(project) if viewer.may(Permission::ManageMembers, id) => (
            members_path(project),
            format!(
                "The project {} was created. Its members are on this page.",
                project.name
            ),
        ),
        Some(project) => (
            paths::project(project),
            format!("The project {} was created.", project.name),
        ),
        None => (
            "/projects".to_owned(),
            "The project was created. You cannot see it.".to_owned(),
        ),
    })
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    sent: &Input,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let mut options = actions::new(catalogue, request.viewer(), db.now())?;
    let original = original(request, sent)?.and_then(|id| catalogue.projects.get(&id));
    if let Some(original) = original {
        options.project = Project {
            name: String::new(),
            identifier: String::new(),
            ..original.clone()
        };
        options.values = custom_fields::find_values(db, Customized::Project, original.id.0)?;
    }
    let fields = ProjectFields {
        request,
        catalogue,
        options: &options,
        sent,
    };
    let lists = fields.modules().into_iter().chain(fields.trackers());
    let mut sections = vec![
        Section::new("", fields.information()),
        Section::new("", lists.collect()),
    ];
    let mut title = "New project".to_owned();
    if let Some(original) = original {
        title = format!("New project like {}", original.name);
        sections.push(Section::new("", copy_fields(original, sent)));
    }
    let frame = Frame::new(request, db, title).below("Projects", "/projects");
    FormPage::with_sections(frame, "/projects/new", sections)
        .with_submit("Create")
        .with_cancel("/projects")
        .with_errors(errors)
        .render()
}
