//! Comparison of two responses.
//!
//! The status is equal; 200 and 204 are the same for writes. Every recorded value is present with
//! the same value; objects may have more keys, and elements more children of other names. The order
//! of search results is free, and so is the body of an error where the recorded one is empty.
//! Values of the recorder's own day (a time of change, a new key) may differ.

use serde_json::{Value, json};

/// The day of the recording.
const RECORDED: &str = "2026-11-20";
/// Keys whose values differ from run to run in responses to writes.
const VOLATILE: [&str; 4] = [
    "updated_on",
    "created_on",
    "last_login_on",
    "passwd_changed_on",
];

/// The compared part of a response.
pub struct Response {
    pub status: u64,
    pub body: String,
}

/// Returns the first difference, if any; `Err` if the recorded response is neither JSON nor XML.
pub fn difference(
    method: &str,
    want: &Response,
    kind: &str,
    got: &Response,
) -> Result<Option<String>, ()> {
    let loose = matches!(method, "PUT" | "PATCH" | "DELETE")
        && [200, 204].contains(&want.status)
        && [200, 204].contains(&got.status);
    if want.status != got.status && !loose {
        let body: String = got.body.chars().take(120).collect();
        return Ok(Some(format!(
            "status {} is {} {body}",
            want.status, got.status
        )));
    }
    if loose || want.body.trim().is_empty() || want.body.starts_with("base64:") {
        return Ok(None);
    }
    let Some(expected) = read(&want.body, kind)? else {
        return Ok(None);
    };
    Ok(match read(&got.body, kind)? {
        Some(got) => values(&expected, &got, "", method != "GET"),
        None => Some("the body is of another kind".to_owned()),
    })
}

fn read(body: &str, kind: &str) -> Result<Option<Value>, ()> {
    match kind {
        kind if kind.contains("json") => Ok(serde_json::from_str(body).ok()),
        kind if kind.contains("xml") => Ok(roxmltree::Document::parse(body)
            .ok()
            .map(|document| tree(document.root_element()))),
        _ => Err(()),
    }
}

/// Converts an element to JSON, so that one comparison works for both formats.
fn tree(node: roxmltree::Node<'_, '_>) -> Value {
    let kids: Vec<Value> = node
        .children()
        .filter(roxmltree::Node::is_element)
        .map(tree)
        .collect();
    let attributes: serde_json::Map<String, Value> = node
        .attributes()
        .map(|a| (a.name().to_owned(), json!(a.value())))
        .collect();
    let text = if kids.is_empty() {
        node.text().unwrap_or_default().trim()
    } else {
        ""
    };
    json!({"tag": node.tag_name().name(), "attributes": attributes, "text": text, "kids": kids})
}

fn values(want: &Value, got: &Value, path: &str, fresh: bool) -> Option<String> {
    match (want, got) {
        (Value::Object(want), Value::Object(got)) => {
            want.iter().find_map(|(key, value)| match got.get(key) {
                None => Some(format!("{path}.{key} is missing")),
                Some(_) if fresh && VOLATILE.contains(&key.as_str()) => None,
                Some(found) => values(value, found, &format!("{path}.{key}"), fresh),
            })
        }
        (Value::Array(want), Value::Array(got)) if path == ".results" => results(want, got, fresh),
        (Value::Array(want), Value::Array(got))
            if path.ends_with(".kids") && want.len() < got.len() && !want.is_empty() =>
        {
            let got: Vec<Value> = got
                .iter()
                .filter(|kid| want.iter().any(|expected| expected["tag"] == kid["tag"]))
                .cloned()
                .collect();
            match want.len() == got.len() {
                true => values(&Value::from(want.clone()), &Value::from(got), path, fresh),
                false => Some(format!("{path}: {} are {}", want.len(), got.len())),
            }
        }
        (Value::Array(want), Value::Array(got)) if want.len() == got.len() => {
            let pairs = want.iter().zip(got).enumerate();
            pairs.into_iter().find_map(|(place, (want, got))| {
                values(want, got, &format!("{path}[{place}]"), fresh)
            })
        }
        (Value::Array(want), Value::Array(got)) => {
            Some(format!("{path}: {} are {}", want.len(), got.len()))
        }
        (Value::Number(want), Value::Number(got))
            if (want.as_f64()? - got.as_f64()?).abs() < 1e-6 =>
        {
            None
        }
        (Value::String(want), Value::String(got))
            if want.starts_with(RECORDED) && want.len() == got.len() && is_time(got) =>
        {
            None
        }
        (Value::String(want), Value::String(got))
            if fresh && path.ends_with("api_key") && is_key(want) && is_key(got) =>
        {
            None
        }
        _ if want == got => None,
        _ => Some(format!("{path}: {want} is {got}")),
    }
}

/// Returns whether a text is a date or a timestamp of the API.
fn is_time(text: &str) -> bool {
    let shape: String = text
        .chars()
        .map(|sign| if sign.is_ascii_digit() { '0' } else { sign })
        .collect();
    text.starts_with("20") && (shape == "0000-00-00" || shape == "0000-00-00T00:00:00Z")
}

fn is_key(text: &str) -> bool {
    text.len() == 40
        && text
            .bytes()
            .all(|sign| sign.is_ascii_digit() || (b'a'..=b'f').contains(&sign))
}

fn key_of(result: &Value) -> (String, Option<i64>) {
    (result["type"].to_string(), result["id"].as_i64())
}

fn named(from: &[Value], without: &[Value]) -> String {
    let left = from
        .iter()
        .map(key_of)
        .filter(|one| !without.iter().any(|other| key_of(other) == *one));
    left.take(4)
        .map(|(kind, id)| format!("{} {}", kind.trim_matches('"'), id.unwrap_or(0)))
        .collect::<Vec<_>>()
        .join(", ")
}

fn results(want: &[Value], got: &[Value], fresh: bool) -> Option<String> {
    let mut want = want.to_vec();
    let mut got = got.to_vec();
    want.sort_by_key(key_of);
    got.sort_by_key(key_of);
    if want.iter().map(key_of).ne(got.iter().map(key_of)) {
        return Some(format!(
            ".results: missing [{}], more [{}]",
            named(&want, &got),
            named(&got, &want)
        ));
    }
    want.iter()
        .zip(&got)
        .find_map(|(want, got)| values(want, got, ".result", fresh))
}
