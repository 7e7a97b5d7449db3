//! The filters of a list as chips, each with the addresses that change and remove it.

use super::filter_names::FilterNames;
use crate::components::tabs::Tab;
use crate::prelude::*;
use crate::queries::{BASED_ON, ListAddress};
use quarry_domain::query::columns;
use quarry_domain::query::filter::FilterField;
use quarry_domain::query::issues::{Field, TEXT_FILTER};
use quarry_domain::query::saved::{SavedFilter, SavedQuery};
use quarry_http::resources::filters;
use quarry_http::resources::issue_list::{IssueList, NON_FILTER_PARAMETERS};

/// Maximum number of chips for filters in the address. One more chip removes all further filters.
const MAX_CHIPS: usize = 30;
/// The name of the filter that the tabs show.
const STATUS: &str = "status_id";

/// A filter of the list.
#[derive(Clone)]
pub struct Chip {
    /// The name of the field.
    pub name: String,
    /// The operator and the values in words.
    pub value: String,
    /// The address with the form that changes it.
    pub edit: Option<String>,
    /// The address without it.
    pub remove: String,
}

/// The filters of a list.
pub struct ListFilters {
    /// The filters in use, those of the address first.
    pub in_use: Vec<SavedFilter>,
    /// The tabs of open, closed and all issues.
    pub tabs: Vec<Tab>,
    /// The text in the box.
    pub text: String,
    /// Whether the address has nothing but the saved query from which the text is.
    pub is_as_saved: bool,
    /// The address to which the box adds its text.
    pub without_text: ListAddress,
    /// All other filters.
    pub chips: Vec<Chip>,
    /// The address into which a changed filter is put: the saved query in use is replaced by what
    /// it says.
    pub editable: ListAddress,
}

impl ListFilters {
    /// Returns the filters in the address and in the saved query. `based_on` is the query from
    /// which those of the address come.
    pub fn new(
        request: &RequestContext,
        catalogue: &Catalogue,
        list: &IssueList,
        address: &ListAddress,
        based_on: Option<&SavedQuery>,
    ) -> Result<ListFilters, Error> {
        let (requested, _) = filters::requested(request, &list.fields, NON_FILTER_PARAMETERS)?;
        let names: Vec<&str> = requested
            .iter()
            .map(|filter| filter.name.as_str())
            .collect();
        let saved = list.saved.as_ref();
        let saved_filters = saved.and_then(|query| query.filters.as_deref());
        let saved_filters: Vec<&SavedFilter> = saved_filters
            .into_iter()
            .flatten()
            .filter(|filter| field(&list.fields, filter).is_some())
            .collect();
        let editable = match saved {
            Some(query) if query.filters.is_some() => {
                let shown = visible_parts(request, catalogue, query, &saved_filters);
                address.clone().expanded(&shown, &names)
            }
            _ => address.clone(),
        };
        // A filter by a field of the saved query takes its place.
        let base = |name: &str| {
            if saved_filters.iter().any(|filter| filter.name == name) {
                editable.clone()
            } else {
                address.clone()
            }
        };
        let tab = current_tab(&requested, list);
        let words = FilterNames::new(request.viewer(), catalogue);
        let chip = |filter: &SavedFilter| {
            let field = field(&list.fields, filter)?;
            Some(Chip {
                name: field.label.to_string(),
                value: words.describe(field, filter),
                edit: Some(address.with(&[
                    ("edit_filter", Some(&filter.name)),
                    ("page", None),
                    ("offset", None),
                ])),
                remove: base(&filter.name)
                    .without_filters(&[&filter.name])
                    .first_page(),
            })
        };
        let is_text = |filter: &&SavedFilter| filter.name == TEXT_FILTER;
        let text = requested.iter().chain(saved_filters.iter().copied());
        let text = text
            .filter(is_text)
            .flat_map(|filter| &filter.values)
            .next();
        let text = text.cloned().unwrap_or_default();
        let has_requested_text = requested.iter().any(|filter| is_text(&filter));
        let shown: Vec<&SavedFilter> = requested
            .iter()
            .filter(|filter| filter.name != STATUS || tab.is_none())
            .filter(|filter| !is_text(filter))
            .collect();
        let mut chips: Vec<Chip> = Vec::new();
        chips.extend(project_chip(request, catalogue, list, address));
        chips.extend(query_chip(address, saved, based_on));
        chips.extend(
            saved_filters
                .iter()
                .filter(|filter| has_requested_text || !is_text(filter))
                .take(MAX_CHIPS)
                .filter_map(|filter| chip(filter)),
        );
        chips.extend(
            shown
                .iter()
                .take(MAX_CHIPS)
                .filter_map(|filter| chip(filter)),
        );
        if let Some(rest) = shown.get(MAX_CHIPS..).filter(|rest| !rest.is_empty()) {
            let names: Vec<&str> = rest.iter().map(|filter| filter.name.as_str()).collect();
            chips.push(Chip {
                name: "More filters".to_owned(),
                value: rest.len().to_string(),
                edit: None,
                remove: address.clone().without_filters(&names).first_page(),
            });
        }
        let tabs = tabs(&base(STATUS), tab);
        let without_text = base(TEXT_FILTER).without_filters(&[TEXT_FILTER]);
        let saved_filters = saved_filters.into_iter().cloned().collect::<Vec<_>>();
        Ok(ListFilters {
            tabs,
            is_as_saved: saved.is_some()
                && !has_requested_text
                && !text.is_empty()
                && !address.changes_query(),
            text,
            without_text,
            chips,
            in_use: requested.into_iter().chain(saved_filters).collect(),
            editable: with_default_filter(editable, list),
        })
    }
}

/// Returns a saved query without what the viewer may not see.
fn visible_parts(
    request: &RequestContext,
    catalogue: &Catalogue,
    query: &SavedQuery,
    filters: &[&SavedFilter],
) -> SavedQuery {
    let viewer = request.viewer();
    let mut query = SavedQuery {
        filters: Some(filters.iter().copied().cloned().collect()),
        ..query.clone()
    };
    query
        .columns
        .retain(|name| columns::is_column(catalogue, viewer, name));
    query
        .totals
        .retain(|name| columns::is_summable(catalogue, viewer, name));
    query
        .order
        .retain(|(name, _)| columns::is_sortable(catalogue, viewer, name));
    if !columns::is_groupable(catalogue, viewer, &query.group_by) {
        query.group_by.clear();
    }
    query
}

/// Makes the default filter explicit, because a filter in the long form removes it.
fn with_default_filter(address: ListAddress, list: &IssueList) -> ListAddress {
    if list.has_default_filter {
        address.set_text(STATUS, Some("open"))
    } else {
        address
    }
}

fn field<'f>(
    fields: &'f [FilterField<Field>],
    filter: &SavedFilter,
) -> Option<&'f FilterField<Field>> {
    fields.iter().find(|field| field.name == filter.name)
}

/// Returns the value of the tab that matches the status filter of the address; `None` if no tab
/// does.
fn current_tab(requested: &[SavedFilter], list: &IssueList) -> Option<&'static str> {
    let statuses: Vec<&str> = requested
        .iter()
        .filter(|filter| filter.name == STATUS)
        .map(|filter| filter.operator.as_str())
        .collect();
    match statuses[..] {
        ["o"] => Some("open"),
        ["c"] => Some("closed"),
        ["*"] => Some("*"),
        [] if list.has_default_filter => Some("open"),
        // The filters of a saved query replace the default one.
        [] if list.saved.is_none() => Some("*"),
        _ => None,
    }
}

fn tabs(address: &ListAddress, current: Option<&str>) -> Vec<Tab> {
    let address = address.clone().without_filters(&[STATUS]);
    let tab = |label: &str, status: &str| {
        let path = address.clone().set_text(STATUS, Some(status)).first_page();
        Tab::new(label, path, current == Some(status))
    };
    vec![
        tab("Open", "open"),
        tab("Closed", "closed"),
        tab("All", "*"),
    ]
}

/// Returns the chip of the project to which the parameter `project_id` limits the list.
fn project_chip(
    request: &RequestContext,
    catalogue: &Catalogue,
    list: &IssueList,
    address: &ListAddress,
) -> Option<Chip> {
    let project = list
        .project
        .filter(|_| request.path_param("id").is_empty())?;
    Some(Chip {
        name: "Project".to_owned(),
        value: catalogue.project_name(project).to_owned(),
        edit: None,
        remove: address.with(&[("project_id", None), ("page", None), ("offset", None)]),
    })
}

/// Returns the chip of the saved query in use, or of the one from which the filters come.
fn query_chip(
    address: &ListAddress,
    saved: Option<&SavedQuery>,
    based_on: Option<&SavedQuery>,
) -> Option<Chip> {
    let changed = based_on.map(|query| format!("{}, changed", query.name));
    let value = saved.map(|query| query.name.clone()).or(changed)?;
    // Without any parameter, a project shows its default query.
    let remove = address.with(&[
        ("query_id", None),
        (BASED_ON, None),
        ("page", None),
        ("offset", None),
        ("set_filter", Some("1")),
    ]);
    Some(Chip {
        name: "Query".to_owned(),
        value,
        edit: None,
        remove,
    })
}
