//! The page before the form of a new field: which records get it, and what its values are.

use super::names::{TABS, Target, format_label, label};
use crate::components::form_field::{FieldKind, FormField, choice, typed};
use crate::components::form_page::FormPage;
use crate::frame::Frame;
use crate::prelude::*;
use quarry_domain::administration::custom_field::{Customized, Format};

/// The parameters of the form, as in Redmine.
const TYPE: &str = "type";
const FORMAT: &str = "custom_field[field_format]";

/// Returns the address of the form of a new field.
pub fn address(target: Target) -> String {
    format!(
        "/custom_fields/new?type={}&custom_field%5Bfield_format%5D={}",
        target.customized.type_name(),
        target.format.name()
    )
}

/// Returns what was chosen; `None` if something is missing, unknown or not possible.
pub fn target(request: &RequestContext) -> Option<Target> {
    let customized = customized(request)?;
    let format = format(request)?;
    customized
        .allows(format)
        .then_some(Target { customized, format })
}

fn customized(request: &RequestContext) -> Option<Customized> {
    Customized::from_name(&request.query_param(TYPE)?)
}

fn format(request: &RequestContext) -> Option<Format> {
    let name = typed(&request.query, FORMAT)?;
    Format::ALL.into_iter().find(|format| format.name() == name)
}

/// Returns the page, unless everything is chosen.
pub fn page(request: &RequestContext, db: &Read<'_>) -> Result<Option<Reply>, Error> {
    if target(request).is_some() {
        return Ok(None);
    }
    let customized = customized(request);
    let format = format(request);
    let types = TABS.map(|customized| choice(customized.type_name(), label(customized)));
    let formats = Format::ALL.map(|format| choice(format.name(), format_label(format)));
    let mut fields = vec![
        FormField::new(
            FieldKind::Select,
            TYPE,
            "Field of",
            customized.unwrap_or_default().type_name(),
        )
        .with_choices(types),
        FormField::new(
            FieldKind::Select,
            FORMAT,
            "Format",
            format.unwrap_or_default().name(),
        )
        .with_choices(formats)
        .with_hint(
            "The values of a list are texts. Named values can be renamed later, everywhere at once.",
        ),
    ];
    // Otherwise something is just not chosen yet.
    if customized.is_some() && format.is_some() {
        fields[1].error = Some(
            "Only issues, projects, versions, time entries and documents can have users and versions."
                .to_owned(),
        );
    }
    let frame = Frame::for_administration(request, db, "New custom field")
        .below("Custom fields", "/custom_fields");
    FormPage::new(frame, "/custom_fields/new", fields)
        .with_get()
        .with_paragraph("Neither can be changed later.")
        .with_submit("Continue")
        .with_cancel("/custom_fields")
        .render()
        .map(Some)
}
