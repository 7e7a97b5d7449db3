//! What the fields of a form are made from.

use crate::actions::issues::Editable;
use crate::domain::catalogue::Catalogue;
use crate::domain::viewer::Viewer;
use crate::web::components::form_field::Choice;
use crate::wire::Input;

/// Maximum number of choices of a field.
const MAX_CHOICES: usize = 2000;

/// What the fields of a form are made from.
#[derive(Clone, Copy)]
pub struct FormContext<'f> {
    pub catalogue: &'f Catalogue,
    pub viewer: &'f Viewer,
    /// The issue with what was typed.
    pub editable: &'f Editable<'f>,
    /// What was typed; null when the form is new.
    pub form: &'f Input,
}

/// Creates a choice.
pub fn choice(value: impl ToString, label: impl Into<String>) -> Choice {
    Choice { value: value.to_string(), label: label.into() }
}

/// Adds the current value to the choices when it is not among them.
pub fn with_current(choices: &mut Vec<Choice>, current: Option<(String, String)>) {
    choices.truncate(MAX_CHOICES);
    if let Some((value, label)) = current.filter(|(value, _)| choices.iter().all(|choice| choice.value != *value)) {
        choices.push(Choice { value, label });
    }
}
