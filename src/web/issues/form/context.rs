//! What the fields of a form are made from.

use crate::actions::issues::Editable;
use crate::domain::catalogue::Catalogue;
use crate::domain::viewer::Viewer;
use crate::wire::Input;

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
