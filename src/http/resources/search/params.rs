//! The parameters of a search (docs/search.md; compatibility 10).

use crate::{Error, RequestContext};
use jiff::tz::TimeZone;
use quarry_domain::access::permission::Permission;
use quarry_domain::administration::time_zone;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::ProjectId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::query::dates::Calendar;
use quarry_domain::query::filter::Context;
use quarry_domain::values::id_set::IdSet;
use quarry_domain::values::text::parse_bool;
use quarry_search::{Attachments, Facet, Order, Qualifier};

/// The parameters of a search, except the query itself.
#[derive(Clone)]
pub struct SearchParams {
    /// The content types.
    pub kinds: Vec<Kind>,
    /// The content types that can be selected; all of them are searched when none is.
    pub selectable: Vec<Kind>,
    /// The projects; `None` for all that the viewer can see.
    pub projects: Option<IdSet>,
    /// Whether all words must match, or any.
    pub all_words: bool,
    /// Whether only titles are searched.
    pub titles_only: bool,
    /// Whether closed issues are excluded.
    pub open_issues: bool,
    /// Whether names and descriptions of attachments are searched.
    pub attachments: Attachments,
    /// The topic whose messages alone are searched.
    pub topic: Option<i64>,
    /// A qualifier whose values do not count, unless they are negated.
    pub ignored: Option<Qualifier>,
    /// In which days of qualifiers begin and end.
    pub calendar: Calendar,
    /// The order of the hits.
    pub order: Order,
    /// The facets to count.
    pub facets: Vec<Facet>,
    /// Whether results include the full text.
    pub with_description: bool,
    /// Whether results include an explanation of their score.
    pub explain: bool,
    /// Whether to look for alternatives where there are few hits.
    pub with_alternatives: bool,
}

impl SearchParams {
    /// Returns the parameters with the order that the query asks for (`sort:`), if it does. Fails for
    /// the orders of lists.
    pub fn sorted_by_query(self, query: &str) -> Result<SearchParams, Error> {
        let requested = Order::requested(query);
        let requested = requested.map_err(|problem| Error::invalid(format!("q: {problem}")))?;
        let order = requested.unwrap_or(self.order);
        Ok(SearchParams { order, ..self })
    }
}

/// Parses the parameters. All invalid values are reported in one 422.
pub fn parse(request: &RequestContext, catalogue: &Catalogue) -> Result<SearchParams, Error> {
    if !request.viewer().has_scope(Permission::SearchProject) {
        return Err(Error::Forbidden);
    }
    let project = project(request, catalogue)?;
    let mut errors = Vec::new();
    let mut is_on = |name: &str, default: bool| match request.query_param(name) {
        None => default,
        Some(value) => parse_bool(&value).unwrap_or_else(|| {
            errors.push(format!("{name} must be 1 or 0"));
            default
        }),
    };
    let all_words = is_on("all_words", true);
    let titles_only = is_on("titles_only", false);
    let open_issues = is_on("open_issues", false);
    let with_description = is_on("description", true);
    let explain = is_on("explain", false);
    let requested: Vec<Kind> = Kind::ALL
        .into_iter()
        .filter(|kind| is_on(kind.parameter(), false))
        .collect();
    let attachments = match request.query_param("attachments").as_deref() {
        Some("only") => Attachments::Only,
        Some(value) => match parse_bool(value) {
            Some(true) => Attachments::With,
            Some(false) => Attachments::Without,
            None => {
                errors.push("attachments must be 0, 1 or only".to_owned());
                Attachments::Without
            }
        },
        None => Attachments::Without,
    };
    let order = match request.query_param("sort").as_deref() {
        None | Some("") => Order::Grouped,
        Some("relevance") => Order::Relevance,
        Some("date") => Order::Date,
        Some(_) => {
            errors.push("sort must be relevance or date".to_owned());
            Order::Grouped
        }
    };
    let calendar = requested_calendar(request, catalogue).unwrap_or_else(|error| {
        errors.push(error);
        calendar(request, catalogue)
    });
    let topic = match request.query_param("topic").as_deref().map(str::trim) {
        None | Some("") => None,
        Some(topic) => topic.parse().map(Some).unwrap_or_else(|_| {
            errors.push("topic must be the id of a topic".to_owned());
            None
        }),
    };
    let facets = match facets(&request.query_param("facets").unwrap_or_default()) {
        Ok(facets) => facets,
        Err(error) => {
            errors.push(error);
            Vec::new()
        }
    };
    if !errors.is_empty() {
        return Err(Error::Invalid(errors.into_iter().collect()));
    }
    let (projects, is_single) = scope(request, catalogue, project);
    // Inside a single project, projects are not searched (docs/search.md), nor what the viewer may
    // not see there.
    let selectable: Vec<Kind> = match project {
        Some(project) if is_single => Kind::ALL
            .into_iter()
            .filter(|kind| *kind != Kind::Project)
            .filter(|kind| request.viewer().may(kind.permission(), project))
            .collect(),
        _ => Kind::ALL.to_vec(),
    };
    let kinds: Vec<Kind> = requested
        .into_iter()
        .filter(|kind| selectable.contains(kind))
        .collect();
    let kinds = if kinds.is_empty() {
        selectable.clone()
    } else {
        kinds
    };
    Ok(SearchParams {
        kinds,
        selectable,
        projects,
        all_words,
        titles_only,
        open_issues,
        attachments,
        topic,
        ignored: None,
        calendar,
        order,
        facets,
        with_description,
        explain,
        with_alternatives: true,
    })
}

/// Returns the calendar of the qualifiers of a request: that of the viewer on pages, in UTC over the
/// API.
pub fn calendar(request: &RequestContext, catalogue: &Catalogue) -> Calendar {
    let now = request.app.clock.now();
    let calendar = Context::new(request.viewer(), catalogue, now).calendar;
    match request.format {
        Some(_) => calendar.in_zone(TimeZone::UTC, now),
        None => calendar,
    }
}

/// Returns the calendar of a request, in the time zone that its parameter `tz` names. An error is
/// the message for the user.
pub fn requested_calendar(
    request: &RequestContext,
    catalogue: &Catalogue,
) -> Result<Calendar, String> {
    let calendar = calendar(request, catalogue);
    let Some(name) = request.query_param("tz").filter(|name| !name.is_empty()) else {
        return Ok(calendar);
    };
    match time_zone::find(&name) {
        Some(zone) => Ok(calendar.in_zone(zone, request.app.clock.now())),
        None => Err("tz must be the name of a time zone, such as Europe/Berlin".to_owned()),
    }
}

/// Parses a comma-separated list of facets, without duplicates.
fn facets(text: &str) -> Result<Vec<Facet>, String> {
    let mut facets = Vec::new();
    for name in text
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
    {
        let Ok(facet) = name.parse() else {
            let names: Vec<&str> = Facet::ALL.iter().map(|facet| facet.name()).collect();
            return Err(format!("facets must be some of {}", names.join(", ")));
        };
        if !facets.contains(&facet) {
            facets.push(facet);
        }
    }
    Ok(facets)
}

/// Returns the project in the path or in `id`. It must exist and be visible.
pub fn project(
    request: &RequestContext,
    catalogue: &Catalogue,
) -> Result<Option<ProjectId>, Error> {
    let reference = match request.path_param("id") {
        "" => request.query_param("id").filter(|id| !id.is_empty()),
        id => Some(id.into()),
    };
    let Some(reference) = reference else {
        return Ok(None);
    };
    let project = catalogue.project_by(&reference).ok_or(Error::NotFound)?.id;
    request.viewer().rights(project).ok_or(Error::Forbidden)?;
    Ok(Some(project))
}

/// Returns the projects of the scope, and whether that is a single project. An unknown scope is the
/// project of the request, or else everything (compatibility 10).
fn scope(
    request: &RequestContext,
    catalogue: &Catalogue,
    project: Option<ProjectId>,
) -> (Option<IdSet>, bool) {
    let viewer = request.viewer();
    match (request.query_param("scope").as_deref(), project) {
        (Some("all"), _) => (None, false),
        (Some("my_projects"), _) => (Some(viewer.member_projects().collect()), false),
        (Some("bookmarks"), _) => {
            let bookmarked = viewer.user.and_then(|user| catalogue.bookmarks.get(&user));
            (
                Some(bookmarked.into_iter().flatten().copied().collect()),
                false,
            )
        }
        (Some("subprojects"), Some(project)) => (
            Some(catalogue.subtree(project).into_iter().collect()),
            false,
        ),
        (_, Some(project)) => (Some(std::iter::once(project).collect()), true),
        (_, None) => (None, false),
    }
}
