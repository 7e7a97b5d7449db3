//! Custom fields as rows of forms, each by its format.

use crate::components::form_field::{
    Choice, FieldKind, FormField, choice, sort_by_label, typed, with_current,
};
use crate::prelude::*;
use quarry_actions::administration::custom_values::settable_fields;
use quarry_actions::issues::assignable;
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::administration::custom_field::{CustomField, Customized, Format, Values};
use quarry_http::resources::custom_values;

/// The context for the row of a custom field.
pub struct CustomFieldRow<'f> {
    pub catalogue: &'f Catalogue,
    /// The object of the form in which the value is, such as `issue`.
    pub object: &'static str,
    pub custom: &'f CustomField,
    /// The values of the record.
    pub values: &'f Values,
    /// The submitted form; null when the form is new.
    pub form: &'f Input,
}

impl CustomFieldRow<'_> {
    /// Returns the row. `records` returns the choices of a field with users or versions.
    pub fn to_field(&self, records: impl FnOnce(Format) -> Vec<Choice>) -> FormField {
        let custom = self.custom;
        let kind = kind(custom);
        let several = if kind == FieldKind::Checkboxes {
            "[]"
        } else {
            ""
        };
        let name = format!(
            "{}[custom_field_values][{}]{several}",
            self.object, custom.id
        );
        let current: Vec<&str> = self
            .values
            .get(custom.id)
            .unwrap_or_default()
            .iter()
            .map(String::as_str)
            .collect();
        let value = typed(self.form, &name).unwrap_or_else(|| current.join("\n"));
        let mut field = FormField::new(kind, name, &custom.name, value);
        field.is_required = custom.required;
        if matches!(kind, FieldKind::Select | FieldKind::Checkboxes) {
            field.choices = self.choices(kind, &current, records);
        }
        let limits = match (
            custom.min_length.filter(|min| *min > 0),
            custom.max_length.filter(|max| *max > 0),
        ) {
            (Some(min), Some(max)) => format!("{min} to {max} characters."),
            (Some(min), None) => format!("At least {min} characters."),
            (None, Some(max)) => format!("At most {max} characters."),
            (None, None) => String::new(),
        };
        let description = custom.description.as_deref().unwrap_or_default().trim();
        field.hint = format!("{description} {limits}").trim().to_owned();
        field
    }

    fn choices(
        &self,
        kind: FieldKind,
        current: &[&str],
        records: impl FnOnce(Format) -> Vec<Choice>,
    ) -> Vec<Choice> {
        let custom = self.custom;
        let mut choices: Vec<Choice> = match custom.format {
            Format::List => custom
                .possible_values
                .iter()
                .map(|value| choice(value, value))
                .collect(),
            Format::Enumeration => custom
                .enumeration
                .iter()
                .filter(|value| value.2)
                .map(|(id, name, _)| choice(id, name))
                .collect(),
            Format::User | Format::Version => records(custom.format),
            Format::Bool => vec![choice("1", "yes"), choice("0", "no")],
            _ => Vec::new(),
        };
        if kind == FieldKind::Select {
            choices.insert(0, choice("", ""));
        }
        with_current(&mut choices, None);
        for value in current.iter().filter(|value| !value.is_empty()) {
            with_current(
                &mut choices,
                Some((
                    (*value).to_owned(),
                    custom_values::text_of(self.catalogue, custom, value),
                )),
            );
        }
        choices
    }
}

/// Returns the control of a field.
fn kind(custom: &CustomField) -> FieldKind {
    let has_choices = matches!(
        custom.format,
        Format::List | Format::Enumeration | Format::User | Format::Version
    );
    match custom.format {
        _ if has_choices && custom.multiple => FieldKind::Checkboxes,
        _ if has_choices => FieldKind::Select,
        Format::Bool => FieldKind::Select,
        Format::Text => FieldKind::LongText,
        Format::Date => FieldKind::Date,
        Format::Link => FieldKind::Url,
        Format::Integer => FieldKind::Integer,
        _ => FieldKind::Line,
    }
}

/// Returns the rows of the custom fields that the viewer may set on records of a project, such as
/// its versions.
pub fn rows_in_project(
    request: &RequestContext,
    catalogue: &Catalogue,
    (customized, object): (Customized, &'static str),
    project: ProjectId,
    values: &Values,
    sent: &Input,
) -> Vec<FormField> {
    let fields = settable_fields(catalogue, request.viewer(), customized, project);
    let rows = fields.into_iter().map(|custom| CustomFieldRow {
        catalogue,
        object,
        custom,
        values,
        form: sent,
    });
    rows.map(|row| row.to_field(|format| records(catalogue, project, format)))
        .collect()
}

/// Returns the rows of the custom fields of a new user.
pub fn rows_of_new_user(
    catalogue: &Catalogue,
    sent: &Input,
    is_for_administrator: bool,
) -> Vec<FormField> {
    let values = Values::defaults(catalogue.custom_fields_of(Customized::User));
    rows_of_user(catalogue, &values, sent, is_for_administrator)
}

/// Returns the rows of the custom fields of a user with these values. Users set those that everybody
/// sees and users may edit, an administrator all of them.
pub fn rows_of_user(
    catalogue: &Catalogue,
    values: &Values,
    sent: &Input,
    is_for_administrator: bool,
) -> Vec<FormField> {
    let fields = catalogue
        .custom_fields_of(Customized::User)
        .filter(|field| is_for_administrator || field.visible && field.editable);
    let rows = fields.map(|custom| CustomFieldRow {
        catalogue,
        object: "user",
        custom,
        values,
        form: sent,
    });
    // Nobody else is named to people who are not administrators.
    let users = |format| match format {
        Format::User if is_for_administrator => active_users(catalogue),
        _ => Vec::new(),
    };
    rows.map(|row| row.to_field(users)).collect()
}

fn active_users(catalogue: &Catalogue) -> Vec<Choice> {
    let users = catalogue.users.values();
    let mut choices: Vec<Choice> = users
        .filter(|user| user.status == UserStatus::Active)
        .map(|user| choice(user.id, &user.name))
        .collect();
    sort_by_label(&mut choices);
    choices
}

/// Returns the members of a project, or the versions that are shared with it.
fn records(catalogue: &Catalogue, project: ProjectId, format: Format) -> Vec<Choice> {
    match format {
        Format::User => assignable::list_members(catalogue, project)
            .into_iter()
            .map(|id| choice(id, catalogue.principal_name(id).unwrap_or_default()))
            .collect(),
        Format::Version => {
            let versions = catalogue.versions.values();
            let mut choices: Vec<Choice> = versions
                .filter(|version| catalogue.is_shared_with(version, project))
                .map(|version| choice(version.id, &version.name))
                .collect();
            sort_by_label(&mut choices);
            choices
        }
        _ => Vec::new(),
    }
}
