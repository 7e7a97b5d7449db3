//! The fields of the forms of projects.

use crate::administration::settings::module_label;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{
    Choice, FormField, choice, sort_by_label, typed, with_current,
};
use crate::form::custom_fields::CustomFieldRow;
use crate::prelude::*;
use quarry_actions::projects::ProjectOptions;
use quarry_domain::access::visibility;
use quarry_domain::administration::custom_field::Format;
use quarry_domain::projects::module::Module;

/// The name of the object in forms, as in the API.
pub const OBJECT: &str = "project";

/// Maximum depth of a project in the list of parents.
const MAX_DEPTH: usize = 8;

const IDENTIFIER: &str = "Part of the address. Lower-case letters, digits, dashes and underscores, no digit at the start. When it changes, addresses with the former one keep working.";
const INHERIT_MEMBERS: &str = "Members of the parent are members here, too, with the same roles.";
const PUBLIC: &str =
    "Everybody who can log in can see the project; if no login is required, everybody can.";

/// The context for the fields of a project.
pub struct ProjectFields<'a> {
    pub request: &'a RequestContext,
    pub catalogue: &'a Catalogue,
    pub options: &'a ProjectOptions<'a>,
    /// What was sent.
    pub sent: &'a Input,
}

impl ProjectFields<'_> {
    fn form(&self) -> FieldBuilder<'_> {
        FieldBuilder::new(OBJECT, self.sent)
    }

    /// Returns name, identifier, description, parent, homepage and publicity, as far as the viewer
    /// may set them, and the custom fields.
    pub fn information(&self) -> Vec<FormField> {
        let form = self.form();
        let project = &self.options.project;
        let description = project.description.clone().unwrap_or_default();
        let homepage = project.homepage.clone().unwrap_or_default();
        let mut fields = vec![
            form.line("name", "Name", &project.name).required(),
            form.line("identifier", "Identifier", &project.identifier)
                .required()
                .with_hint(IDENTIFIER),
            form.long_text("description", "Description", description),
            form.url("homepage", "Homepage", homepage),
        ];
        if !self.options.parents.is_empty() {
            let inherits = project.inherit_members;
            fields.push(self.parent());
            fields.push(
                form.switch("inherit_members", "Inherit members", inherits)
                    .with_hint(INHERIT_MEMBERS),
            );
        }
        if self.options.may_set_publicity {
            fields.push(
                form.switch("is_public", "Public", project.is_public)
                    .with_hint(PUBLIC),
            );
        }
        fields.extend(self.custom_fields());
        fields
    }

    /// Returns the modules, if the viewer may set them.
    pub fn modules(&self) -> Option<FormField> {
        let enabled = self.options.project.modules.iter();
        let all = Module::ALL
            .iter()
            .map(|module| choice(module.name(), module_label(*module)));
        self.options.may_set_modules.then(|| {
            self.form().checkboxes(
                "enabled_module_names",
                "Modules",
                enabled.map(|module| module.name()),
                all,
            )
        })
    }

    /// Returns the trackers, if there are any.
    pub fn trackers(&self) -> Option<FormField> {
        let trackers = &self.catalogue.trackers;
        let all = trackers
            .iter()
            .map(|tracker| choice(tracker.id, &tracker.name));
        (!trackers.is_empty()).then(|| {
            self.form().checkboxes(
                "tracker_ids",
                "Trackers",
                &self.options.project.trackers,
                all,
            )
        })
    }

    fn parent(&self) -> FormField {
        let options = self.options;
        let is_offered = |id: &str| {
            let mut parents = options.parents.iter();
            parents.any(|(project, _)| project.id.to_string() == id)
        };
        let requested = self.request.query_param("parent_id").and_then(|reference| {
            let project = self.catalogue.project_by(&reference)?;
            Some(project.id.to_string()).filter(|id| is_offered(id))
        });
        let current = options.project.parent.map(|id| id.to_string());
        let first = options
            .parents
            .first()
            .filter(|_| !options.may_be_top_level);
        let first = first.map(|(project, _)| project.id.to_string());
        let sent = typed(self.sent, "project[parent_id]");
        let value = sent
            .filter(|id| is_offered(id) || id.is_empty())
            .or(requested)
            .or(current)
            .or(first)
            .unwrap_or_default();
        let none = options.may_be_top_level.then(|| choice("", "None"));
        let parents = options
            .parents
            .iter()
            .map(|(project, depth)| choice(project.id, indented(&project.name, *depth)));
        let mut field = self.form().select(
            "parent_id",
            "Parent",
            &value,
            none.into_iter().chain(parents),
        );
        field.value = value;
        let chosen = options
            .parents
            .iter()
            .find(|(project, _)| project.id.to_string() == field.value);
        let chosen = chosen.map(|(project, _)| (project.id.to_string(), project.name.clone()));
        with_current(&mut field.choices, chosen);
        field
    }

    fn custom_fields(&self) -> impl Iterator<Item = FormField> {
        self.options.fields.iter().map(|custom| {
            let row = CustomFieldRow {
                catalogue: self.catalogue,
                object: OBJECT,
                custom,
                values: &self.options.values,
                form: self.sent,
            };
            row.to_field(|format| match format {
                Format::User => visible_users(self.request, self.catalogue),
                Format::Version => versions_of(self.catalogue, self.options),
                _ => Vec::new(),
            })
        })
    }
}

/// Returns the name of a project below others, indented by its depth.
fn indented(name: &str, depth: usize) -> String {
    format!(
        "{}{name}",
        "\u{a0}\u{a0}\u{a0}".repeat(depth.min(MAX_DEPTH))
    )
}

fn visible_users(request: &RequestContext, catalogue: &Catalogue) -> Vec<Choice> {
    let visible = visibility::principals(request.viewer(), catalogue);
    let users = visible
        .as_slice()
        .iter()
        .filter_map(|id| catalogue.users.get(&UserId(*id)));
    let mut choices: Vec<Choice> = users.map(|user| choice(user.id, &user.name)).collect();
    sort_by_label(&mut choices);
    choices
}

/// Returns the versions of an existing project.
fn versions_of(catalogue: &Catalogue, options: &ProjectOptions<'_>) -> Vec<Choice> {
    let versions = catalogue.versions.values();
    let mut choices: Vec<Choice> = versions
        .filter(|version| version.project == options.project.id)
        .map(|version| choice(version.id, &version.name))
        .collect();
    sort_by_label(&mut choices);
    choices
}
