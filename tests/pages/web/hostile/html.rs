//! What a page may consist of.

use scraper::node::Element;
use scraper::{Html, Node};
use std::collections::BTreeSet;

/// The elements that pages use.
const ELEMENTS: &[&str] = &[
    "html",
    "head",
    "meta",
    "title",
    "link",
    "script",
    "body",
    "header",
    "footer",
    "main",
    "nav",
    "section",
    "article",
    "aside",
    "div",
    "span",
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "a",
    "ul",
    "ol",
    "li",
    "dl",
    "dt",
    "dd",
    "table",
    "caption",
    "thead",
    "tbody",
    "tfoot",
    "tr",
    "th",
    "td",
    "colgroup",
    "col",
    "form",
    "label",
    "input",
    "button",
    "select",
    "optgroup",
    "option",
    "textarea",
    "fieldset",
    "legend",
    "datalist",
    "output",
    "details",
    "summary",
    "dialog",
    "menu",
    "b",
    "i",
    "u",
    "s",
    "em",
    "strong",
    "small",
    "mark",
    "del",
    "ins",
    "sub",
    "sup",
    "kbd",
    "code",
    "pre",
    "samp",
    "var",
    "q",
    "cite",
    "abbr",
    "blockquote",
    "br",
    "wbr",
    "hr",
    "img",
    "figure",
    "figcaption",
    "time",
    "meter",
    "progress",
    "svg",
    "use",
    "g",
    "path",
    "rect",
    "circle",
    "line",
    "polyline",
    "polygon",
    "defs",
    "pattern",
    "marker",
    "text",
    "desc",
    "data",
    "bdi",
];

/// Attributes with an address.
const ADDRESSES: &[&str] = &[
    "href",
    "src",
    "action",
    "formaction",
    "poster",
    "data",
    "cite",
    "background",
    "ping",
    "manifest",
    "srcset",
    "longdesc",
    "usemap",
    "xlink:href",
];

/// Returns what a page contains that it should not.
pub fn problems(html: &str) -> Vec<String> {
    let document = Html::parse_document(html);
    let mut problems = Vec::new();
    let mut ids = BTreeSet::new();
    let mut scripts = Vec::new();
    for node in document.tree.nodes() {
        let Node::Element(element) = node.value() else {
            continue;
        };
        let name = element.name();
        if !ELEMENTS.contains(&name) {
            problems.push(format!("the element {name}"));
        }
        let empty = node.children().next().is_none();
        if name == "script" {
            let file = element.attr("src").unwrap_or_default();
            let name = file.trim_start_matches("/static/").split('.').next();
            scripts.push(name.unwrap_or_default());
            if !empty
                || !element
                    .attr("src")
                    .is_some_and(|src| src.starts_with("/static/"))
            {
                problems.push(format!("a foreign script {element:?}"));
            }
        }
        if let Some(id) = element.id()
            && !ids.insert(id.to_owned())
        {
            problems.push(format!("the id {id} twice"));
        }
        problems.extend(
            element
                .attrs()
                .filter_map(|(attribute, value)| problem(element, attribute, value)),
        );
    }
    // Boards, the inbox and the palette have a second script.
    let allowed: [&[&str]; 4] = [
        &["quarry"],
        &["quarry", "board"],
        &["quarry", "commands"],
        &["quarry", "inbox"],
    ];
    if !allowed.contains(&scripts.as_slice()) {
        problems.push(format!("the scripts {scripts:?}"));
    }
    problems
}

fn problem(element: &Element, attribute: &str, value: &str) -> Option<String> {
    let fine = match attribute {
        "style" | "srcdoc" | "http-equiv" | "contenteditable" | "is" | "slot" | "nonce" => false,
        _ if attribute.starts_with("on") => false,
        _ if ADDRESSES.contains(&attribute) => may_lead_to(element, attribute, value),
        _ => true,
    };
    (!fine).then(|| format!("{attribute}={value:?} of {}", element.name()))
}

fn may_lead_to(element: &Element, attribute: &str, address: &str) -> bool {
    let is_local =
        address.starts_with('/') && !address.starts_with("//") && !address.starts_with("/\\")
            || address.starts_with('?');
    let is_external = ["https://", "http://", "ftp://", "//"]
        .iter()
        .any(|start| address.starts_with(start));
    match (element.name(), attribute) {
        // Other hosts learn nothing about the page and get no access to its window.
        ("a", "href") if is_external => element
            .attr("rel")
            .is_some_and(|rel| rel.split(' ').any(|rel| rel == "noopener")),
        ("a", "href") => is_local || address.starts_with('#') || address.starts_with("mailto:"),
        ("link", "href") if element.attr("rel") == Some("alternate") => is_local,
        ("link", "href") if address == "/manifest.webmanifest" => true,
        ("link" | "script" | "use", _) => address.starts_with("/static/"),
        ("img", "src") | ("form", "action") | ("button" | "input", "formaction") => is_local,
        _ => false,
    }
}

fn problems_in(body: &str) -> Vec<String> {
    problems(&format!(
        "<!doctype html><title>t</title><script src=\"/static/quarry.1a.js\"></script>{body}"
    ))
}

#[test]
fn checker_finds_what_does_not_belong_into_a_page() {
    assert_eq!(
        problems_in("<p>Fine <a href=\"/x\">x</a>"),
        Vec::<String>::new()
    );
    for bad in [
        "<script>1</script>",
        "<p onclick=1>",
        "<a href=\"java&#10;script:1\">",
        "<a href=data:text/html,1>",
        "<a href=//evil.test>",
        "<img src=https://evil.test/x>",
        "<iframe></iframe>",
        "<p style=x>",
        "<form action=https://evil.test>",
        "<p id=a><p id=a>",
        "<svg><animate /></svg>",
    ] {
        assert_eq!(
            problems_in(bad).len(),
            if bad.contains("<script") { 2 } else { 1 },
            "{bad}: {:?}",
            problems_in(bad)
        );
    }
}
