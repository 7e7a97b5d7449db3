//! Bodies in XML: requests are written from the same values as those in JSON, responses are
//! compared with those in JSON (compatibility 3.2).

use quarry_world::Response;
use roxmltree::{Document, Node};
use serde_json::Value;

/// Returns the document with the only entry of an object as root.
pub fn document(body: &Value) -> String {
    let entries = body.as_object().unwrap();
    assert_eq!(entries.len(), 1, "a document has one root");
    let mut text = String::new();
    entries
        .iter()
        .for_each(|(name, value)| element(&mut text, name, value));
    text
}

fn element(text: &mut String, name: &str, value: &Value) {
    let (attribute, content) = match value {
        Value::Null => (" nil=\"true\"", String::new()),
        Value::Bool(value) => (" type=\"boolean\"", value.to_string()),
        Value::Number(number) if number.is_i64() => (" type=\"integer\"", number.to_string()),
        Value::Number(number) => ("", number.to_string()),
        Value::String(value) => ("", value.replace('&', "&amp;").replace('<', "&lt;")),
        Value::Array(items) => {
            let mut content = String::new();
            items
                .iter()
                .for_each(|item| element(&mut content, "item", item));
            (" type=\"array\"", content)
        }
        Value::Object(entries) => {
            let mut content = String::new();
            entries
                .iter()
                .for_each(|(name, value)| element(&mut content, name, value));
            ("", content)
        }
    };
    text.push_str(&format!("<{name}{attribute}>{content}</{name}>"));
}

/// Returns how a response in XML differs from that in JSON. Both are empty, or the XML is a
/// document whose root is the first key of the object; of a successful read, it also has the same
/// content.
pub fn faults(json: &Response, xml: &Response, is_read: bool) -> Vec<String> {
    if json.body.is_empty() || xml.body.is_empty() {
        return if json.body == xml.body {
            Vec::new()
        } else {
            vec![format!("only one has a body: {}{}", json.body, xml.body)]
        };
    }
    if !xml.content_type().starts_with("application/xml") {
        return vec![format!("{} instead of XML", xml.content_type())];
    }
    let body: Value = serde_json::from_str(&json.body).unwrap();
    let entries = body.as_object().unwrap();
    let root = if entries.contains_key("errors") {
        "errors"
    } else {
        entries.keys().next().unwrap()
    };
    match Document::parse(&xml.body) {
        Ok(document) if !document.root_element().has_tag_name(root) => {
            vec![format!(
                "<{}> instead of <{root}>",
                document.root_element().tag_name().name()
            )]
        }
        Ok(document) if is_read && json.status == 200 => {
            let (record, totals) = entries
                .iter()
                .partition::<Vec<_>, _>(|(name, _)| *name == root);
            let fault = record
                .iter()
                .find_map(|(_, value)| difference(value, document.root_element()));
            fault
                .or_else(|| {
                    totals.iter().find_map(|(name, value)| {
                        field_difference(name, value, document.root_element())
                    })
                })
                .into_iter()
                .collect()
        }
        Ok(_) => Vec::new(),
        Err(error) => vec![format!("{error}: {}", xml.body)],
    }
}

/// Returns the first difference between a value and an element.
fn difference(value: &Value, element: Node<'_, '_>) -> Option<String> {
    let children: Vec<Node<'_, '_>> = element.children().filter(Node::is_element).collect();
    match value {
        Value::Object(entries) => entries
            .iter()
            .find_map(|(name, value)| field_difference(name, value, element)),
        Value::Array(items) if items.len() == children.len() => items
            .iter()
            .zip(children)
            .find_map(|(item, child)| difference(item, child)),
        Value::Array(items) => Some(format!(
            "<{}> has {} of {} items",
            element.tag_name().name(),
            children.len(),
            items.len()
        )),
        scalar => text_difference(
            scalar,
            element.tag_name().name(),
            element.text().unwrap_or_default(),
        ),
    }
}

/// Returns how a field of an object differs from the attribute or the child of that name.
fn field_difference(name: &str, value: &Value, element: Node<'_, '_>) -> Option<String> {
    match (
        element.attribute(name),
        element.children().find(|child| child.has_tag_name(name)),
    ) {
        (Some(text), _) => text_difference(value, name, text),
        (None, Some(child)) => difference(value, child),
        (None, None) => Some(format!("<{}> has no {name}", element.tag_name().name())),
    }
}

fn text_difference(scalar: &Value, name: &str, text: &str) -> Option<String> {
    let expected = match scalar {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    (expected != text).then(|| format!("{name} is {text:?} instead of {expected:?}"))
}

fn response(kind: &str, body: &str) -> Response {
    let headers = [(axum::http::header::CONTENT_TYPE, kind.parse().unwrap())]
        .into_iter()
        .collect();
    Response {
        status: 200,
        headers,
        body: body.to_owned(),
    }
}

fn compare(body: &str, xml: &str) -> Vec<String> {
    faults(
        &response("application/json", body),
        &response("application/xml", xml),
        true,
    )
}

#[test]
fn content_of_both_formats_is_compared() {
    let list =
        r#"{"issues":[{"id":1,"author":{"name":"a"},"note":null,"hours":1.0}],"total_count":1}"#;
    let same = r#"<issues total_count="1"><issue><id>1</id><author name="a"/><note/><hours>1.0</hours></issue></issues>"#;
    assert_eq!(compare(list, same), Vec::<String>::new());
    for (part, other, fault) in [
        ("<id>1</id>", "<id>2</id>", "id is \"2\" instead of \"1\""),
        ("<note/>", "", "<issue> has no note"),
        (" total_count=\"1\"", "", "<issues> has no total_count"),
        (
            "</issues>",
            "<issue/></issues>",
            "<issues> has 2 of 1 items",
        ),
        ("name=\"a\"", "", "<author> has no name"),
    ] {
        assert_eq!(compare(list, &same.replace(part, other)), [fault]);
    }
    assert_eq!(compare(list, "<list/>"), ["<list> instead of <issues>"]);
}
