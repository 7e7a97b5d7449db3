//! A row of a form as a view model: for forms whose fields depend on the record and the viewer.

mod row;

use quarry_domain::validation::ValidationErrors;
use quarry_domain::values::stable_sort::StableSort;
use quarry_wire::Input;

/// Maximum number of choices of a field.
const MAX_CHOICES: usize = 2000;

/// The attribute of the current password of the viewer, which sensitive changes need.
pub const OWN_PASSWORD: &str = "own_password";

/// The control of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// A line of text.
    Line,
    /// A day.
    Date,
    /// A whole number.
    Integer,
    /// A whole number between two bounds.
    Number {
        min: i64,
        max: i64,
    },
    /// An address.
    Url,
    File,
    /// Text of many lines.
    LongText,
    /// One of some choices.
    Select,
    /// One of few choices, all of them visible.
    Radios,
    /// Any number of some choices.
    Checkboxes,
    /// On or off.
    Switch,
    /// A mail address.
    Email,
    /// The current password of the viewer.
    Password,
    /// A password that is set.
    NewPassword,
    /// Nothing that people see.
    Hidden,
}

impl FieldKind {
    /// Returns the name by which the template chooses the control.
    pub fn name(self) -> &'static str {
        match self {
            FieldKind::Line
            | FieldKind::Integer
            | FieldKind::Number { .. }
            | FieldKind::Date
            | FieldKind::Url
            | FieldKind::File
            | FieldKind::Email
            | FieldKind::Password
            | FieldKind::NewPassword => "input",
            FieldKind::LongText => "textarea",
            FieldKind::Select => "select",
            FieldKind::Radios => "radios",
            FieldKind::Checkboxes => "checkboxes",
            FieldKind::Switch => "switch",
            FieldKind::Hidden => "hidden",
        }
    }

    /// Whether browsers show it as an input of a single line.
    pub fn is_single_line(self) -> bool {
        self.name() == "input"
    }

    /// Whether its value is a whole number.
    pub fn is_integer(self) -> bool {
        self == FieldKind::Integer
    }

    /// Returns the `type` of its input.
    pub fn input_type(self) -> &'static str {
        match self {
            FieldKind::Date => "date",
            FieldKind::Number { .. } => "number",
            FieldKind::Url => "url",
            FieldKind::File => "file",
            FieldKind::Email => "email",
            FieldKind::Password | FieldKind::NewPassword => "password",
            _ => "text",
        }
    }

    /// Returns the least and the greatest number.
    pub fn bounds(self) -> Option<(i64, i64)> {
        match self {
            FieldKind::Number { min, max } => Some((min, max)),
            _ => None,
        }
    }

    /// Whether its control is shorter than the form.
    pub fn is_short(self) -> bool {
        matches!(self, FieldKind::Number { .. } | FieldKind::Password)
    }

    /// Whether its value is never sent back to the browser.
    pub fn is_secret(self) -> bool {
        matches!(
            self,
            FieldKind::Password | FieldKind::NewPassword | FieldKind::File
        )
    }

    /// Returns the `autocomplete` of a password; `None` for other fields.
    fn autocomplete(self) -> Option<&'static str> {
        match self {
            FieldKind::Password => Some("current-password"),
            FieldKind::NewPassword => Some("new-password"),
            _ => None,
        }
    }

    /// Whether it usually needs the whole width.
    fn is_wide(self) -> bool {
        matches!(
            self,
            FieldKind::LongText | FieldKind::Checkboxes | FieldKind::Radios
        )
    }
}

/// A choice of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What the form sends.
    pub value: String,
    pub label: String,
}

/// Creates a choice.
pub fn choice(value: impl ToString, label: impl Into<String>) -> Choice {
    Choice {
        value: value.to_string(),
        label: label.into(),
    }
}

/// Sorts choices by their labels, ignoring case.
pub fn sort_by_label(choices: &mut [Choice]) {
    choices.stable_sort_by_key(|choice| choice.label.to_lowercase());
}

/// Limits the number of choices, and adds the current value when it is not among them.
pub fn with_current(choices: &mut Vec<Choice>, current: Option<(String, String)>) {
    choices.truncate(MAX_CHOICES);
    if let Some((value, label)) =
        current.filter(|(value, _)| choices.iter().all(|choice| choice.value != *value))
    {
        choices.push(Choice { value, label });
    }
}

/// A row of a form.
#[derive(Clone, Debug)]
pub struct FormField {
    /// The name in the form, such as `issue[status_id]`; of several choices with `[]`.
    pub name: String,
    /// The id in the page, which is the name if no other field has it.
    pub id: String,
    pub label: String,
    /// The attribute that it edits, as validation errors name it.
    pub attribute: String,
    /// Its control.
    pub kind: FieldKind,
    /// The value; several ones are separated by line breaks.
    pub value: String,
    pub choices: Vec<Choice>,
    /// What to know before filling it in.
    pub hint: String,
    /// The message about the value.
    pub error: Option<String>,
    /// The value that somebody else has saved meanwhile.
    pub saved: Option<String>,
    /// Whether it needs the whole width.
    pub is_wide: bool,
    /// Whether it must have a value.
    pub is_required: bool,
    /// What a browser may fill in, as in `autocomplete`.
    pub autocomplete: Option<&'static str>,
    /// Whether it has the focus when the page is shown.
    pub has_focus: bool,
    /// The address that renders its value, for markup.
    pub preview: Option<String>,
    /// The address that suggests issues while somebody types.
    pub suggest: Option<String>,
    /// The id of the field whose choices a search for its value narrows while somebody types.
    pub narrows: Option<&'static str>,
}

impl FormField {
    /// Creates a field of the attribute that its name ends with.
    pub fn new(
        kind: FieldKind,
        name: impl Into<String>,
        label: impl Into<String>,
        value: impl Into<String>,
    ) -> FormField {
        let name = name.into();
        FormField {
            attribute: attribute_of(&name),
            id: name.clone(),
            name,
            label: label.into(),
            kind,
            value: value.into(),
            choices: Vec::new(),
            hint: String::new(),
            error: None,
            saved: None,
            is_wide: kind.is_wide(),
            is_required: false,
            autocomplete: kind.autocomplete(),
            has_focus: false,
            preview: None,
            suggest: None,
            narrows: None,
        }
    }

    /// Offers a preview of the markup, which this address renders.
    #[must_use]
    pub fn with_preview(self, path: impl Into<String>) -> FormField {
        FormField {
            preview: Some(path.into()),
            ..self
        }
    }

    /// Says what a browser may fill in, as in `autocomplete`.
    #[must_use]
    pub fn with_autocomplete(self, autocomplete: &'static str) -> FormField {
        FormField {
            autocomplete: Some(autocomplete),
            ..self
        }
    }

    /// Narrows the choices of the field with this id while somebody types: the form is sent with
    /// `do=search`.
    #[must_use]
    pub fn narrowing(self, id: &'static str) -> FormField {
        FormField {
            narrows: Some(id),
            ..self
        }
    }

    /// Gives it the focus when the page is shown.
    #[must_use]
    pub fn focused(self) -> FormField {
        FormField {
            has_focus: true,
            ..self
        }
    }

    /// Creates the field of the current password of the viewer, which sensitive changes need.
    pub fn own_password(hint: impl Into<String>) -> FormField {
        FormField::new(FieldKind::Password, "password", "Your password", "")
            .with_attribute(OWN_PASSWORD)
            .with_hint(hint)
    }

    /// Sets the attribute where the name does not end with it.
    #[must_use]
    pub fn with_attribute(self, attribute: impl Into<String>) -> FormField {
        FormField {
            attribute: attribute.into(),
            ..self
        }
    }

    /// Adds choices.
    #[must_use]
    pub fn with_choices(mut self, choices: impl IntoIterator<Item = Choice>) -> FormField {
        self.choices.extend(choices);
        self
    }

    /// Adds what to know before filling it in.
    #[must_use]
    pub fn with_hint(self, hint: impl Into<String>) -> FormField {
        FormField {
            hint: hint.into(),
            ..self
        }
    }

    /// Makes it need a value.
    #[must_use]
    pub fn required(self) -> FormField {
        FormField {
            is_required: true,
            ..self
        }
    }

    /// Whether this choice is selected.
    pub fn is_selected(&self, choice: &Choice) -> bool {
        match self.kind {
            FieldKind::Checkboxes => self.value.split('\n').any(|value| value == choice.value),
            _ => self.value == choice.value,
        }
    }

    /// Returns the ids of the texts that describe it, for `aria-describedby`.
    pub fn described_by(&self) -> Option<String> {
        let parts = [
            ("saved", self.saved.is_some()),
            ("error", self.error.is_some()),
            ("hint", !self.hint.is_empty()),
        ];
        let ids: Vec<String> = parts
            .iter()
            .filter(|part| part.1)
            .map(|part| format!("{}-{}", self.id, part.0))
            .collect();
        (!ids.is_empty()).then(|| ids.join(" "))
    }

    /// Whether something about it needs attention.
    pub fn is_invalid(&self) -> bool {
        self.error.is_some() || self.saved.is_some()
    }
}

/// Returns the attribute of a name in a form: `status_id` of `issue[status_id]`, and
/// `custom_field_values.3` of `issue[custom_field_values][3][]`.
fn attribute_of(name: &str) -> String {
    let parts: Vec<&str> = name
        .split(['[', ']'])
        .filter(|part| !part.is_empty())
        .collect();
    match parts.as_slice() {
        [_, attribute @ ..] if !attribute.is_empty() => attribute.join("."),
        [attribute] => (*attribute).to_owned(),
        _ => name.to_owned(),
    }
}

/// Gives each error to the field of its attribute. Returns the sentences of the others.
pub fn assign_errors<'f>(
    fields: impl Iterator<Item = &'f mut FormField>,
    errors: ValidationErrors,
) -> Vec<String> {
    let mut fields: Vec<&mut FormField> = fields.collect();
    let mut others = Vec::new();
    for error in errors {
        let field = fields
            .iter_mut()
            .find(|field| field.kind != FieldKind::Hidden && error.is_about(&field.attribute));
        match field {
            Some(field) if field.error.is_none() => field.error = Some(error.to_string()),
            Some(_) => {}
            None => others.push(error.to_string()),
        }
    }
    others
}

/// Returns what a form has for a field, several values separated by line breaks; `None` when it
/// does not have the field.
pub fn typed(form: &Input, name: &str) -> Option<String> {
    let path: Vec<&str> = name
        .split(['[', ']'])
        .filter(|part| !part.is_empty())
        .collect();
    match form.at(&path)? {
        Input::List(items) => {
            let texts: Vec<_> = items
                .iter()
                .filter_map(Input::as_text)
                .filter(|text| !text.is_empty())
                .collect();
            Some(texts.join("\n"))
        }
        Input::Map(_) => None,
        value => Some(value.as_text().unwrap_or_default().into_owned()),
    }
}

#[cfg(test)]
mod tests;
