//! The markup of a row of a form.

use super::FormField;
use askama::Template;

/// A row of a form: a template of its own, which is compiled once and not into each page.
#[derive(Template)]
#[template(path = "components/form_field/row.html")]
pub struct Row<'f> {
    field: &'f FormField,
}

impl FormField {
    /// Returns its markup.
    pub fn row(&self) -> Row<'_> {
        Row { field: self }
    }
}
