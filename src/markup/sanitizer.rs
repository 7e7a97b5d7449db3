//! Sanitizes the rendered HTML: only elements, attributes, classes and addresses that the renderer
//! itself writes pass.
//!
//! The renderer escapes all text; this guards against defects of it.

use super::elements::ELEMENTS;
use super::url;
use ammonia::{Builder, UrlRelative};
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Elements that pass besides [`ELEMENTS`].
const OTHER_ELEMENTS: [&str; 6] = ["cite", "input", "label", "samp", "section", "small"];
/// Classes that the renderer gives; no other class passes.
const CLASSES: [&str; 68] = [
    "align-center",
    "align-justify",
    "align-left",
    "align-right",
    "anchor",
    "attachment",
    "changeset",
    "closed",
    "code",
    "document",
    "done",
    "edit-section",
    "external",
    "float-left",
    "float-right",
    "footnote",
    "footnote-back",
    "footnote-ref",
    "footnotes",
    "forum",
    "issue",
    "left",
    "message",
    "missing",
    "news",
    "plain-text",
    "project",
    "right",
    "source",
    "table-scroll",
    "task",
    "toc",
    "user",
    "version",
    "wiki-page",
    "hl-attribute",
    "hl-comment",
    "hl-constant",
    "hl-deleted",
    "hl-function",
    "hl-inserted",
    "hl-keyword",
    "hl-meta",
    "hl-number",
    "hl-property",
    "hl-string",
    "hl-tag",
    "hl-type",
    "hl-variable",
    "text-black",
    "text-blue",
    "text-brown",
    "text-gray",
    "text-green",
    "text-grey",
    "text-maroon",
    "text-navy",
    "text-olive",
    "text-orange",
    "text-purple",
    "text-red",
    "text-silver",
    "text-teal",
    "text-white",
    "text-yellow",
    "valign-bottom",
    "valign-middle",
    "valign-top",
];

static SANITIZER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let attributes: [(&str, &[&str]); 11] = [
        (
            "a",
            &["href", "title", "rel", "id", "aria-hidden", "tabindex"],
        ),
        ("abbr", &["title"]),
        ("img", &["src", "alt", "title", "loading"]),
        ("input", &["checked", "disabled"]),
        ("ol", &["start"]),
        ("td", &["colspan", "rowspan"]),
        ("th", &["colspan", "rowspan", "scope"]),
        ("pre", &["tabindex"]),
        ("div", &["tabindex"]),
        ("li", &["id"]),
        ("p", &["id"]),
    ];
    let headings =
        ["h1", "h2", "h3", "h4", "h5", "h6"].map(|heading| (heading, HashSet::from(["id"])));
    let attributes =
        attributes.map(|(element, names)| (element, names.iter().copied().collect::<HashSet<_>>()));
    let elements: HashSet<&str> = ELEMENTS.into_iter().chain(OTHER_ELEMENTS).collect();
    let mut builder = Builder::empty();
    builder
        .tag_attributes(attributes.into_iter().chain(headings).collect())
        .tag_attribute_values(HashMap::from([(
            "input",
            HashMap::from([("type", HashSet::from(["checkbox"]))]),
        )]))
        .allowed_classes(
            elements
                .iter()
                .map(|element| (*element, HashSet::from(CLASSES)))
                .collect(),
        )
        .tags(elements)
        .clean_content_tags(HashSet::from(["script", "style"]))
        .url_schemes(HashSet::from(url::SCHEMES))
        .url_relative(UrlRelative::PassThrough)
        .link_rel(None)
        .strip_comments(true);
    builder
});

/// Returns the HTML without anything that the renderer does not write.
pub(super) fn sanitize(html: &str) -> String {
    SANITIZER.clean(html).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_handlers_styles_and_foreign_classes_are_removed() {
        for (html, clean) in [
            ("<script>alert(1)</script>a", "a"),
            (
                "<p onclick=\"alert(1)\" style=\"color:red\" class=\"issue flash\">a</p>",
                "<p class=\"issue\">a</p>",
            ),
            ("<a href=\"javascript:alert(1)\">a</a>", "<a>a</a>"),
            ("<a href=\"data:text/html,x\">a</a>", "<a>a</a>"),
            (
                "<img src=\"data:image/png;base64,x\" alt=\"a\">",
                "<img alt=\"a\">",
            ),
            (
                "<input type=\"password\" name=\"p\"><form action=\"/\">a</form><iframe src=\"/\"></iframe>",
                "<input>a",
            ),
            (
                "<svg><script>alert(1)</script></svg><math><mi>a</mi></math>b",
                "b",
            ),
        ] {
            assert_eq!(sanitize(html), clean, "{html:?}");
        }
    }
}
