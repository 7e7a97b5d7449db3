//! Templates in the form for a new issue: what a chosen template, or the default one of the
//! tracker, fills in.

use super::state::View;
use crate::components::form_field::{FormField, typed};
use quarry_domain::ids::TrackerId;
use quarry_domain::issues::template::IssueTemplate;
use quarry_domain::values::text::is_blank;
use quarry_wire::Input;

/// The parameter with the id of the chosen template.
pub const ID: &str = "template_id";

/// Fills in the subject and the description of the form from a template of the project. Text that
/// was typed stays; only text of another template is replaced.
pub fn fill(
    templates: &[IssueTemplate],
    (form, view, tracker): (&Input, View, TrackerId),
    subject: Option<&mut FormField>,
    description: Option<&mut FormField>,
) {
    let chosen = typed(form, ID).and_then(|text| text.trim().parse::<i64>().ok());
    let is_chosen = |template: &&IssueTemplate| Some(template.id.0) == chosen;
    let is_default = |template: &&IssueTemplate| template.is_default && template.tracker == tracker;
    let template = match view {
        View::WithTemplate => templates.iter().find(is_chosen),
        View::New | View::Refreshed => templates.iter().find(is_default),
        View::WithSimilar | View::Refused => return,
    };
    let is_of_template = |value: &str, text: fn(&IssueTemplate) -> &str| {
        let value = value.replace("\r\n", "\n");
        templates
            .iter()
            .any(|template| text(template).replace("\r\n", "\n").trim() == value.trim())
    };
    let (new_subject, new_description) = match template {
        Some(template) => (template.subject.as_str(), template.description.as_str()),
        // The text of the tracker before does not belong to this one.
        None if view == View::Refreshed => ("", ""),
        None => return,
    };
    if let Some(field) = subject {
        let is_free =
            is_blank(&field.value) || is_of_template(&field.value, |template| &template.subject);
        if is_free {
            field.value = new_subject.to_owned();
        } else if view == View::WithTemplate && !field.value.starts_with(new_subject) {
            field.value.insert_str(0, new_subject);
        }
    }
    if let Some(field) = description {
        let is_free = is_blank(&field.value)
            || is_of_template(&field.value, |template| &template.description);
        if is_free {
            field.value = new_description.to_owned();
        } else if view == View::WithTemplate && !new_description.is_empty() {
            field.value = format!("{}\n\n{new_description}", field.value.trim_end());
        }
    }
}
