//! `/projects/new`: the form for a new project, and its fields.

use crate::components::form_field::{
    Choice, FieldKind, FormField, assign_errors, choice, typed, with_current,
};
use crate::custom_fields::CustomFieldRow;
use crate::form::show_again;
use crate::frame::{Flash, Frame, Width};
use crate::memberships::members_path;
use crate::render::{redirect_with, render};
use crate::settings::module_label;
use askama::Template;
use quarry_actions::projects as actions;
use quarry_actions::projects::{NewProjectOptions, may_create};
use quarry_domain::access::permission::Permission;
use quarry_domain::access::visibility;
use quarry_domain::administration::custom_field::Format;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::UserId;
use quarry_domain::projects::module::Module;
use quarry_domain::validation::{ValidationError, ValidationErrors};
use quarry_http::resources::{fields, paths};
use quarry_http::{Error, Reply, RequestContext};
use quarry_store::Read;
use quarry_wire::Input;

const TRACKER_DELETED: &str = "A chosen tracker has been deleted meanwhile; choose others";

#[derive(Template)]
#[template(path = "projects/new.html")]
struct NewProjectPage {
    frame: Frame,
    fields: NewProjectFields,
    /// Messages that belong to no field.
    messages: Vec<String>,
}

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
    let change = match fields::project::parse(&request.body) {
        Ok(change) => change,
        Err(Error::Invalid(errors)) => {
            return show_again(request, |db| page(request, db, &request.body, errors));
        }
        Err(error) => return Err(error),
    };
    let id = match request.write(move |db, viewer| actions::create(db, viewer, &change)) {
        Ok(id) => id,
        Err(Error::Invalid(errors)) => {
            return show_again(request, |db| page(request, db, &request.body, errors));
        }
        Err(Error::NotFound) => {
            return show_again(request, |db| {
                page(
                    request,
                    db,
                    &request.body,
                    ValidationError::for_record(TRACKER_DELETED).into(),
                )
            });
        }
        Err(error) => return Err(error),
    };
    request.app.read(|db| {
        let catalogue = db.catalogue();
        let viewer = request.viewer().renewed(catalogue);
        let created = catalogue.projects.get(&id).filter(|_| viewer.sees(id));
        let (path, message) = match created {
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
        };
        Ok(redirect_with(request, path, &Flash::notice(message)))
    })
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    form: &Input,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let offered = actions::new(db.catalogue(), request.viewer(), db.now())?;
    let mut fields = fields(request, db.catalogue(), &offered, form);
    let messages = assign_errors(fields.iter_mut(), errors);
    let frame = Frame::new(request, db, "New project")
        .with_width(Width::Narrow)
        .below("Projects", "/projects");
    let page = NewProjectPage {
        frame,
        fields,
        messages,
    };
    render(&page.frame, &page)
}

/// Maximum depth of a project in the list of parents.
const MAX_DEPTH: usize = 8;

/// The fields of the form, in rows of one field or of two side by side. A row is empty where the
/// viewer may not set its field.
pub struct NewProjectFields {
    /// The rows above the custom fields.
    pub rows: Vec<Vec<FormField>>,
    pub custom: Vec<FormField>,
    /// The rows below the custom fields.
    pub lists: Vec<Vec<FormField>>,
}

impl NewProjectFields {
    /// Returns all fields.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut FormField> {
        self.rows
            .iter_mut()
            .chain(&mut self.lists)
            .flatten()
            .chain(&mut self.custom)
    }
}

/// Returns the rows for these options of a viewer.
pub fn fields(
    request: &RequestContext,
    catalogue: &Catalogue,
    offered: &NewProjectOptions<'_>,
    form: &Input,
) -> NewProjectFields {
    let defaults = &offered.defaults;
    let module_names: Vec<&str> = defaults.modules.iter().map(Module::name).collect();
    let tracker_ids: Vec<String> = defaults.trackers.iter().map(ToString::to_string).collect();
    let modules = row(
        form,
        FieldKind::Checkboxes,
        "enabled_module_names",
        "Modules",
        module_names.join("\n"),
    );
    let trackers = row(
        form,
        FieldKind::Checkboxes,
        "tracker_ids",
        "Trackers",
        tracker_ids.join("\n"),
    );
    let module_choices = Module::ALL
        .iter()
        .map(|module| choice(module.name(), module_label(*module)));
    let tracker_choices = catalogue
        .trackers
        .iter()
        .map(|tracker| choice(tracker.id, &tracker.name));
    let identifier = with_hint(
        required(row(
            form,
            FieldKind::Line,
            "identifier",
            "Identifier",
            String::new(),
        )),
        "Part of the address, and cannot be changed later. Lower-case letters, digits, dashes and underscores, no digit at the start.",
    );
    let has_parents = !offered.parents.is_empty();
    let parent = has_parents.then(|| parent(request, catalogue, offered, form));
    let homepage = row(form, FieldKind::Url, "homepage", "Homepage", String::new());
    let inherit_members = has_parents.then(|| {
        let field = switch(
            form,
            "inherit_members",
            "Inherit members",
            defaults.inherit_members,
        );
        with_hint(
            field,
            "Members of the parent are members here, too, with the same roles.",
        )
    });
    let is_public = offered.may_set_publicity.then(|| {
        let field = switch(form, "is_public", "Public", defaults.is_public);
        with_hint(
            field,
            "Everybody who can log in can see the project; if no login is required, everybody can.",
        )
    });
    let modules = offered.may_set_modules.then(|| FormField {
        choices: module_choices.collect(),
        ..modules
    });
    let trackers = (!catalogue.trackers.is_empty()).then(|| FormField {
        choices: tracker_choices.collect(),
        ..trackers
    });
    NewProjectFields {
        rows: vec![
            vec![
                required(row(form, FieldKind::Line, "name", "Name", String::new())),
                identifier,
            ],
            vec![row(
                form,
                FieldKind::LongText,
                "description",
                "Description",
                String::new(),
            )],
            parent.into_iter().chain([homepage]).collect(),
            inherit_members.into_iter().collect(),
            is_public.into_iter().collect(),
        ],
        custom: custom_fields(request, catalogue, offered, form),
        lists: vec![
            modules.into_iter().collect(),
            trackers.into_iter().collect(),
        ],
    }
}

fn required(field: FormField) -> FormField {
    FormField {
        is_required: true,
        ..field
    }
}

fn with_hint(field: FormField, hint: &str) -> FormField {
    FormField {
        hint: hint.to_owned(),
        ..field
    }
}

fn switch(form: &Input, attribute: &str, label: &str, is_on: bool) -> FormField {
    row(
        form,
        FieldKind::Switch,
        attribute,
        label,
        if is_on { "1" } else { "0" }.to_owned(),
    )
}

fn row(form: &Input, kind: FieldKind, attribute: &str, label: &str, default: String) -> FormField {
    let name = format!(
        "project[{attribute}]{}",
        if kind == FieldKind::Checkboxes {
            "[]"
        } else {
            ""
        }
    );
    let value = typed(form, &name).unwrap_or(default);
    FormField::new(kind, name, label, value)
}

fn parent(
    request: &RequestContext,
    catalogue: &Catalogue,
    offered: &NewProjectOptions<'_>,
    form: &Input,
) -> FormField {
    let name = "project[parent_id]";
    let requested = request
        .query_param("parent_id")
        .and_then(|reference| catalogue.project_by(&reference).map(|project| project.id));
    let first = offered
        .parents
        .first()
        .filter(|_| !offered.may_be_top_level)
        .map(|(project, _)| project.id);
    // Fields that the viewer may not set are not shown.
    let typed = typed(form, name).filter(|id| is_offered(offered, id) || id.is_empty());
    let value = typed
        .or_else(|| {
            requested
                .map(|id| id.to_string())
                .filter(|id| is_offered(offered, id))
                .or(first.map(|id| id.to_string()))
        })
        .unwrap_or_default();
    let mut field = FormField::new(FieldKind::Select, name, "Parent", value);
    if offered.may_be_top_level {
        field.choices.push(choice("", "none"));
    }
    field.choices.extend(
        offered
            .parents
            .iter()
            .map(|(project, depth)| choice(project.id, indented(&project.name, *depth))),
    );
    let current = offered
        .parents
        .iter()
        .find(|(project, _)| project.id.to_string() == field.value);
    let current = current.map(|(project, _)| (project.id.to_string(), project.name.clone()));
    with_current(&mut field.choices, current);
    field
}

/// Returns the name of a project below others, indented by its depth.
fn indented(name: &str, depth: usize) -> String {
    format!(
        "{}{name}",
        "\u{a0}\u{a0}\u{a0}".repeat(depth.min(MAX_DEPTH))
    )
}

fn is_offered(offered: &NewProjectOptions<'_>, id: &str) -> bool {
    offered
        .parents
        .iter()
        .any(|(project, _)| project.id.to_string() == id)
}

fn custom_fields(
    request: &RequestContext,
    catalogue: &Catalogue,
    offered: &NewProjectOptions<'_>,
    form: &Input,
) -> Vec<FormField> {
    // A new project has no versions yet.
    let rows = offered.fields.iter().map(|custom| {
        let row = CustomFieldRow {
            catalogue,
            object: "project",
            custom,
            values: &offered.values,
            form,
        };
        row.to_field(|format| {
            if format == Format::User {
                visible_users(request, catalogue)
            } else {
                Vec::new()
            }
        })
    });
    rows.collect()
}

fn visible_users(request: &RequestContext, catalogue: &Catalogue) -> Vec<Choice> {
    let visible = visibility::principals(request.viewer(), catalogue);
    let users = visible
        .as_slice()
        .iter()
        .filter_map(|id| catalogue.users.get(&UserId(*id)));
    let mut choices: Vec<Choice> = users.map(|user| choice(user.id, &user.name)).collect();
    choices.sort_by_cached_key(|choice| choice.label.to_lowercase());
    choices
}
