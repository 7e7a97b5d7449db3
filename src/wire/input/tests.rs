//! Trees and errors of literal requests.

use super::*;

fn text(value: &str) -> Input {
    Input::Text(value.to_owned())
}

fn number(value: &str) -> Input {
    Input::Number(value.to_owned())
}

fn map<const N: usize>(entries: [(&str, Input); N]) -> Input {
    Input::Map(
        entries
            .map(|(name, value)| (name.to_owned(), value))
            .to_vec(),
    )
}

fn list<const N: usize>(items: [Input; N]) -> Input {
    Input::List(items.to_vec())
}

fn query(query: &str) -> Input {
    from_query(query).unwrap()
}

fn json(body: &str) -> Input {
    from_json(body.as_bytes()).unwrap()
}

fn xml(body: &str) -> Input {
    from_xml(body.as_bytes()).unwrap()
}

fn error_message(result: Result<Input, BadInput>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn three_formats_parse_to_the_same_tree() {
    let tree = map([("a", map([("b", list([text("c")]))]))]);
    assert_eq!(query("a[b][]=c"), tree);
    assert_eq!(query("a%5Bb%5D%5B%5D=c"), tree);
    assert_eq!(json(r#"{"a":{"b":["c"]}}"#), tree);
    assert_eq!(xml(r#"<a><b type="array"><b>c</b></b></a>"#), tree);
}

#[test]
fn accessors() {
    let input = json(r#"{"issue":{"subject":"x","subject":"y","n":1.50,"b":true,"z":null}}"#);
    assert_eq!(input.at(&["issue", "subject"]), Some(&text("y")));
    assert_eq!(input.at(&["issue", "subject", "deeper"]), None);
    assert_eq!(input.at(&["issue", "n"]).unwrap().as_text().unwrap(), "1.5");
    assert_eq!(
        input.at(&["issue", "b"]).unwrap().as_text().unwrap(),
        "true"
    );
    assert!(input.at(&["issue", "z"]).unwrap().is_null());
    assert_eq!(input.at(&["issue", "z"]).unwrap().as_text(), None);
    assert_eq!(input.entries().len(), 1);
    assert!(input.as_list().is_none() && input.is_map());
    assert!(text(" \n").is_blank() && list([]).is_blank() && !Input::Bool(false).is_blank());
    assert_eq!(list([]).kind(), "a list");
}

#[test]
fn queries() {
    assert_eq!(query(""), map([]));
    assert_eq!(query("&&=x&"), map([]));
    assert_eq!(
        query("q=a+b%2Bc%C3%A9&flag"),
        map([("q", text("a b+cé")), ("flag", Input::Null)])
    );
    assert_eq!(
        query("a=1&b=2&a=3"),
        map([("a", text("3")), ("b", text("2"))])
    );
    assert_eq!(
        query("f[]=status_id&f[]=&op[status_id]=o&v[status_id][]=1"),
        map([
            ("f", list([text("status_id"), text("")])),
            ("op", map([("status_id", text("o"))])),
            ("v", map([("status_id", list([text("1")]))])),
        ])
    );
    assert_eq!(
        query("a[][x]=1&a[][y]=2&a[][x]=3"),
        map([(
            "a",
            list([
                map([("x", text("1")), ("y", text("2"))]),
                map([("x", text("3"))])
            ])
        )])
    );
    assert_eq!(
        query("a[][x][]=1&a[][x][]=2"),
        map([("a", list([map([("x", list([text("1"), text("2")]))])]))])
    );
    assert_eq!(query("a[b=1&]=2&a]=3&[c]=4&d[e]f=5").entries().len(), 5);
    assert_eq!(
        from_form(b"issue[subject]=x").unwrap(),
        query("issue[subject]=x")
    );
}

#[test]
fn bad_queries() {
    assert_eq!(
        error_message(from_query("ok=1&q=100%")),
        "parameter `q`: a `%` must be followed by two hexadecimal digits"
    );
    assert_eq!(
        error_message(from_query("q=%ff")),
        "parameter `q`: it is not valid UTF-8"
    );
    assert!(error_message(from_query("%zz=1")).starts_with("parameter `%zz`: "));
    assert!(error_message(from_form(b"a\xff=1")).starts_with("parameter `a\u{fffd}`: "));
    for conflict in [
        "a=1&a[b]=2",
        "a[b]=1&a=2",
        "a[]=1&a=2",
        "a[]=1&a[b]=2",
        "a[b]=1&a[]=2",
    ] {
        assert!(
            error_message(from_query(conflict)).contains("two shapes"),
            "{conflict}"
        );
    }
    let nested = "[b]".repeat(16);
    assert!(from_query(&format!("a{nested}=1")).is_ok());
    assert!(error_message(from_query(&format!("a{nested}[b]=1"))).contains("nest too deep"));
    assert!(from_query(&"a=1&".repeat(1000)).is_ok());
    assert_eq!(
        error_message(from_query(&"a=1&".repeat(1001))),
        "more than 1000 parameters"
    );
    assert!(error_message(from_query(&format!("{}=%", "n".repeat(5000)))).len() < 150);
}

#[test]
fn json_values() {
    assert_eq!(
        json(r#" {"a":[null,true,-1,18446744073709551615,8.0,0.1],"b":{}} "#),
        map([
            (
                "a",
                list([
                    Input::Null,
                    Input::Bool(true),
                    number("-1"),
                    number("18446744073709551615"),
                    number("8.0"),
                    number("0.1")
                ])
            ),
            ("b", map([])),
        ])
    );
    assert_eq!(json("[1]"), list([number("1")]));
    assert_eq!(json("\u{feff}\"\\u00e9\""), text("é"));
}

fn json_error(body: &[u8]) -> String {
    error_message(from_json(body))
}

#[test]
fn bad_json() {
    assert_eq!(
        json_error(b"{\n  \"a\": 1,\n  \"b\" 2}"),
        "line 3, column 7: expected `:`"
    );
    assert_eq!(
        json_error(b"{\"a\":1 \"b\":2}"),
        "line 1, column 8: expected `,` or `}`"
    );
    assert_eq!(
        json_error("{\"é\":x}".as_bytes()),
        "line 1, column 6: expected value"
    );
    assert_eq!(
        json_error(b""),
        "line 1, column 1: the body ends inside a value"
    );
    assert_eq!(
        json_error(b"{\"a\":\n[1"),
        "line 2, column 3: the body ends inside a list"
    );
    assert_eq!(json_error(b"{} x"), "line 1, column 4: trailing characters");
    assert_eq!(
        json_error(b"{\"a\":\"\xff\"}"),
        "line 1, column 7: this byte is not valid UTF-8"
    );
    assert!(json_error(b"{\"a\":1e999}").ends_with("number out of range"));
    assert!(json_error(br#""\ud800""#).starts_with("line 1, column "));
    let nested = "[".repeat(32) + &"]".repeat(32);
    assert!(from_json(nested.as_bytes()).is_ok());
    let nested = format!("[{nested}]");
    assert!(json_error(nested.as_bytes()).ends_with("nested deeper than 32 levels"));
    assert!(json_error("[".repeat(100_000).as_bytes()).contains("nested deeper"));
    let many = "1,".repeat(49_998);
    assert!(from_json(format!("[{many}1]").as_bytes()).is_ok());
    assert!(json_error(format!("[{many}1,1]").as_bytes()).ends_with("more than 50000 values"));
}

/// Returns the value of `<issue>` with this content.
fn issue(content: &str) -> Input {
    let document = xml(&format!("<issue>{content}</issue>"));
    document.get("issue").cloned().unwrap()
}

#[test]
fn xml_values() {
    assert_eq!(xml("<user_id>5</user_id>"), map([("user_id", text("5"))]));
    assert_eq!(
        issue("<subject></subject><a/>"),
        map([("subject", Input::Null), ("a", Input::Null)])
    );
    assert_eq!(
        issue(
            "\n <watcher_user_ids type=\"array\">\n <watcher_user_id>6</watcher_user_id>\n <m>7</m></watcher_user_ids>\n"
        ),
        map([("watcher_user_ids", list([text("6"), text("7")]))])
    );
    assert_eq!(
        issue(r#"<ids type="array" count="0"> </ids>"#),
        map([("ids", list([]))])
    );
    assert_eq!(
        issue(
            r#"<custom_field id="1"><value>zz</value></custom_field><status id="2" name="a&#10;&lt;b"/>"#
        ),
        map([
            (
                "custom_field",
                map([("id", text("1")), ("value", text("zz"))])
            ),
            ("status", map([("id", text("2")), ("name", text("a\n<b"))])),
        ])
    );
    assert_eq!(
        issue(
            r#"<a nil="true">x</a><b type="boolean"> 1 </b><c type="integer">12</c><d type="float">8.50</d><e type="date">2024-01-01</e><f type="string"/><g type="integer"/>"#
        ),
        map([
            ("a", Input::Null),
            ("b", Input::Bool(true)),
            ("c", number("12")),
            ("d", number("8.50")),
            ("e", text("2024-01-01")),
            ("f", text("")),
            ("g", Input::Null),
        ])
    );
    assert_eq!(
        issue(
            "<notes>a &lt;b&gt; &amp;&quot;&apos; &#233;<!-- c --><?pi x?><![CDATA[ <&amp; ]]>\r\nz</notes>"
        ),
        map([("notes", text("a <b> &\"' é <&amp; \nz"))])
    );
    assert_eq!(issue("<a> </a>"), map([("a", text(" "))]));
    assert_eq!(issue(r#"<a id="1">text</a>"#), map([("a", text("text"))]));
    assert_eq!(
        issue("<assigned-to-id>5</assigned-to-id>"),
        map([("assigned_to_id", text("5"))])
    );
    assert_eq!(
        xml(
            "\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- x --><a xmlns=\"u\" xmlns:x=\"v\" x:y=\"w\"/>\n"
        ),
        map([("a", Input::Null)])
    );
}

fn xml_error(body: &str) -> String {
    error_message(from_xml(body.as_bytes()))
}

#[test]
fn bad_xml() {
    assert_eq!(
        xml_error("<issue>\n  <a></issue>"),
        "line 2, column 6: expected `</a>`, but `</issue>` was found"
    );
    assert_eq!(xml_error(""), "line 1, column 1: there is no root element");
    assert_eq!(xml_error("<a>"), "line 1, column 4: `<a>` is not closed");
    assert_eq!(
        xml_error("<a/><b/>"),
        "line 1, column 5: a second root element"
    );
    assert_eq!(
        xml_error("<a/>\nx"),
        "line 1, column 5: text outside the root element"
    );
    assert_eq!(
        xml_error("&#32;<a/>"),
        "line 1, column 1: text outside the root element"
    );
    assert_eq!(
        xml_error("<![CDATA[ ]]><a/>"),
        "line 1, column 1: text outside the root element"
    );
    assert_eq!(
        xml_error("<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>"),
        "line 1, column 1: a DOCTYPE is not accepted"
    );
    assert_eq!(
        xml_error("<a>é&nbsp;</a>"),
        "line 1, column 5: the entity `&nbsp;` is not accepted"
    );
    assert!(xml_error("<a b='&x;'/>").starts_with("line 1, column 1: "));
    assert_eq!(
        xml_error("<a>&#1;</a>"),
        "line 1, column 4: the character U+0001 is not allowed in XML"
    );
    assert!(xml_error("<a>&#0;</a>").starts_with("line 1, column 4: "));
    assert!(xml_error("<a>\u{b}</a>").ends_with("the character U+000B is not allowed in XML"));
    assert!(xml_error("<a>a & b</a>").starts_with("line 1, column 6: "));
    assert_eq!(
        xml_error("<?xml version=\"1.0\" encoding=\"latin2\"?><a/>"),
        "line 1, column 1: the encoding `latin2` is not accepted, send UTF-8"
    );
    assert!(xml_error("<a><?xml version=\"1.0\"?></a>").ends_with("must come first"));
    assert_eq!(
        error_message(from_xml(b"<a>\n\xff</a>")),
        "line 2, column 1: this byte is not valid UTF-8"
    );
    assert_eq!(
        xml_error("<a>x<b/></a>"),
        "line 1, column 1: `<a>` mixes text with elements"
    );
    assert!(xml_error("<a type='array'>x</a>").ends_with("mixes text with elements"));
    assert_eq!(
        xml_error("<a>\n<b type='integer'>x1</b></a>"),
        "line 2, column 1: `x1` in `<b>` is not of type integer"
    );
    assert!(xml_error("<b type='boolean'>yes</b>").ends_with("is not of type boolean"));
    assert!(xml_error("<b type='float'>inf</b>").ends_with("is not of type float"));
    assert_eq!(
        xml_error("<a b=1/>"),
        "line 1, column 6: the value of an attribute must be quoted"
    );
    assert_eq!(
        xml_error("<a b='1' b='2'/>"),
        "line 1, column 10: an attribute is repeated"
    );
    assert!(xml_error("<a b='<'/>").ends_with("attribute `b` contains `<`"));
    assert!(xml_error("<1/>").ends_with("`1` is not a name"));
    assert!(xml_error("<a").starts_with("line 1, column 1: tag not closed"));
    assert!(xml_error("</a>").starts_with("line 1, column 1: "));
    let nested = "<a>".repeat(32) + &"</a>".repeat(32);
    assert!(from_xml(nested.as_bytes()).is_ok());
    assert!(xml_error(&format!("<a>{nested}</a>")).ends_with("nested deeper than 32 levels"));
    let many = "<a/>".repeat(49_999);
    assert!(from_xml(format!("<r>{many}</r>").as_bytes()).is_ok());
    assert!(
        xml_error(&format!("<r>{many}<a/></r>"))
            .ends_with("more than 50000 elements and attributes")
    );
    let attributes: String = (0..65).map(|n| format!(" a{n}=''")).collect();
    assert!(xml_error(&format!("<a{attributes}/>")).ends_with("more than 64 attributes"));
}
