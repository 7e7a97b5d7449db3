//! A form that was sent without a valid session: shown again, to be sent with one click.

use super::back_url;
use crate::form::form_merge::{self, ORIGINAL};
use crate::frame::{Frame, Width};
use crate::prelude::*;
use percent_encoding::percent_decode_str;
use quarry_domain::administration::custom_field::CustomField;
use quarry_http::{DROPPED_FILES, PostedForm};

/// What the names of custom fields have before their ids.
const CUSTOM_VALUES: &str = "[custom_field_values][";
/// Maximum number of its fields.
const MAX_FIELDS: usize = 500;
/// Fields with more characters than this and several words, or with several lines, are texts
/// whatever their names are.
const MAX_HIDDEN: usize = 40;
/// The last parts of the names of fields that are texts even if they are short.
const TEXT_NAMES: [&str; 9] = [
    "comments",
    "content",
    "description",
    "name",
    "notes",
    "subject",
    "summary",
    "text",
    "title",
];

/// A form that waits to be sent.
#[derive(Template)]
#[template(path = "accounts/sessions/resume.html")]
pub struct ResumePage {
    /// The frame; its token is that of the session.
    pub frame: Frame,
    /// Recovery codes of a second factor that was set up during the login.
    pub codes: Vec<String>,
    path: String,
    /// Whether the user has just logged in.
    has_logged_in: bool,
    /// Whether the form had files, which are not kept.
    had_files: bool,
    texts: Vec<LabelledField>,
    hidden: Vec<Field>,
}

struct LabelledField {
    label: String,
    name: String,
    value: String,
}

struct Field {
    name: String,
    value: String,
}

impl Field {
    /// Returns the last part of the name: `notes` of `issue[notes]`.
    fn last_name(&self) -> &str {
        let mut parts = self.name.split(['[', ']']);
        parts.rfind(|part| !part.is_empty()).unwrap_or_default()
    }

    /// Returns the label for people. Custom fields that the viewer may not see have their ids.
    fn label(&self, catalogue: &Catalogue, viewer: &Viewer) -> String {
        let name = self.last_name();
        if self.name.contains(CUSTOM_VALUES) {
            let is_custom = |field: &&CustomField| field.id.to_string() == name;
            let custom = catalogue.custom_fields.iter().find(is_custom);
            let visible = custom.filter(|field| field.is_visible_somewhere(viewer));
            return visible.map_or_else(
                || format!("Custom field {name}"),
                |field| field.name.clone(),
            );
        }
        match name.chars().next() {
            Some(first) if first.is_ascii_lowercase() => {
                format!("{}{}", first.to_ascii_uppercase(), &name[1..]).replace('_', " ")
            }
            _ => "Text".to_owned(),
        }
    }

    fn is_text(&self) -> bool {
        let value = self.value.as_str();
        let is_long = value.chars().count() > MAX_HIDDEN && value.contains(char::is_whitespace);
        let is_short = TEXT_NAMES.contains(&self.last_name()) && !value.trim().is_empty();
        value.contains('\n') || is_long || is_short
    }
}

/// Returns the page of the form for the viewer.
pub fn resume_page(
    frame: Frame,
    form: &PostedForm,
    csrf_token: String,
    has_logged_in: bool,
    catalogue: &Catalogue,
    viewer: &Viewer,
) -> ResumePage {
    let mut frame = frame.with_width(Width::Narrow);
    frame.title = "Send what you wrote".to_owned();
    frame.csrf_token = Some(csrf_token);
    let (texts, hidden) = written_fields(form);
    let texts = texts.into_iter().map(|field| LabelledField {
        label: field.label(catalogue, viewer),
        name: field.name,
        value: field.value,
    });
    let had_files = hidden.iter().any(|field| field.name == DROPPED_FILES);
    let hidden = hidden
        .into_iter()
        .filter(|field| field.name != DROPPED_FILES)
        .collect();
    let path = back_url::target(&form.path).to_owned();
    ResumePage {
        frame,
        codes: Vec::new(),
        path,
        has_logged_in,
        had_files,
        texts: texts.collect(),
        hidden,
    }
}

/// Splits the fields of a form into the texts that somebody has written and all others: what the
/// form carried along, and texts that are as the form was opened.
fn written_fields(form: &PostedForm) -> (Vec<Field>, Vec<Field>) {
    const CARRIED: [&str; 3] = [ORIGINAL, "back_url", DROPPED_FILES];
    let fields = fields(&form.body);
    let original = fields.iter().find(|field| field.name == ORIGINAL);
    let original = original.map_or_else(String::new, |field| field.value.clone());
    let original = form_merge::OriginalValues::parse(&original);
    fields.into_iter().partition(|field| {
        field.is_text()
            && !CARRIED.contains(&field.name.as_str())
            && !original.has(&field.name, &field.value)
    })
}

/// Returns the texts that somebody has written in a form.
pub fn written_texts(form: &PostedForm) -> Vec<String> {
    let (texts, _) = written_fields(form);
    texts.into_iter().map(|field| field.value).collect()
}

/// Returns the form that the login form carries.
pub fn posted_form(body: &Input) -> Option<PostedForm> {
    Some(PostedForm {
        path: field(body, "posted_path")?,
        body: field(body, "posted_body")?,
    })
}

fn field(body: &Input, name: &str) -> Option<String> {
    body.get(name)
        .and_then(Input::as_text)
        .map(|text| text.into_owned())
}

/// Returns the fields of a form, without its token.
fn fields(body: &str) -> Vec<Field> {
    let fields = body
        .split('&')
        .take(MAX_FIELDS)
        .filter_map(|field| field.split_once('='));
    let fields = fields.map(|(name, value)| Field {
        name: decode(name),
        value: decode(value).replace("\r\n", "\n"),
    });
    fields
        .filter(|field| field.name != "authenticity_token")
        .collect()
}

fn decode(text: &str) -> String {
    percent_decode_str(&text.replace('+', " "))
        .decode_utf8_lossy()
        .into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::form_field::{FieldKind, FormField};
    use quarry_http::resources::paths;

    #[test]
    fn what_somebody_wrote_is_shown_and_what_was_there_is_not() {
        let catalogue = Catalogue::default();
        let viewer = Viewer::new(&catalogue, None);
        let texts = |body: &str| {
            let form = PostedForm {
                path: "/issues/1".to_owned(),
                body: body.to_owned(),
            };
            let (texts, _) = written_fields(&form);
            let texts = texts.into_iter();
            let pairs = texts.map(|field| (field.label(&catalogue, &viewer), field.value));
            pairs.collect::<Vec<_>>()
        };
        let opened = [
            FormField::new(FieldKind::Line, "issue[subject]", "Subject", "As it was"),
            FormField::new(
                FieldKind::LongText,
                "issue[description]",
                "Description",
                "a\nb",
            ),
        ];
        let original = paths::encode(&form_merge::original(&opened));
        let form = "issue[subject]=As+it+was&issue[description]=a%0D%0Ab&issue[notes]=Done";
        let pair = |label: &str, value: &str| (label.to_owned(), value.to_owned());
        let written = texts(&format!("{form}&original={original}"));
        assert_eq!(written, [pair("Notes", "Done")]);
        let subject = pair("Subject", "As it was");
        let description = pair("Description", "a\nb");
        assert_eq!(texts(form), [subject, description, pair("Notes", "Done")]);
    }

    #[test]
    fn fields_are_decoded_without_the_token() {
        let fields = fields("issue%5Bnotes%5D=a+%C3%A4%0D%0Ab&authenticity_token=x&empty=&flag");
        let pairs: Vec<(&str, &str)> = fields
            .iter()
            .map(|field| (field.name.as_str(), field.value.as_str()))
            .collect();
        assert_eq!(pairs, [("issue[notes]", "a ä\nb"), ("empty", "")]);
    }
}
