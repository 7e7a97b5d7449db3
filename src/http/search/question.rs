//! What a search asks for: every parameter of the spec and contract 8.

use crate::domain::catalogue::Catalogue;
use crate::domain::id_set::IdSet;
use crate::domain::ids::ProjectId;
use crate::domain::kind::Kind;
use crate::domain::text::switch;
use crate::http::{Ask, Error};
use crate::search::{Attachments, Facet, Order};

/// The parameters of a search, apart from the words.
pub struct Asked {
    /// The content types.
    pub kinds: Vec<Kind>,
    /// The projects; `None` for all that the viewer can see.
    pub projects: Option<IdSet>,
    /// Whether each word must be found, or any.
    pub all_words: bool,
    /// Only titles.
    pub titles_only: bool,
    /// Of the issues only the open ones.
    pub open_issues: bool,
    /// Names and descriptions of attachments.
    pub attachments: Attachments,
    /// The order of the hits.
    pub order: Order,
    /// What hits are counted by.
    pub facets: Vec<Facet>,
    /// Whether results have the whole text.
    pub with_description: bool,
    /// Whether each hit comes with the reasons of its score.
    pub explained: bool,
}

/// Reads the parameters. Values that are neither on nor off, and unknown orders, are named in one 422.
pub fn read(ask: &Ask, catalogue: &Catalogue) -> Result<Asked, Error> {
    let project = project(ask, catalogue)?;
    let mut complaints = Vec::new();
    let mut is_on = |name: &str, unsaid: bool| match ask.parameter(name) {
        None => unsaid,
        Some(value) => switch(&value).unwrap_or_else(|| {
            complaints.push(format!("{name} must be 1 or 0"));
            unsaid
        }),
    };
    let (all_words, titles_only, open_issues) = (is_on("all_words", true), is_on("titles_only", false), is_on("open_issues", false));
    let (with_description, explained) = (is_on("description", true), is_on("explain", false));
    let wanted: Vec<Kind> = Kind::ALL.into_iter().filter(|kind| is_on(kind.parameter(), false)).collect();
    let attachments = match ask.parameter("attachments").as_deref() {
        Some("only") => Attachments::Only,
        Some(value) => match switch(value) {
            Some(true) => Attachments::With,
            Some(false) => Attachments::Without,
            None => {
                complaints.push("attachments must be 0, 1 or only".to_owned());
                Attachments::Without
            }
        },
        None => Attachments::Without,
    };
    let order = match ask.parameter("sort").as_deref() {
        None | Some("") => Order::Grouped,
        Some("relevance") => Order::Relevance,
        Some("date") => Order::Date,
        Some(_) => {
            complaints.push("sort must be relevance or date".to_owned());
            Order::Grouped
        }
    };
    let facets = match facets(&ask.parameter("facets").unwrap_or_default()) {
        Ok(facets) => facets,
        Err(complaint) => {
            complaints.push(complaint);
            Vec::new()
        }
    };
    if !complaints.is_empty() {
        return Err(Error::Invalid(complaints));
    }
    let (projects, alone) = scope(ask, catalogue, project);
    let searched = |kind: &Kind| match project {
        Some(project) if alone => *kind != Kind::Project && ask.viewer().may(kind.permission(), project),
        _ => true,
    };
    let kinds = kinds(wanted, searched);
    Ok(Asked { kinds, projects, all_words, titles_only, open_issues, attachments, order, facets, with_description, explained })
}

/// The facets that are named, each once.
fn facets(text: &str) -> Result<Vec<Facet>, String> {
    let mut facets = Vec::new();
    for name in text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        let Some(facet) = Facet::parse(name) else {
            return Err(format!("facets must be some of {}", Facet::ALL.map(Facet::name).join(", ")));
        };
        if !facets.contains(&facet) {
            facets.push(facet);
        }
    }
    Ok(facets)
}

/// The project in which is searched, named in the path or by `id`; it must exist and be open to the viewer.
fn project(ask: &Ask, catalogue: &Catalogue) -> Result<Option<ProjectId>, Error> {
    let named = match ask.place("id") {
        "" => ask.parameter("id").filter(|id| !id.is_empty()),
        id => Some(id.into()),
    };
    let Some(named) = named else { return Ok(None) };
    let project = catalogue.project_by(&named).ok_or(Error::NotFound)?.id;
    ask.viewer().rights(project).ok_or(Error::Forbidden)?;
    Ok(Some(project))
}

/// The projects of the scope, and whether that is the one project alone. A scope that is not known is the project that was
/// named, else everything (contract 8).
fn scope(ask: &Ask, catalogue: &Catalogue, project: Option<ProjectId>) -> (Option<IdSet>, bool) {
    let viewer = ask.viewer();
    match (ask.parameter("scope").as_deref(), project) {
        (Some("all"), _) => (None, false),
        (Some("my_projects"), _) => (Some(viewer.own_projects().collect()), false),
        (Some("bookmarks"), _) => {
            let marked = viewer.user.and_then(|user| catalogue.bookmarks.get(&user));
            (Some(marked.into_iter().flatten().copied().collect()), false)
        }
        (Some("subprojects"), Some(project)) => (Some(catalogue.subtree(project).into_iter().collect()), false),
        (_, Some(project)) => (Some(std::iter::once(project).collect()), true),
        (_, None) => (None, false),
    }
}

/// Inside one project, neither projects themselves are searched (spec) nor what the viewer may not see there; when nothing is
/// left of what was wanted, everything else is.
fn kinds(wanted: Vec<Kind>, searched: impl Fn(&Kind) -> bool) -> Vec<Kind> {
    let kinds: Vec<Kind> = wanted.into_iter().filter(&searched).collect();
    if kinds.is_empty() { Kind::ALL.into_iter().filter(searched).collect() } else { kinds }
}
