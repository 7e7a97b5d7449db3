//! A stylesheet reaches its own component or page only: each selector starts with a class or an id
//! that no other stylesheet starts with, and the class of a page is in templates of that page only.
//! `base.css` styles all pages.

use super::source::Source;
use std::collections::{BTreeMap, BTreeSet};

/// Elements that a stylesheet styles on all pages: the component is the element, or the selector
/// names one field.
const ELEMENTS: [(&str, &str); 8] = [
    ("src/web/components/chart/chart.css", "progress"),
    ("src/web/components/dialog/dialog.css", "dialog"),
    ("src/web/components/dialog/dialog.css", "dialog::backdrop"),
    ("src/web/components/field/field.css", "select"),
    ("src/web/components/field/field.css", "textarea"),
    ("src/web/components/field/field.css", "input[type=checkbox]"),
    ("src/web/components/field/field.css", "input[type=radio]"),
    (
        "src/web/content/wiki/wiki.css",
        "textarea[name=\"wiki_page[text]\"]",
    ),
];

/// Returns what reaches beyond its component or page. `templates` are the files that contain HTML.
pub fn violations(stylesheets: &[Source], templates: &[Source]) -> Vec<String> {
    let mut owners: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let mut violations = BTreeSet::new();
    for sheet in stylesheets
        .iter()
        .filter(|sheet| sheet.path != "src/web/base.css")
    {
        let path = sheet.path.as_str();
        for scope in selectors(&sheet.text).iter().flat_map(|rule| scopes(rule)) {
            if scope.starts_with(['.', '#']) {
                owners.entry(scope).or_default().insert(path);
            } else if !ELEMENTS.contains(&(path, &scope)) {
                violations.insert(format!("{path}: {scope} is on other pages too"));
            }
        }
    }
    let used: Vec<(&str, BTreeSet<String>)> = templates
        .iter()
        .map(|template| (template.path.as_str(), used_scopes(template)))
        .collect();
    for (scope, sheets) in owners {
        if sheets.len() > 1 {
            let sheets: Vec<&str> = sheets.iter().copied().collect();
            violations.insert(format!("{scope} is styled by {}", sheets.join(" and ")));
        }
        for sheet in sheets.iter().filter(|sheet| module(sheet) != "components") {
            for (template, _) in used.iter().filter(|(template, used)| {
                module(template) != module(sheet) && used.contains(&scope)
            }) {
                violations.insert(format!("{sheet}: {scope} is in {template} too"));
            }
        }
    }
    violations.into_iter().collect()
}

/// The template that links the stylesheet of views.
const VIEWS_STYLE: &str = "views_style.html";

/// Returns the pages that show something of the stylesheet of views and do not link it. `views` are
/// its parts.
pub fn pages_without_views_style(views: &[Source], templates: &[Source]) -> Vec<String> {
    let styled: BTreeSet<String> = views
        .iter()
        .flat_map(|sheet| selectors(&sheet.text))
        .flat_map(|rule| scopes(&rule))
        .filter(|scope| scope.starts_with(['.', '#']))
        .collect();
    let mut showing: BTreeSet<&str> = templates
        .iter()
        .filter(|template| !used_scopes(template).is_disjoint(&styled))
        .map(name)
        .collect();
    loop {
        let using = templates.iter().filter(|template| {
            let mut parts = showing.iter();
            parts.any(|part| template.text.contains(&format!("\"{part}\"")))
        });
        let using: BTreeSet<&str> = using.map(name).collect();
        if using.is_subset(&showing) {
            break;
        }
        showing.extend(using);
    }
    let pages = templates.iter().filter(|template| {
        showing.contains(name(template))
            && template.text.contains("{% extends \"")
            && !template.text.contains(VIEWS_STYLE)
    });
    pages.map(|template| template.path.clone()).collect()
}

/// Returns the name by which templates include a template.
fn name(template: &Source) -> &str {
    let path = template.path.as_str();
    path.strip_prefix("src/web/").unwrap_or(path)
}

/// Folders below `src/web` that have no pages themselves, but folders of pages.
const FAMILIES: [&str; 4] = ["accounts", "administration", "content", "notices"];

/// Returns the folder below `src/web` that a file is in: that of a page, or `components`.
fn module(path: &str) -> &str {
    let path = path.strip_prefix("src/web/").unwrap_or(path);
    let mut ends = path.match_indices(['/', '.']).map(|(end, _)| end);
    let first = ends.next().unwrap_or(path.len());
    if FAMILIES.contains(&&path[..first]) {
        &path[..ends.next().unwrap_or(path.len())]
    } else {
        &path[..first]
    }
}

/// Returns the selectors of a stylesheet, also those within `@media`.
fn selectors(css: &str) -> Vec<String> {
    let mut parts = css.split("/*");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(part.split_once("*/").map_or("", |(_, after)| after));
    }
    let mut selectors = Vec::new();
    let mut start = 0;
    for (index, character) in text.char_indices() {
        if character == '{' {
            let prelude = text[start..index].trim();
            // A percentage is a step of `@keyframes`.
            if !prelude.starts_with('@') && !prelude.ends_with('%') {
                selectors.extend(split(prelude, &[',']).into_iter().map(str::to_owned));
            }
        }
        if matches!(character, '{' | '}' | ';') {
            start = index + 1;
        }
    }
    selectors
}

/// Splits a text at the characters that are not within parentheses or brackets.
fn split<'a>(text: &'a str, separators: &[char]) -> Vec<&'a str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut depth = 0;
    for (index, character) in text.char_indices() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ if depth == 0 && separators.contains(&character) => {
                parts.push(text[start..index].trim());
                start = index + character.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// Returns what a selector is limited to: the first class or id of its first element, for each
/// alternative, or the element where it has neither.
fn scopes(selector: &str) -> Vec<String> {
    let first = split(selector, &[' ', '>', '+', '~'])[0];
    if let Some(alternatives) = first.strip_prefix(":is(").and_then(|f| f.strip_suffix(')')) {
        return split(alternatives, &[','])
            .into_iter()
            .flat_map(scopes)
            .collect();
    }
    let mut names = first.match_indices(['.', '#']);
    let Some((start, _)) = names.next() else {
        return vec![first.to_owned()];
    };
    let name = &first[start + 1..];
    let end = name
        .find(|character: char| !character.is_ascii_alphanumeric() && !"-_".contains(character))
        .unwrap_or(name.len());
    vec![first[start..=start + end].to_owned()]
}

/// Returns the classes and ids that a file with HTML gives to its elements.
fn used_scopes(template: &Source) -> BTreeSet<String> {
    let is_template = template.path.ends_with(".html");
    let mut text = template.text.replace("\\\"", "\"");
    for (start, end) in [("{%", "%}"), ("{{", "}}")] {
        while let Some((before, rest)) = text.split_once(start).filter(|_| is_template) {
            let after = rest.split_once(end).map_or("", |(_, after)| after);
            text = format!("{before} {after}");
        }
    }
    let mut used = BTreeSet::new();
    for (attribute, sign) in [("class=\"", '.'), ("id=\"", '#')] {
        for value in text.split(attribute).skip(1) {
            let value = value.split('"').next().unwrap_or_default();
            used.extend(value.split_whitespace().map(|name| format!("{sign}{name}")));
        }
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        Source {
            path: format!("src/web/{path}"),
            text: text.to_owned(),
        }
    }

    #[test]
    fn class_of_a_page_in_a_template_of_another_page_is_a_violation() {
        let sheet = source("search/search.css", ".choice { display: inline-flex }");
        let matrix = source(
            "components/matrix/matrix.html",
            "<td class=\"{% if a == \"b\" %}c{% endif %} choice\">",
        );
        let own = source("search/form.html", "<label class=\"choice\">");
        assert_eq!(
            violations(&[sheet], &[matrix, own]),
            ["src/web/search/search.css: .choice is in src/web/components/matrix/matrix.html too"]
        );
    }

    #[test]
    fn page_with_a_part_of_a_view_links_its_stylesheet() {
        let sheet = source("search/search.css", ".hit { margin: 0 }");
        let templates = [
            source("search/row.html", "<p class=\"hit\">"),
            source(
                "search/rows.html",
                "{% import \"search/row.html\" as row %}",
            ),
            source(
                "search/show.html",
                "{% extends \"layout.html\" %}{% include \"search/rows.html\" %}",
            ),
            source(
                "search/other.html",
                "{% extends \"layout.html\" %}{% include \"views_style.html\" %}<p class=\"hit\">",
            ),
            source(
                "home.html",
                "{% extends \"layout.html\" %}<p class=\"other\">",
            ),
        ];
        assert_eq!(
            pages_without_views_style(&[sheet], &templates),
            ["src/web/search/show.html"]
        );
    }

    #[test]
    fn class_that_two_stylesheets_start_with_is_a_violation() {
        let sheets = [
            source(
                "components/chips/chips.css",
                "/* { */ .chips { gap: 0 } .chip b { margin: 0 }",
            ),
            source(
                "issues/list/list.css",
                "@media (max-width: 1px) { .list:is(.a, .b), :is(.tools, ul.chips) .reset { margin: 0 } }",
            ),
        ];
        assert_eq!(
            violations(&sheets, &[]),
            [
                ".chips is styled by src/web/components/chips/chips.css and src/web/issues/list/list.css"
            ]
        );
    }

    #[test]
    fn element_of_all_pages_is_a_violation_outside_the_base() {
        let sheets = [
            source("base.css", "footer { margin: 0 } .muted { color: gray }"),
            source(
                "issues/show/show.css",
                "h1 .number { margin: 0 } main:has(> .issue-side) { margin: 0 } #description > p { margin: 0 }",
            ),
            source(
                "components/dialog/dialog.css",
                "dialog > form { margin: 0 }",
            ),
        ];
        assert_eq!(
            violations(&sheets, &[]),
            ["src/web/issues/show/show.css: h1 is on other pages too"]
        );
    }
}
