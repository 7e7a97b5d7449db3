//! The fields of the form of a custom field: those that its format has.

use super::names::{format_label, records_name};
use crate::administration::project_choices;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{FieldKind, FormField, choice};
use crate::components::form_page::Section;
use crate::prelude::*;
use quarry_actions::administration::custom_fields::FieldChange;
use quarry_domain::administration::custom_field::{CustomField, Customized, Format};
use quarry_domain::ids::{CustomFieldId, TrackerId};

/// Maximum number of possible values of a list in a request.
const MAX_VALUES: usize = 10_000;

/// The attributes that the form has as text, with one value on each line.
const LINES: [&str; 2] = ["possible_values", "enumerations"];

/// Parses the form: as a request of the API, with lists as lines of text.
pub fn parse(input: &Input) -> Result<FieldChange, Error> {
    FieldChange::from_body(&with_lists(input))
}

/// Returns the body with the lines of text as lists.
fn with_lists(input: &Input) -> Input {
    let Input::Map(entries) = input else {
        return input.clone();
    };
    let entries = entries.iter().map(|(name, value)| match value {
        Input::Text(text) if LINES.contains(&name.as_str()) => (name.clone(), lines(text)),
        Input::Map(_) if name == "custom_field" => (name.clone(), with_lists(value)),
        _ => (name.clone(), value.clone()),
    });
    Input::Map(entries.collect())
}

fn lines(text: &str) -> Input {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    Input::List(lines.map(|line| Input::Text(line.to_owned())).collect())
}

/// Returns the fields for a field, stored or new.
pub fn sections(
    catalogue: &Catalogue,
    field: &CustomField,
    form: FieldBuilder<'_>,
) -> Vec<Section> {
    let mut general = vec![form.line("name", "Name", field.name.clone()).required()];
    general.extend(value_fields(field, form));
    general.push(form.long_text(
        "description",
        "Description",
        field.description.clone().unwrap_or_default(),
    ));
    let kind = format!(
        "Field of {}. Format: {}.",
        records_name(field.customized).1,
        format_label(field.format).to_lowercase()
    );
    let mut sections = vec![
        Section::new("", general).with_hint(kind),
        Section::new("Use", use_fields(field, form)),
    ];
    let visibility = visibility_fields(catalogue, field, form);
    if !visibility.is_empty() {
        sections.push(Section::new("Visibility", visibility));
    }
    if field.customized == Customized::Issue {
        sections.push(issue_section(catalogue, field, form));
    }
    sections
}

/// Returns what decides which values are possible.
fn value_fields(field: &CustomField, form: FieldBuilder<'_>) -> Vec<FormField> {
    let mut fields = Vec::new();
    let is_new = field.id.0 == 0;
    // An imported field may have more values than a request.
    if field.format == Format::List && field.possible_values.len() <= MAX_VALUES {
        fields.push(
            form.long_text(
                "possible_values",
                "Possible values",
                field.possible_values.join("\n"),
            )
            .with_hint("One on each line. Records keep values that are no longer here.")
            .required(),
        );
    }
    if field.format == Format::Enumeration && is_new {
        fields.push(
            form.long_text("enumerations", "Values", "")
                .with_hint("One on each line. They can be renamed and ordered later."),
        );
    }
    if field.format.has_limits() {
        let number = |length: Option<usize>| length.and_then(|length| i64::try_from(length).ok());
        fields.extend([
            form.integer("min_length", "Minimum length", number(field.min_length)),
            form.integer("max_length", "Maximum length", number(field.max_length))
                .with_hint("In characters; 0 or nothing is no limit."),
            form.line(
                "regexp",
                "Regular expression",
                field.regexp.clone().unwrap_or_default(),
            )
            .with_hint("Values must match it, such as ^[A-Z]{2}-\\d+$."),
        ]);
    }
    if field.format.allows_several() {
        fields.push(form.switch("multiple", "Several values can be chosen", field.multiple));
    }
    fields.extend(default_field(field, form));
    fields
}

/// Returns the control of the default value; `None` for values that depend on the project, and for
/// possible values that do not exist yet.
fn default_field(field: &CustomField, form: FieldBuilder<'_>) -> Option<FormField> {
    let stored = field.default.clone().unwrap_or_default();
    let kind = match field.format {
        Format::Line | Format::Float | Format::List | Format::Link => FieldKind::Line,
        Format::Text => FieldKind::LongText,
        Format::Integer => FieldKind::Integer,
        Format::Date => FieldKind::Date,
        Format::Bool => FieldKind::Select,
        Format::Enumeration if field.id.0 != 0 => FieldKind::Select,
        Format::Enumeration | Format::User | Format::Version | Format::Other => return None,
    };
    let control = form.field(kind, "default_value", "Default value", stored);
    Some(match field.format {
        Format::Bool => {
            control.with_choices([choice("", "None"), choice("1", "Yes"), choice("0", "No")])
        }
        Format::Enumeration => {
            let is_default = |id: i64| field.default.as_deref() == Some(id.to_string().as_str());
            let values = field.enumeration.iter();
            let values = values.filter(|value| value.2 || is_default(value.0));
            control
                .with_choices([choice("", "None")])
                .with_choices(values.map(|value| choice(value.0, &value.1)))
        }
        Format::List => control.with_hint("One of the possible values."),
        _ => control,
    })
}

/// Returns what the field is used for.
fn use_fields(field: &CustomField, form: FieldBuilder<'_>) -> Vec<FormField> {
    let records = records_name(field.customized).1;
    let mut fields = vec![form.switch(
        "is_required",
        "Required: a record must have a value",
        field.required,
    )];
    if field.customized.has_filters() {
        fields.push(form.switch(
            "is_filter",
            &format!("Lists of {records} can be filtered by it"),
            field.is_filter,
        ));
    }
    if field.customized.is_searched() && field.format.is_textual() {
        fields.push(form.switch(
            "searchable",
            "The search finds its values",
            field.searchable,
        ));
    }
    fields
}

/// Returns who sees and changes values.
fn visibility_fields(
    catalogue: &Catalogue,
    field: &CustomField,
    form: FieldBuilder<'_>,
) -> Vec<FormField> {
    let has_roles = field.customized.has_roles();
    if !has_roles && field.customized != Customized::User {
        return Vec::new();
    }
    let visible = form.switch("visible", "Everybody sees it", field.visible);
    let mut fields = vec![match has_roles {
        true => visible,
        false => visible.with_hint("Otherwise only administrators do."),
    }];
    if has_roles {
        let roles = catalogue
            .roles
            .iter()
            .map(|role| choice(role.id, &role.name));
        fields.push(
            form.checkboxes(
                "role_ids",
                "Roles that see it otherwise",
                field.roles.iter(),
                roles,
            )
            .with_hint("Administrators always do."),
        );
    }
    fields.push(
        form.switch(
            "editable",
            "People who may change the record may change its value",
            field.editable,
        )
        .with_hint("Otherwise only administrators may."),
    );
    fields
}

/// Returns trackers and projects of a field of issues.
fn issue_section(catalogue: &Catalogue, field: &CustomField, form: FieldBuilder<'_>) -> Section {
    let trackers = catalogue
        .trackers
        .iter()
        .map(|tracker| choice(tracker.id, &tracker.name));
    // A field without trackers is nowhere.
    let all = catalogue.trackers.iter().map(|tracker| tracker.id);
    let selected: Vec<TrackerId> = match field.id {
        CustomFieldId(0) => all.collect(),
        _ => field.trackers.iter().copied().collect(),
    };
    let projects = field.projects.iter().copied();
    let projects = project_choices::section(catalogue, form, projects, "");
    let mut fields = vec![
        form.checkboxes("tracker_ids", "Trackers", selected, trackers)
            .with_hint("Issues with these trackers have the field."),
        form.switch("is_for_all", "In all projects", field.is_for_all)
            .with_hint("Otherwise issues have it in the projects that are selected."),
    ];
    fields.extend(projects.fields);
    Section::new("Trackers and projects", fields).with_hint(projects.hint)
}
