//! The form of the search page: its choices, the qualifiers of its query as chips, and the tabs of
//! content types.

use super::address::{ATTACHMENTS, Address, SORTS, Scope};
use crate::components::tabs::Tab;
use crate::prelude::*;
use quarry_domain::ids::QueryId;
use quarry_domain::index_feed::kind::Kind;
use quarry_search::qualifiers_of;
use quarry_store::index_feed::search_records;

/// Maximum number of chips.
const MAX_CHIPS: usize = 30;
/// Maximum number of characters of the value on a chip.
const MAX_CHIP_CHARS: usize = 80;

/// The form.
pub struct Form {
    /// The address that it is sent to.
    pub action: String,
    /// The address of suggestions.
    pub suggest: String,
    /// The address of completions of qualifiers.
    pub complete: String,
    /// The query as typed.
    pub query: String,
    /// Maximum length of the query in characters.
    pub max_length: usize,
    /// Messages about the query and the parameters.
    pub errors: Vec<String>,
    /// The scopes; empty where there is no choice.
    pub scopes: Vec<Choice>,
    /// Whether all words must match, or any.
    pub matching: Vec<Choice>,
    /// Whether attachments are searched.
    pub attachments: Vec<Choice>,
    /// The orders.
    pub sorts: Vec<Choice>,
    /// The content types.
    pub kinds: Vec<Choice>,
    /// The choices under *More* that are not the default, in words.
    pub more: String,
    /// Whether several content types are selected, which tabs cannot show.
    pub is_mixed: bool,
    /// Whether only titles are searched.
    pub titles_only: bool,
    /// Whether closed issues are left out.
    pub open_issues: bool,
    /// The topic whose messages alone are searched.
    pub topic: Option<i64>,
    /// Number of results on a page, if the address has it.
    pub limit: Option<i64>,
    /// Whether the best results that lack a word are shown, too.
    pub with_partial: bool,
    /// The saved search from which it comes.
    pub saved: Option<QueryId>,
    /// The qualifiers of the query.
    pub chips: Vec<Chip>,
}

/// A choice of a list or a checkbox.
pub struct Choice {
    /// Its value, or the name of its parameter.
    pub value: &'static str,
    pub label: String,
    /// Whether it is chosen.
    pub is_selected: bool,
}

/// A qualifier of the query.
pub struct Chip {
    /// Its name with the colon.
    pub name: String,
    pub value: String,
    /// The address of the search without it.
    pub remove: String,
}

impl Form {
    /// Returns the form of a search. `selectable` are the content types that it offers, `project`
    /// is the name of the project.
    pub fn new(
        request: &RequestContext,
        address: &Address,
        project: Option<&str>,
        selectable: &[Kind],
        errors: Vec<String>,
    ) -> Form {
        let kinds: Vec<Choice> = selectable
            .iter()
            .map(|kind| Choice {
                value: kind.parameter(),
                label: label(*kind).to_owned(),
                is_selected: address.kinds.contains(kind),
            })
            .collect();
        let selected = kinds.iter().filter(|kind| kind.is_selected);
        let mut more: Vec<&str> = selected.map(|kind| kind.label.as_str()).collect();
        let is_mixed = more.len() > 1;
        more.extend(address.titles_only.then_some("titles only"));
        more.extend(match address.attachments {
            "1" => Some("with file names"),
            "only" => Some("file names only"),
            _ => None,
        });
        let more = more.join(", ");
        Form {
            action: address.path.clone(),
            suggest: address.suggest_url(),
            complete: address.complete_url(),
            query: address.query.clone(),
            max_length: request.app.search.bounds().query_characters,
            errors,
            scopes: scopes(request, address, project),
            matching: choices(
                &[("1", "All"), ("0", "Any")],
                if address.all_words { "1" } else { "0" },
            ),
            attachments: choices(&ATTACHMENTS, address.attachments),
            sorts: choices(&SORTS, address.sort),
            is_mixed,
            more,
            kinds,
            titles_only: address.titles_only,
            open_issues: address.open_issues,
            topic: address.topic,
            limit: address.limit,
            with_partial: address.with_partial,
            saved: address.saved,
            chips: chips(address),
        }
    }
}

impl Form {
    /// Adds a chip for the topic to which the search is restricted, with its subject if the viewer
    /// may see it.
    pub fn in_topic(
        mut self,
        request: &RequestContext,
        db: &Read<'_>,
        address: &Address,
    ) -> Result<Form, Error> {
        let Some(topic) = address.topic else {
            return Ok(self);
        };
        let found = search_records::load(db, request.viewer(), Kind::Message, &[topic])?;
        let subject = found.get(&topic).map(|record| record.title.as_str());
        let subject = subject.unwrap_or("unknown").chars().take(MAX_CHIP_CHARS);
        self.chips.push(Chip {
            name: "topic:".to_owned(),
            value: subject.collect(),
            remove: Address {
                topic: None,
                ..address.clone()
            }
            .url(),
        });
        Ok(self)
    }
}

fn choices(table: &[(&'static str, &str)], selected: &str) -> Vec<Choice> {
    table
        .iter()
        .map(|(value, label)| Choice {
            value,
            label: (*label).to_owned(),
            is_selected: *value == selected,
        })
        .collect::<Vec<_>>()
}

fn scopes(request: &RequestContext, address: &Address, project: Option<&str>) -> Vec<Choice> {
    let in_project = project.into_iter().flat_map(|name| {
        [
            scope_choice(address, Scope::Project, name.to_owned()),
            scope_choice(
                address,
                Scope::Subprojects,
                format!("{name} with subprojects"),
            ),
        ]
    });
    let own = [
        scope_choice(address, Scope::Mine, "My projects".to_owned()),
        scope_choice(address, Scope::Bookmarks, "My bookmarks".to_owned()),
    ];
    let own = own
        .into_iter()
        .filter(|choice| request.viewer().user.is_some() || choice.is_selected);
    let scopes: Vec<Choice> = in_project
        .chain(own)
        .chain([scope_choice(address, Scope::All, "All projects".to_owned())])
        .collect();
    if scopes.len() > 1 { scopes } else { Vec::new() }
}

fn scope_choice(address: &Address, scope: Scope, label: String) -> Choice {
    Choice {
        value: scope.value(),
        label,
        is_selected: scope == address.scope,
    }
}

/// Returns the qualifiers of the query. A long query has none: each chip is a copy of the query.
fn chips(address: &Address) -> Vec<Chip> {
    if address.is_long() {
        return Vec::new();
    }
    let chips = qualifiers_of(&address.query).into_iter().map(|token| Chip {
        name: format!(
            "{}{}:",
            if token.negated { "-" } else { "" },
            token.qualifier.name()
        ),
        value: token.value.chars().take(MAX_CHIP_CHARS).collect(),
        remove: address.with_query(token.rest).url(),
    });
    chips.take(MAX_CHIPS).collect()
}

/// Returns the tabs of content types. `all` are the hits of the search in each type that can be
/// selected, `found` those in the selected types.
pub fn tabs(address: &Address, all: &[(Kind, i64)], found: &[(Kind, i64)]) -> Vec<Tab> {
    let total = all.iter().map(|(_, count)| count).sum();
    let everything = Tab::new(
        "All",
        path_of(address, Vec::new()),
        !all.iter().any(|(kind, _)| address.kinds.contains(kind)),
    )
    .with_count(total);
    let tabs = all.iter().filter_map(|(kind, count)| {
        let count = found
            .iter()
            .find(|(other, _)| other == kind)
            .map_or(*count, |(_, count)| *count);
        let tab = Tab::new(
            label(*kind),
            path_of(address, vec![*kind]),
            address.kinds.contains(kind),
        )
        .with_count(count);
        (count > 0 || address.kinds.contains(kind)).then_some(tab)
    });
    std::iter::once(everything).chain(tabs).collect()
}

fn path_of(address: &Address, kinds: Vec<Kind>) -> String {
    Address {
        kinds,
        ..address.clone()
    }
    .url()
}

/// Returns the name of a content type for people.
pub fn label(kind: Kind) -> &'static str {
    match kind {
        Kind::Issue => "Issues",
        Kind::News => "News",
        Kind::Document => "Documents",
        Kind::Changeset => "Commits",
        Kind::WikiPage => "Wiki",
        Kind::Message => "Forums",
        Kind::Project => "Projects",
    }
}
