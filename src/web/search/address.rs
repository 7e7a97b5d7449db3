//! The search of a page, as its address or a saved search describes it, and the addresses of searches
//! that differ from it.

use crate::prelude::*;
use quarry_domain::ids::QueryId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::query::saved::{QueryKind, SavedQuery};
use quarry_domain::values::text::parse_bool;
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
pub const ATTACHMENTS: [(&str, &str); 3] = [("0", "Exclude"), ("1", "Include"), ("only", "Only")];
/// The values of `sort`, with their labels.
pub const SORTS: [(&str, &str); 3] = [
    ("", "Grouped by type"),
    ("relevance", "Best match"),
    ("date", "Newest"),
];

/// Maximum length of an encoded query that links repeat, in bytes. A page has up to 200 links to
/// other searches.
const MAX_LINKED_LENGTH: usize = 500;

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
    /// The saved search from which it comes.
    pub saved: Option<QueryId>,
}

impl Address {
    /// Returns the search of a request.
    pub fn new(request: &RequestContext, project: Option<&Project>) -> Address {
        Address::from_params(project, |name| request.query_param(name))
    }

    /// Returns a saved search, on the page of a project or of all.
    pub fn from_saved(query: &SavedQuery, project: Option<&Project>) -> Address {
        let address = Address::from_params(project, |name| {
            let mut parameters = query.filters.iter().flatten();
            let parameter = parameters.find(|parameter| parameter.name == name)?;
            parameter.values.first().map(|value| value.as_str().into())
        });
        Address {
            saved: Some(query.id),
            ..address
        }
    }

    /// Returns the search that these parameters describe, on the page of a project or of all.
    pub fn from_params<'p>(
        project: Option<&Project>,
        param: impl Fn(&str) -> Option<Cow<'p, str>>,
    ) -> Address {
        let text = |name: &str| param(name).unwrap_or_default();
        let is_on = |name: &str, default: bool| {
            let value = param(name).and_then(|value| parse_bool(&value));
            value.unwrap_or(default)
        };
        let scope = match (&*text("scope"), project) {
            ("all", _) => Scope::All,
            ("my_projects", _) => Scope::Mine,
            ("bookmarks", _) => Scope::Bookmarks,
            ("subprojects", Some(_)) => Scope::Subprojects,
            (_, Some(_)) => Scope::Project,
            (_, None) => Scope::All,
        };
        let attachments = match &*text("attachments") {
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
            query: text("q").into_owned(),
            scope,
            kinds: Kind::ALL
                .into_iter()
                .filter(|kind| is_on(kind.parameter(), false))
                .collect(),
            all_words: is_on("all_words", true),
            with_partial: is_on("partial", true),
            titles_only: is_on("titles_only", false),
            open_issues: is_on("open_issues", false),
            attachments,
            topic: text("topic").trim().parse().ok(),
            sort: SORTS
                .iter()
                .find(|(value, _)| *value == text("sort"))
                .map_or("", |(value, _)| value),
            limit: text("limit")
                .trim()
                .parse()
                .ok()
                .filter(|limit| *limit >= 1),
            saved: text("query_id").trim().parse().ok().map(QueryId),
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
            saved: None,
        }
    }

    /// Returns the search without what a saved one does not keep: the number of results on a page.
    fn without_page(&self) -> Address {
        Address {
            limit: None,
            saved: None,
            ..self.clone()
        }
    }

    /// Whether both are the same search.
    pub fn is_same_search(&self, other: &Address) -> bool {
        self.without_page() == other.without_page()
    }

    /// Whether the query is so long that the page cannot repeat it in each link.
    pub fn is_long(&self) -> bool {
        paths::encode(&self.query).len() > MAX_LINKED_LENGTH
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

    /// Returns the same, unless the query is long.
    pub fn link(&self) -> Option<String> {
        (!self.is_long()).then(|| self.url())
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
            saved: None,
            ..self.clone()
        }
        .format(".json", more)
    }

    /// Returns the address of the feed of the newest results.
    pub fn feed_url(&self) -> String {
        Address {
            sort: "",
            with_partial: true,
            ..self.without_page()
        }
        .format(".atom", None)
    }

    /// Returns the address of the feed of the saved search, which has the API key of the request if
    /// it has one.
    pub fn saved_feed_url(&self, key: Option<&str>) -> String {
        let key = key.map(|key| ("key", paths::encode(key)));
        Address {
            sort: "",
            with_partial: true,
            ..self.clone()
        }
        .format(".atom", key)
    }

    /// Returns the address of the form that saves the search.
    pub fn save_url(&self) -> String {
        let kind = ("type", QueryKind::Searches.name().to_owned());
        let path = self.save_path();
        Address {
            path,
            ..self.without_page()
        }
        .format("", Some(kind))
    }

    /// Returns the path of that form.
    pub fn save_path(&self) -> String {
        let base = self.path.strip_suffix("/search").unwrap_or_default();
        format!("{base}/queries/new")
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
        let limit = self.limit.map(|limit| ("limit", limit.to_string()));
        let saved = self.saved.map(|id| ("query_id", id.to_string()));
        let pairs = self
            .parameters()
            .into_iter()
            .map(|(name, value)| match name {
                "q" => (name, paths::encode(&value)),
                _ => (name, value),
            });
        let pairs: Vec<String> = pairs
            .chain(limit)
            .chain(saved)
            .chain(more)
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        format!("{}{suffix}?{}", self.path, pairs.join("&"))
    }

    /// Returns the query, and the parameters that do not have the default values of the page.
    pub fn parameters(&self) -> Vec<(&'static str, String)> {
        let default_scope = if self.is_in_project {
            Scope::Project
        } else {
            Scope::All
        };
        let topic = self
            .topic
            .map(|topic| topic.to_string())
            .unwrap_or_default();
        let mut pairs = vec![("q", self.query.clone())];
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
        pairs
    }
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
