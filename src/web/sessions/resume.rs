//! A form that was sent without a valid session: shown again, to be sent with one click.

use super::back_url;
use crate::frame::{Frame, Width};
use askama::Template;
use percent_encoding::percent_decode_str;
use quarry_http::{DROPPED_FILES, PostedForm};
use quarry_wire::Input;

/// Maximum number of its fields.
const MAX_FIELDS: usize = 500;
/// Fields with more characters than this and several words, or with several lines, are shown as
/// text areas.
const MAX_HIDDEN: usize = 40;

/// A form that waits to be sent.
#[derive(Template)]
#[template(path = "sessions/resume.html")]
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
    texts: Vec<Field>,
    hidden: Vec<Field>,
}

struct Field {
    name: String,
    value: String,
}

/// Returns the page of the form.
pub fn resume_page(
    frame: Frame,
    form: &PostedForm,
    csrf_token: String,
    has_logged_in: bool,
) -> ResumePage {
    let mut frame = frame.with_width(Width::Narrow);
    frame.title = "Send what you wrote".to_owned();
    frame.csrf_token = Some(csrf_token);
    let (texts, hidden): (Vec<Field>, Vec<Field>) = fields(&form.body)
        .into_iter()
        .partition(|field| is_text(&field.value));
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
        texts,
        hidden,
    }
}

fn is_text(value: &str) -> bool {
    let is_long = value.chars().count() > MAX_HIDDEN && value.contains(char::is_whitespace);
    value.contains('\n') || is_long
}

/// Returns the texts that somebody has written in a form, without what the form carried along.
pub fn written_texts(form: &PostedForm) -> Vec<String> {
    const CARRIED: [&str; 3] = ["original", "back_url", DROPPED_FILES];
    let fields = fields(&form.body).into_iter();
    let written =
        fields.filter(|field| is_text(&field.value) && !CARRIED.contains(&field.name.as_str()));
    written.map(|field| field.value).collect()
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
