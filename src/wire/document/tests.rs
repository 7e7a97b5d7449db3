//! The exact bytes of every document in compatibility 3.2, and round trips of any text through both
//! writers.

use jiff::Timestamp;
use jiff::civil::date;
use proptest::prelude::*;

use super::*;

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>"#;

/// Writes an object in both formats and compares the bytes.
fn assert_object(describe: impl Fn(&mut Fields), json: &str, xml: &str) {
    assert_eq!(
        object(Format::Json, "issue", &describe),
        format!(r#"{{"issue":{json}}}"#)
    );
    assert_eq!(
        object(Format::Xml, "issue", &describe),
        format!("{HEAD}{xml}")
    );
}

#[test]
fn references_are_attributes_in_xml() {
    assert_object(
        |w| {
            w.field("id", 7);
            w.reference("project", 1, "Public Alpha");
            w.nested("status", |w| {
                w.attribute("id", 1);
                w.attribute("name", "New");
                w.attribute("is_closed", false);
            });
            w.maybe_reference("assigned_to", None);
            w.maybe_reference("category", Some((3, "Engine")));
            w.nested("parent", |w| w.attribute("id", 7));
            w.nested("wiki", |w| w.attribute("title", "Wiki"));
        },
        r#"{"id":7,"project":{"id":1,"name":"Public Alpha"},"status":{"id":1,"name":"New","is_closed":false},"category":{"id":3,"name":"Engine"},"parent":{"id":7},"wiki":{"title":"Wiki"}}"#,
        r#"<issue><id>7</id><project id="1" name="Public Alpha"/><status id="1" name="New" is_closed="false"/><category id="3" name="Engine"/><parent id="7"/><wiki title="Wiki"/></issue>"#,
    );
}

#[test]
fn null_is_an_empty_element_tag_and_the_empty_text_is_not() {
    assert_object(
        |w| {
            w.field("due_date", None::<jiff::civil::Date>);
            w.field("homepage", "");
            w.maybe("mail", None::<&str>);
            w.maybe("login", Some("alice"));
        },
        r#"{"due_date":null,"homepage":"","login":"alice"}"#,
        r#"<issue><due_date/><homepage></homepage><login>alice</login></issue>"#,
    );
    assert_object(|_| {}, "{}", "<issue/>");
}

#[test]
fn scalars() {
    let at: Timestamp = "2024-01-14T09:00:05.987Z".parse().unwrap();
    assert_object(
        |w| {
            w.field("hours", 10.0);
            w.field("none", 0.0);
            w.field("third", 3.333333);
            w.field("nan", f64::NAN);
            w.field("done", true);
            w.field("start_date", date(2024, 3, 1));
            w.field("created_on", at);
            w.field("closed_on", Some(at));
            w.field("size", u64::MAX);
            w.field("least", i64::MIN);
        },
        r#"{"hours":10.0,"none":0.0,"third":3.333333,"nan":null,"done":true,"start_date":"2024-03-01","created_on":"2024-01-14T09:00:05Z","closed_on":"2024-01-14T09:00:05Z","size":18446744073709551615,"least":-9223372036854775808}"#,
        r#"<issue><hours>10.0</hours><none>0.0</none><third>3.333333</third><nan/><done>true</done><start_date>2024-03-01</start_date><created_on>2024-01-14T09:00:05Z</created_on><closed_on>2024-01-14T09:00:05Z</closed_on><size>18446744073709551615</size><least>-9223372036854775808</least></issue>"#,
    );
}

#[test]
fn floats_have_no_exponent_at_ordinary_magnitudes() {
    for (number, expected) in [
        (-0.0, "0.0"),
        (-2.5, "-2.5"),
        (0.00001, "0.00001"),
        (1e15, "1000000000000000.0"),
        (1e16, "1e16"),
        (f64::INFINITY, "null"),
    ] {
        let json = object_without_root(|w| w.field("n", number));
        assert_eq!(json, format!("{{\"n\":{expected}}}"));
    }
}

/// Writes a list of issues with only their ids.
fn issues(format: Format, ids: &[i64], meta: &[Meta]) -> String {
    list(
        format,
        "issues",
        "issue",
        ids,
        |w, id| w.field("id", id),
        meta,
    )
}

#[test]
fn list_metadata_is_attributes_in_xml_and_trailing_keys_in_json() {
    let meta = [
        Meta::Integer("total_count", 46),
        Meta::Integer("offset", 0),
        Meta::Integer("limit", 25),
        Meta::Group("counts", vec![("issues", 3), ("wiki_pages", 0)]),
    ];
    assert_eq!(
        issues(Format::Json, &[1, 2], &meta),
        r#"{"issues":[{"id":1},{"id":2}],"total_count":46,"offset":0,"limit":25,"counts":{"issues":3,"wiki_pages":0}}"#
    );
    assert_eq!(
        issues(Format::Xml, &[1, 2], &meta),
        format!(
            r#"{HEAD}<issues total_count="46" offset="0" limit="25" counts_issues="3" counts_wiki_pages="0" type="array"><issue><id>1</id></issue><issue><id>2</id></issue></issues>"#
        )
    );
    assert_eq!(issues(Format::Json, &[], &[]), r#"{"issues":[]}"#);
    assert_eq!(
        issues(Format::Xml, &[], &[]),
        format!(r#"{HEAD}<issues type="array"></issues>"#)
    );
}

#[test]
fn custom_fields() {
    assert_object(
        |w| {
            w.items("custom_fields", "custom_field", [1, 2, 3], |w, id| {
                w.attribute("id", id);
                w.attribute("name", format!("Field {id}"));
                match id {
                    1 => w.field("value", "b"),
                    2 => {
                        w.attribute("multiple", true);
                        w.texts("value", "value", ["Linux", "BeOS"]);
                    }
                    _ => w.field("value", None::<&str>),
                }
            });
        },
        r#"{"custom_fields":[{"id":1,"name":"Field 1","value":"b"},{"id":2,"name":"Field 2","multiple":true,"value":["Linux","BeOS"]},{"id":3,"name":"Field 3","value":null}]}"#,
        r#"<issue><custom_fields type="array"><custom_field id="1" name="Field 1"><value>b</value></custom_field><custom_field id="2" name="Field 2" multiple="true"><value type="array"><value>Linux</value><value>BeOS</value></value></custom_field><custom_field id="3" name="Field 3"><value/></custom_field></custom_fields></issue>"#,
    );
}

#[test]
fn items_with_attributes_and_fields() {
    assert_object(
        |w| {
            w.items("attachments", "attachment", [0; 0], |_, _| {});
            w.items(
                "relations",
                "relation",
                [(1, None::<i32>)],
                |w, (id, delay)| {
                    w.attribute("id", id);
                    w.attribute("delay", delay);
                },
            );
            w.items("journals", "journal", [5], |w, id| {
                w.attribute("id", id);
                w.reference("user", 6, "Bob");
                w.items("details", "detail", ["attr"], |w, property| {
                    w.attribute("property", property);
                    w.field("old_value", None::<&str>);
                    w.field("new_value", "2");
                });
            });
            w.texts("permissions", "permission", [""; 0]);
        },
        r#"{"attachments":[],"relations":[{"id":1,"delay":null}],"journals":[{"id":5,"user":{"id":6,"name":"Bob"},"details":[{"property":"attr","old_value":null,"new_value":"2"}]}],"permissions":[]}"#,
        r#"<issue><attachments type="array"></attachments><relations type="array"><relation id="1" delay=""/></relations><journals type="array"><journal id="5"><user id="6" name="Bob"/><details type="array"><detail property="attr"><old_value/><new_value>2</new_value></detail></details></journal></journals><permissions type="array"></permissions></issue>"#,
    );
}

#[test]
fn recursive_items() {
    struct Child(i64, Vec<Child>);
    fn child(w: &mut Fields, Child(id, children): &Child) {
        w.attribute("id", id);
        if !children.is_empty() {
            w.items("children", "issue", children, child);
        }
    }
    let tree = [Child(2, vec![Child(3, vec![])])];
    assert_object(
        |w| w.items("children", "issue", &tree, child),
        r#"{"children":[{"id":2,"children":[{"id":3}]}]}"#,
        r#"<issue><children type="array"><issue id="2"><children type="array"><issue id="3"/></children></issue></children></issue>"#,
    );
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "attribute id after a field")]
fn attribute_after_a_field_panics() {
    object_without_root(|w| {
        w.field("subject", "x");
        w.attribute("id", 1);
    });
}

#[test]
fn errors_and_objects_without_root() {
    let errors = ["Subject cannot be blank", "a < b"];
    assert_eq!(
        texts(Format::Json, "errors", "error", &errors),
        r#"{"errors":["Subject cannot be blank","a \u003c b"]}"#
    );
    assert_eq!(
        texts(Format::Xml, "errors", "error", &errors),
        format!(
            r#"{HEAD}<errors type="array"><error>Subject cannot be blank</error><error>a &lt; b</error></errors>"#
        )
    );
    let none: [&str; 0] = [];
    assert_eq!(
        texts(Format::Json, "errors", "error", &none),
        r#"{"errors":[]}"#
    );
    let body = object_without_root(|w| {
        w.field("error", "invalid_grant");
        w.texts("scopes", "scope", ["search"]);
    });
    assert_eq!(body, r#"{"error":"invalid_grant","scopes":["search"]}"#);
    assert_eq!(object_without_root(|_| {}), "{}");
}

#[test]
fn escapes() {
    let text = "a\"b\\c\n\r\t\u{8}\u{c}\u{1}\u{1f}\u{7f}<>&'é€\u{2028}\u{2029}“\u{fffe}ｆ";
    assert_eq!(
        object_without_root(|w| w.field("t", text)),
        "{\"t\":\"a\\\"b\\\\c\\n\\r\\t\\b\\f\\u0001\\u001f\u{7f}\\u003c\\u003e\\u0026'é€\\u2028\\u2029“\u{fffe}ｆ\"}"
    );
    let xml = object(Format::Xml, "x", |w| {
        w.attribute("a", text);
        w.field("t", text);
    });
    assert_eq!(
        xml,
        format!(
            "{HEAD}<x a=\"a&quot;b\\c&#10;&#13;&#9;\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{7f}&lt;&gt;&amp;'é€\u{2028}\u{2029}“\u{fffd}ｆ\">\
             <t>a\"b\\c\n\r\t\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{7f}&lt;&gt;&amp;'é€\u{2028}\u{2029}“\u{fffd}ｆ</t></x>"
        )
    );
}

/// Returns any text, with characters that need an escape more often than others.
fn text() -> impl Strategy<Value = String> {
    let tricky = proptest::sample::select(
        "\0\u{1}\t\n\r\"'<>&]\\\u{7f}\u{85}\u{2028}\u{2029}\u{fffd}\u{fffe}\u{ffff}\u{10ffff}"
            .chars()
            .collect::<Vec<_>>(),
    );
    proptest::collection::vec(prop_oneof![any::<char>(), tricky], 0..24)
        .prop_map(|characters| characters.into_iter().collect())
}

fn timestamp() -> impl Strategy<Value = Timestamp> {
    let range = Timestamp::MIN.as_second()..Timestamp::MAX.as_second();
    (range, 0..1_000_000_000).prop_map(|(second, nano)| Timestamp::new(second, nano).unwrap())
}

proptest! {
    #![proptest_config(proptest::test_runner::Config::default())]

    #[test]
    fn json_reads_back(a in text(), b in text(), n: i64, u: u64, f: f64) {
        let body = list(Format::Json, "root", "item", [&a], |w, a| {
            w.attribute("a", a);
            w.field("b", &b);
            w.field("n", n);
            w.field("u", u);
            w.field("f", f);
            w.texts("l", "i", [a, &b]);
        }, &[]);
        let read: serde_json::Value = serde_json::from_str(&body).unwrap();
        let item = &read["root"][0];
        prop_assert_eq!(item["a"].as_str(), Some(a.as_str()));
        prop_assert_eq!(item["b"].as_str(), Some(b.as_str()));
        prop_assert_eq!(item["n"].as_i64(), Some(n));
        prop_assert_eq!(item["u"].as_u64(), Some(u));
        // serde_json without float_roundtrip is exact to one unit in the last place.
        let spelled = body.split("\"f\":").nth(1).and_then(|rest| rest.split(',').next()).unwrap();
        prop_assert_eq!(spelled.parse::<f64>().unwrap(), f);
        prop_assert!(item["f"].is_f64());
        prop_assert_eq!(item["l"][1].as_str(), Some(b.as_str()));
    }

    #[test]
    fn xml_reads_back(a in text(), b in text()) {
        let body = list(Format::Xml, "root", "item", [&a], |w, a| {
            w.attribute("a", a);
            w.field("b", &b);
            w.texts("l", "i", [&a]);
        }, &[Meta::Integer("total_count", 1)]);
        let document = roxmltree::Document::parse(&body).unwrap();
        let item = document.root_element().first_element_child().unwrap();
        prop_assert_eq!(item.attribute("a").unwrap(), sanitized(&a));
        // roxmltree keeps some of the carriage returns that a parser should convert to line breaks.
        let read = item.first_element_child().unwrap().text().unwrap_or("");
        prop_assert_eq!(with_line_feeds(read), with_line_feeds(&b));
        // The same with our own parser, which is quick_xml.
        let read = crate::from_xml(body.as_bytes()).unwrap();
        let item = &read.get("root").unwrap().as_list().unwrap()[0];
        prop_assert_eq!(item.get("a").unwrap().as_text().unwrap(), sanitized(&a));
        let read = item.get("b").and_then(crate::Input::as_text).unwrap_or_default();
        prop_assert_eq!(read, with_line_feeds(&b));
    }

    #[test]
    fn timestamps_are_written_as_by_jiff(at in timestamp()) {
        let expected = at.to_string();
        let whole = expected.split('.').next().unwrap().trim_end_matches('Z').to_owned() + "Z";
        let body = object_without_root(|w| w.field("t", at));
        prop_assert_eq!(body, format!("{{\"t\":\"{whole}\"}}"));
    }
}

/// Replaces characters that XML does not allow.
fn sanitized(text: &str) -> String {
    let characters = text.chars();
    characters
        .map(|c| {
            if xml_writer::is_allowed(c) {
                c
            } else {
                '\u{fffd}'
            }
        })
        .collect()
}

/// Returns a sanitized text with the line breaks that an XML parser returns.
fn with_line_feeds(text: &str) -> String {
    sanitized(text).replace("\r\n", "\n").replace('\r', "\n")
}

/// Writes a page of items with a text each.
fn page(format: Format, texts: &[&str], max_bytes: usize, always: bool) -> String {
    let meta = [
        Meta::Integer("total_count", 9),
        Meta::Page {
            limit: 25,
            always,
            max_bytes,
        },
    ];
    list(
        format,
        "items",
        "item",
        texts,
        |w, text| w.field("t", *text),
        &meta,
    )
}

#[test]
fn page_ends_before_the_item_that_exceeds_its_size() {
    let three = &["aa", "bb", "cc"];
    // Each item has ten bytes, and a comma from the second on.
    let whole = r#"{"items":[{"t":"aa"},{"t":"bb"},{"t":"cc"}],"total_count":9,"limit":25}"#;
    assert_eq!(page(Format::Json, three, 32, true), whole);
    let cut = r#"{"items":[{"t":"aa"},{"t":"bb"}],"total_count":9,"limit":2}"#;
    assert_eq!(
        (
            page(Format::Json, three, 31, true),
            page(Format::Json, three, 21, false)
        ),
        (cut.to_owned(), cut.to_owned())
    );
    let one = r#"{"items":[{"t":"aa"}],"total_count":9,"limit":1}"#;
    assert_eq!(
        (
            page(Format::Json, three, 20, true),
            page(Format::Json, three, 0, true)
        ),
        (one.to_owned(), one.to_owned())
    );
    assert_eq!(
        page(Format::Json, &["aa"], 0, false),
        r#"{"items":[{"t":"aa"}],"total_count":9}"#
    );
    let xml = page(Format::Xml, three, 50, false);
    assert!(
        xml.ends_with("<items total_count=\"9\" limit=\"2\" type=\"array\"><item><t>aa</t></item><item><t>bb</t></item></items>"),
        "{xml}"
    );
}

fn write_id(w: &mut Fields, id: &i64) {
    w.attribute("id", *id);
}

#[test]
fn parts_of_a_split_object_add_up_to_the_object() {
    for format in [Format::Json, Format::Xml] {
        for count in 0..4 {
            let ids: Vec<i64> = (0..count).collect();
            let at_once = object(format, "root", |w| {
                w.field("a", 1);
                w.items("items", "item", &ids, write_id);
                w.field("b", 2);
            });
            let (head, tail) = split_object(format, "root", |w| {
                w.field("a", 1);
                w.deferred_items("items");
                w.field("b", 2);
            });
            let (first, rest) = ids.split_at(ids.len().min(1));
            let parts = items(format, "item", true, first, write_id)
                + &items(format, "item", false, rest, write_id);
            assert_eq!(head + &parts + &tail, at_once);
        }
    }
}

#[test]
fn error_documents_have_the_same_content_in_both_formats() {
    let sentences = ["no <such> thing"];
    let json = r#"{"status":404,"error":"Not Found","errors":["no \u003csuch\u003e thing"]}"#;
    assert_eq!(
        error_document(Format::Json, 404, "Not Found", &sentences),
        json
    );
    let errors = "<errors type=\"array\"><error>no &lt;such&gt; thing</error></errors>";
    let xml = format!(
        "{HEAD}<hash><status type=\"integer\">400</status><error>Bad Request</error>{errors}</hash>"
    );
    assert_eq!(
        error_document(Format::Xml, 400, "Bad Request", &sentences),
        xml
    );
    assert_eq!(
        error_document(Format::Xml, 404, "Not Found", &sentences),
        format!("{HEAD}{errors}")
    );
}
