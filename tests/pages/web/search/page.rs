//! What a search page shows, read out of its HTML.

use quarry_world::Response;
use std::collections::BTreeMap;

/// A value of a facet: its name, its count, and the address to which it leads.
pub type FacetValue = (String, i64, Option<String>);

/// What a search page shows.
#[derive(Debug)]
pub struct SearchPage {
    /// The number of results in the line at the end.
    pub total: i64,
    /// The addresses of the results with all words, in order.
    pub paths: Vec<String>,
    /// The headings of the groups with their counts.
    pub headings: Vec<(String, i64)>,
    /// The tabs by label: count and address.
    pub tabs: BTreeMap<String, (i64, String)>,
    /// The facets by label.
    pub facets: BTreeMap<String, Vec<FacetValue>>,
    /// The addresses of selected values, which lead to the search without them.
    pub selected: Vec<String>,
    /// The addresses of values that add results to those of selected ones.
    pub additions: Vec<String>,
    /// The links to all matches in a topic: how many more there are, and the address.
    pub topics: Vec<(i64, String)>,
    /// The people above the results: links with their labels and counts.
    pub people: Vec<(String, Option<i64>, String)>,
    /// The address of the corrected query.
    pub did_you_mean: Option<String>,
    /// Links to other searches with the number of their results.
    pub proposals: Vec<(i64, String)>,
    /// The addresses that remove a qualifier.
    pub chips: Vec<String>,
    /// The address of the same results as JSON.
    pub json: Option<String>,
}

impl SearchPage {
    /// Reads a page with results, or with none.
    #[track_caller]
    pub fn new(response: &Response) -> SearchPage {
        let html = &response.body;
        let footer = html
            .rsplit_once("<footer>")
            .unwrap_or_else(|| panic!("no search in {html}"))
            .1;
        let aside = html
            .split_once("<aside class=\"card facets\"")
            .map_or("", |(_, rest)| rest);
        let results = html
            .split_once("<section class=\"group more\"")
            .map_or(html.as_str(), |(results, _)| results);
        let tabs = html
            .split_once("aria-label=\"Content types\">")
            .map_or("", |(_, rest)| between(rest, "", "</nav>"));
        SearchPage {
            total: match between(footer, "<span>", "</span>") {
                text if text.starts_with("No results") => 0,
                text => number(text),
            },
            paths: results
                .split("<li class=\"hit")
                .skip(1)
                .filter(|hit| !between(hit, "", "\">").ends_with(" partial"))
                .map(|hit| href(hit.split_once("<a ").unwrap().1).unwrap())
                .map(|path| match path.split_once("#note-") {
                    Some((issue, _)) => issue.to_owned(),
                    None => path,
                })
                .collect(),
            headings: html
                .split("<section class=\"group\"><h2>")
                .skip(1)
                .map(heading)
                .collect(),
            tabs: tabs.split("<a ").skip(1).map(tab).collect(),
            facets: aside.split("<section>").skip(1).map(facet).collect(),
            selected: aside
                .split("<li>")
                .filter(|item| item.contains("aria-current"))
                .filter_map(href)
                .collect(),
            additions: aside
                .split("<li>")
                .filter(|item| item.contains("class=\"count\">+"))
                .filter_map(href)
                .collect(),
            topics: html
                .split("<a ")
                .filter(|link| link.contains(" in this topic</a>"))
                .map(|link| (number(between(link, ">", "<")), href(link).unwrap()))
                .collect(),
            people: html
                .split("<p class=\"people\">")
                .skip(1)
                .flat_map(|line| between(line, "", "</p>").split("<a ").skip(1))
                .map(|link| {
                    let label = between(link, ">", "<");
                    let count = label
                        .split_once('(')
                        .map(|(_, rest)| number(&rest.replace(')', "")));
                    let label = label.split(" (").next().unwrap().to_owned();
                    (label, count, href(link).unwrap())
                })
                .collect(),
            did_you_mean: html
                .split_once("Did you mean ")
                .and_then(|(_, rest)| href(rest)),
            proposals: html
                .split("<a ")
                .filter(is_proposal)
                .map(|link| (number(between(link, ">", "<")), href(link).unwrap()))
                .collect(),
            chips: html
                .split("class=\"chip\"")
                .skip(1)
                .map(|chip| href(chip).unwrap())
                .collect(),
            json: href(footer).filter(|path| path.contains(".json")),
        }
    }

    /// Returns every link that announces the number of results to which it leads.
    pub fn counted_links(&self) -> Vec<(i64, String)> {
        let facets = self
            .facets
            .values()
            .flatten()
            .filter(|value| value.2.is_some());
        let facets = facets
            .map(|(_, count, path)| (*count, path.clone().unwrap()))
            .filter(|(_, path)| !self.selected.contains(path))
            .map(|(count, path)| {
                if self.additions.contains(&path) {
                    (self.total + count, path)
                } else {
                    (count, path)
                }
            });
        let topics = self
            .topics
            .iter()
            .map(|(more, path)| (more + 1, path.clone()));
        let people = self.people.iter();
        let people = people.filter_map(|(_, count, path)| Some(((*count)?, path.clone())));
        self.tabs
            .values()
            .cloned()
            .chain(facets)
            .chain(self.proposals.clone())
            .chain(topics)
            .chain(people)
            .collect()
    }
}

fn is_proposal(link: &&str) -> bool {
    let text = between(link, ">", "<");
    text.contains(" result") && text.starts_with(|first: char| first.is_ascii_digit())
}

fn heading(section: &str) -> (String, i64) {
    (
        between(section, "", " <").to_owned(),
        number(between(section, "class=\"count\">", "<")),
    )
}

fn facet(section: &str) -> (String, Vec<(String, i64, Option<String>)>) {
    let values = section.split("<li>").skip(1).map(facet_value).collect();
    (between(section, "<h3>", "<").to_owned(), values)
}

fn facet_value(item: &str) -> (String, i64, Option<String>) {
    let name = between(item.split_once("<span>").unwrap().1, "", "<");
    (
        unescape(name),
        number(between(item, "class=\"count\">", "<")),
        href(item).filter(|_| item.starts_with("<a")),
    )
}

fn tab(link: &str) -> (String, (i64, String)) {
    let label = between(link, ">", " <span").trim().to_owned();
    (
        label,
        (
            number(between(link, "class=\"count\">", "<")),
            href(link).unwrap(),
        ),
    )
}

fn number(text: &str) -> i64 {
    text.split_whitespace()
        .next()
        .unwrap()
        .parse::<i64>()
        .unwrap()
}

/// Returns the text between two others; empty if the first is missing.
fn between<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    let rest = text.split_once(from).map_or("", |(_, rest)| rest);
    rest.split_once(to).map_or(rest, |(found, _)| found)
}

fn href(html: &str) -> Option<String> {
    html.split_once("href=\"")
        .map(|(_, rest)| unescape(between(rest, "", "\"")))
}

fn unescape(text: &str) -> String {
    let text = text
        .replace("&#60;", "<")
        .replace("&#62;", ">")
        .replace("&#34;", "\"")
        .replace("&#39;", "'");
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#38;", "&")
        .replace("&amp;", "&")
}
