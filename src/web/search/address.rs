//! The search of a page, as its address describes it, and the addresses of searches that differ
//! from it.

use quarry_domain::index_feed::kind::Kind;
use quarry_domain::projects::project::Project;
use quarry_domain::values::text::parse_bool;
use quarry_http::RequestContext;
use quarry_http::resources::paths;
use std::borrow::Cow;

/// The projects that are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The project of the page alone.
    Project,
    /// The project of the page and its subprojects.
    Subprojects,
    /// The projects of which the viewer is a member.
    Mine,
    /// The projects that the viewer has bookmarked.
    Bookmarks,
    /// All projects.
    All,
}

impl Scope {
    /// Returns its value in the query string.
    pub fn value(self) -> &'static str {
        match self {
            Scope::Project => "",
            Scope::Subprojects => "subprojects",
            Scope::Mine => "my_projects",
            Scope::Bookmarks => "bookmarks",
            Scope::All => "all",
        }
    }
}

/// The values of `attachments`, with their labels.
pub const ATTACHMENTS: [(&str, &str); 3] = [("0", "No"), ("1", "Too"), ("only", "Only")];
/// The values of `sort`, with their labels.
pub const SORTS: [(&str, &str); 3] = [
    ("", "Grouped by type"),
    ("relevance", "Best match"),
    ("date", "Newest"),
];

/// A search as its address describes it. Invalid values count as the defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The path of the page.
    pub path: String,
    /// Whether the page is that of a project.
    pub is_in_project: bool,
    /// The query as typed.
    pub query: String,
    /// The projects.
    pub scope: Scope,
    /// The selected content types; empty for all.
    pub kinds: Vec<Kind>,
    /// Whether all words must match.
    pub all_words: bool,
    /// Whether the best results that lack a word are shown among those with all words.
    pub with_partial: bool,
    /// Whether only titles are searched.
    pub titles_only: bool,
    /// Whether closed issues are left out.
    pub open_issues: bool,
    /// Whether attachments are searched: one of [`ATTACHMENTS`].
    pub attachments: &'static str,
    /// The topic whose messages alone are searched.
    pub topic: Option<i64>,
    /// The order: one of [`SORTS`].
    pub sort: &'static str,
    /// Number of results on a page, if the address has it.
    pub limit: Option<i64>,
}

impl Address {
    /// Returns the search of a request.
    pub fn new(request: &RequestContext, project: Option<&Project>) -> Address {
        let scope = match (&*text(request, "scope"), project) {
            ("all", _) => Scope::All,
            ("my_projects", _) => Scope::Mine,
            ("bookmarks", _) => Scope::Bookmarks,
            ("subprojects", Some(_)) => Scope::Subprojects,
            (_, Some(_)) => Scope::Project,
            (_, None) => Scope::All,
        };
        let attachments = match &*text(request, "attachments") {
            "only" => "only",
            value if parse_bool(value) == Some(true) => "1",
            _ => "0",
        };
        Address {
            path: project.map_or_else(
                || "/search".to_owned(),
                |project| format!("{}/search", paths::project(project)),
            ),
            is_in_project: project.is_some(),
            query: text(request, "q").into_owned(),
            scope,
            kinds: Kind::ALL
                .into_iter()
                .filter(|kind| is_on(request, kind.parameter(), false))
                .collect(),
            all_words: is_on(request, "all_words", true),
            with_partial: is_on(request, "partial", true),
            titles_only: is_on(request, "titles_only", false),
            open_issues: is_on(request, "open_issues", false),
            attachments,
            topic: text(request, "topic").trim().parse().ok(),
            sort: SORTS
                .iter()
                .find(|(value, _)| *value == text(request, "sort"))
                .map_or("", |(value, _)| value),
            limit: text(request, "limit")
                .trim()
                .parse()
                .ok()
                .filter(|limit| *limit >= 1),
        }
    }

    /// Returns the default search for this query, in all projects.
    pub fn everywhere(query: &str) -> Address {
        Address {
            path: "/search".to_owned(),
            is_in_project: false,
            query: query.to_owned(),
            scope: Scope::All,
            kinds: Vec::new(),
            all_words: true,
            with_partial: true,
            titles_only: false,
            open_issues: false,
            attachments: "0",
            topic: None,
            sort: "",
            limit: None,
        }
    }

    /// Returns the same search with another query.
    #[must_use]
    pub fn with_query(&self, query: impl Into<String>) -> Address {
        Address {
            query: query.into(),
            ..self.clone()
        }
    }

    /// Returns the address of the first page.
    pub fn url(&self) -> String {
        self.format("", None)
    }

    /// Returns the address of a page, from 1.
    pub fn page_url(&self, page: i64) -> String {
        self.format("", Some(("page", page.to_string())).filter(|_| page > 1))
    }

    /// Returns the address of the same results as JSON, with these facets.
    pub fn json_url(&self, offset: i64, limit: i64, facets: &str) -> String {
        let offset = Some(("offset", offset.to_string())).filter(|_| offset > 0);
        let more = offset.into_iter().chain([("facets", facets.to_owned())]);
        Address {
            limit: Some(limit),
            with_partial: true,
            ..self.clone()
        }
        .format(".json", more)
    }

    /// Returns the address of the feed of the newest results.
    pub fn feed_url(&self) -> String {
        Address {
            limit: None,
            sort: "",
            with_partial: true,
            ..self.clone()
        }
        .format(".atom", None)
    }

    /// Returns the address of suggestions; the script adds what is typed.
    pub fn suggest_url(&self) -> String {
        match self
            .path
            .strip_prefix("/projects/")
            .and_then(|rest| rest.strip_suffix("/search"))
        {
            Some(identifier) => format!("/search/suggest?id={identifier}"),
            None => "/search/suggest".to_owned(),
        }
    }

    /// Returns the address of completions of qualifiers.
    pub fn complete_url(&self) -> String {
        self.suggest_url()
            .replacen("/search/suggest", "/search/suggest/qualifiers", 1)
    }

    /// Returns the path with this suffix, and a query string without default values, followed by
    /// `more`.
    fn format(
        &self,
        suffix: &str,
        more: impl IntoIterator<Item = (&'static str, String)>,
    ) -> String {
        let default_scope = if self.is_in_project {
            Scope::Project
        } else {
            Scope::All
        };
        let limit = self
            .limit
            .map(|limit| limit.to_string())
            .unwrap_or_default();
        let topic = self
            .topic
            .map(|topic| topic.to_string())
            .unwrap_or_default();
        let mut pairs = vec![("q", paths::encode(&self.query))];
        let mut add = |is_given: bool, name: &'static str, value: &str| {
            if is_given {
                pairs.push((name, value.to_owned()));
            }
        };
        add(self.scope != default_scope, "scope", self.scope.value());
        self.kinds
            .iter()
            .for_each(|kind| add(true, kind.parameter(), "1"));
        add(!self.all_words, "all_words", "0");
        add(!self.with_partial, "partial", "0");
        add(self.titles_only, "titles_only", "1");
        add(self.open_issues, "open_issues", "1");
        add(self.attachments != "0", "attachments", self.attachments);
        add(self.topic.is_some(), "topic", &topic);
        add(!self.sort.is_empty(), "sort", self.sort);
        add(self.limit.is_some(), "limit", &limit);
        let pairs: Vec<String> = pairs
            .into_iter()
            .chain(more)
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        format!("{}{suffix}?{}", self.path, pairs.join("&"))
    }
}

fn text<'r>(request: &'r RequestContext, name: &str) -> Cow<'r, str> {
    request.query_param(name).unwrap_or_default()
}

fn is_on(request: &RequestContext, name: &str, default: bool) -> bool {
    request
        .query_param(name)
        .and_then(|value| parse_bool(&value))
        .unwrap_or(default)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address() -> Address {
        Address::everywhere("a&b c")
    }

    #[test]
    fn address_has_only_what_differs_from_the_default() {
        assert_eq!(address().url(), "/search?q=a%26b%20c");
        assert_eq!(address().page_url(1), "/search?q=a%26b%20c");
        assert_eq!(address().page_url(3), "/search?q=a%26b%20c&page=3");
        let search = Address {
            path: "/projects/x/search".to_owned(),
            is_in_project: true,
            kinds: vec![Kind::Issue, Kind::WikiPage],
            all_words: false,
            attachments: "only",
            sort: "date",
            ..address()
        };
        assert_eq!(
            search.json_url(10, 10, "year"),
            "/projects/x/search.json?q=a%26b%20c&scope=all&issues=1&wiki_pages=1&all_words=0&attachments=only&sort=date&limit=10&offset=10&facets=year"
        );
        assert_eq!(search.suggest_url(), "/search/suggest?id=x");
    }
}
