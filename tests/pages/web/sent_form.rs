//! A form of a page, with the fields that a browser sends when nobody touches it.

use quarry_world::Response;
use quarry_world::browser::Browser;
use scraper::{ElementRef, Html, Selector};

/// A form.
#[derive(Clone, Debug)]
pub struct Form {
    /// The path and query string to which it is sent.
    pub action: String,
    /// Whether it is sent by POST.
    pub is_post: bool,
    pub is_multipart: bool,
    /// Names and values, with CRLF as line endings, as browsers send them.
    pub fields: Vec<(String, String)>,
    /// The positions of the fields of texts that a person can type.
    pub texts: Vec<usize>,
    /// Whether a person can fill in anything.
    pub has_controls: bool,
}

/// Returns the forms of a page that are sent by POST.
pub fn forms(page: &Response, path: &str) -> Vec<Form> {
    let forms = all_forms(page, path).into_iter();
    forms.filter(|form| form.is_post).collect()
}

/// Returns the forms of a page, also those of filters and searches.
pub fn all_forms(page: &Response, path: &str) -> Vec<Form> {
    let document = Html::parse_document(&page.body);
    document
        .select(&selector("form"))
        .map(|form| read(&document, form, path))
        .collect()
}

/// Sends a form.
#[must_use = "assert the status"]
pub fn send(browser: &Browser<'_>, form: &Form) -> Response {
    if !form.is_multipart {
        let fields: Vec<(&str, &str)> = form
            .fields
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        return browser.post(&form.action, &fields);
    }
    let mut body = String::new();
    for (name, value) in &form.fields {
        body.push_str(&format!(
            "--frontier\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
        ));
    }
    body.push_str("--frontier--\r\n");
    browser.post_body(
        &form.action,
        "multipart/form-data; boundary=frontier",
        body.into_bytes(),
    )
}

fn read(document: &Html, form: ElementRef<'_>, path: &str) -> Form {
    let mut fields = Vec::new();
    let mut texts = Vec::new();
    let mut has_controls = false;
    let mut has_button = false;
    let id = attribute(form, "id");
    let all = selector("input, select, textarea, button");
    let own = document.select(&all).filter(|control| {
        let owner = control.value().attr("form");
        match owner {
            Some(owner) => owner == id,
            None => control.ancestors().any(|node| node.id() == form.id()),
        }
    });
    for control in own {
        let name = attribute(control, "name");
        let kind = match control.value().name() {
            "input" => attribute(control, "type").to_lowercase(),
            name => name.to_owned(),
        };
        has_controls |= !["hidden", "submit", "button", "image"].contains(&kind.as_str());
        // The first button is the one that the Enter key presses.
        let is_submit = kind == "submit"
            || kind == "button" && control.value().name() == "button" && {
                let kind = attribute(control, "type");
                kind.is_empty() || kind == "submit"
            };
        let is_pressed = is_submit && !has_button;
        has_button |= is_submit;
        if name.is_empty() || is_disabled(control) {
            continue;
        }
        let is_read_only = control.value().attr("readonly").is_some();
        if ["textarea", "text", ""].contains(&kind.as_str()) && !is_read_only {
            texts.push(fields.len());
        }
        match kind.as_str() {
            "select" => fields.extend(
                selected(control)
                    .into_iter()
                    .map(|value| (name.clone(), value)),
            ),
            "textarea" => fields.push((name, crlf(&control.text().collect::<String>()))),
            "checkbox" | "radio" => {
                if control.value().attr("checked").is_some() {
                    let value = control.value().attr("value").unwrap_or("on");
                    fields.push((name, value.to_owned()));
                }
            }
            "file" | "image" | "reset" => {}
            _ if is_submit => {
                if is_pressed {
                    fields.push((name, attribute(control, "value")));
                }
            }
            "button" => {}
            _ => fields.push((name, attribute(control, "value").replace(['\r', '\n'], ""))),
        }
    }
    let action = attribute(form, "action");
    Form {
        action: if action.is_empty() {
            path.to_owned()
        } else {
            action
        },
        is_post: attribute(form, "method").eq_ignore_ascii_case("post"),
        is_multipart: attribute(form, "enctype") == "multipart/form-data",
        fields,
        texts,
        has_controls,
    }
}

/// Returns the values that a list sends: the selected ones, or the first one of a list that is
/// folded.
fn selected(list: ElementRef<'_>) -> Vec<String> {
    let options: Vec<_> = list
        .select(&selector("option"))
        .filter(|option| option.value().attr("disabled").is_none())
        .collect();
    let value = |option: &ElementRef<'_>| match option.value().attr("value") {
        Some(value) => value.to_owned(),
        None => option.text().collect::<String>().trim().to_owned(),
    };
    let chosen: Vec<String> = options
        .iter()
        .filter(|option| option.value().attr("selected").is_some())
        .map(value)
        .collect();
    if list.value().attr("multiple").is_some() {
        chosen
    } else {
        chosen
            .last()
            .cloned()
            .or_else(|| options.first().map(value))
            .into_iter()
            .collect()
    }
}

fn is_disabled(control: ElementRef<'_>) -> bool {
    let is = |element: ElementRef<'_>| element.value().attr("disabled").is_some();
    is(control)
        || control
            .ancestors()
            .filter_map(ElementRef::wrap)
            .any(|parent| parent.value().name() == "fieldset" && is(parent))
}

/// Returns a text with the line breaks that browsers send.
fn crlf(text: &str) -> String {
    text.replace("\r\n", "\n")
        .replace('\r', "\n")
        .replace('\n', "\r\n")
}

fn attribute(element: ElementRef<'_>, name: &str) -> String {
    element.value().attr(name).unwrap_or_default().to_owned()
}

fn selector(text: &str) -> Selector {
    Selector::parse(text).unwrap()
}
