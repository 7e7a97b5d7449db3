//! The filters of a list as chips, each with the address that removes it.

use super::filter_names::FilterNames;
use crate::components::pager::{query_string, with_params};
use crate::components::tabs::Tab;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::query::filter::FilterField;
use quarry_domain::query::issues::Field;
use quarry_domain::query::saved::SavedFilter;
use quarry_http::resources::filters;
use quarry_http::resources::issue_list::{IssueList, NON_FILTER_PARAMETERS};
use quarry_http::{Error, RequestContext};
use quarry_wire::Input;

/// Maximum number of chips for filters in the address. One more chip removes all further filters.
const MAX_CHIPS: usize = 30;
/// The name of the filter that the tabs show.
const STATUS: &str = "status_id";

/// A filter of the list.
pub struct Chip {
    /// The name of the field.
    pub name: String,
    /// The operator and the values in words.
    pub value: String,
    /// The address without the filter; `None` for the filters of the saved query in use.
    pub remove: Option<String>,
}

/// The filters of a list.
pub struct ListFilters {
    /// The tabs of open, closed and all issues.
    pub tabs: Vec<Tab>,
    /// All other filters.
    pub chips: Vec<Chip>,
}

impl ListFilters {
    /// Returns the filters in the address and in the saved query.
    pub fn new(
        request: &RequestContext,
        catalogue: &Catalogue,
        list: &IssueList,
    ) -> Result<ListFilters, Error> {
        let (requested, _) = filters::requested(request, &list.fields, NON_FILTER_PARAMETERS)?;
        let tab = current_tab(&requested, list);
        let names = FilterNames::new(request.viewer(), catalogue);
        let requested: Vec<&SavedFilter> = requested
            .iter()
            .filter(|filter| filter.name != STATUS || tab.is_none())
            .collect();
        let mut chips: Vec<Chip> = Vec::new();
        chips.extend(project_chip(request, catalogue, list));
        chips.extend(query_chips(request, &names, list));
        chips.extend(requested.iter().take(MAX_CHIPS).filter_map(|filter| {
            let field = field(&list.fields, filter)?;
            let remove = without_filters(request, &[filter.name.as_str()], &[]);
            Some(Chip {
                name: field.label.to_string(),
                value: names.describe(field, filter),
                remove: Some(remove),
            })
        }));
        if let Some(rest) = requested.get(MAX_CHIPS..).filter(|rest| !rest.is_empty()) {
            let rest: Vec<&str> = rest.iter().map(|filter| filter.name.as_str()).collect();
            let remove = Some(without_filters(request, &rest, &[]));
            chips.push(Chip {
                name: "More filters".to_owned(),
                value: rest.len().to_string(),
                remove,
            });
        }
        Ok(ListFilters {
            tabs: tabs(request, tab),
            chips,
        })
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

fn tabs(request: &RequestContext, current: Option<&str>) -> Vec<Tab> {
    let tab = |label: &str, status: &str| {
        Tab::new(
            label,
            without_filters(request, &[STATUS], &[(STATUS, Some(status))]),
            current == Some(status),
        )
    };
    vec![
        tab("Open", "open"),
        tab("Closed", "closed"),
        tab("All", "*"),
    ]
}

/// Returns the chip of the project to which the parameter `project_id` limits the list.
fn project_chip(request: &RequestContext, catalogue: &Catalogue, list: &IssueList) -> Option<Chip> {
    let project = list
        .project
        .filter(|_| request.path_param("id").is_empty())?;
    let remove = with_params(
        request,
        &[("project_id", None), ("page", None), ("offset", None)],
    );
    Some(Chip {
        name: "Project".to_owned(),
        value: catalogue.project_name(project).to_owned(),
        remove: Some(remove),
    })
}

/// Returns the chips of the saved query in use and of its filters.
fn query_chips(request: &RequestContext, names: &FilterNames<'_>, list: &IssueList) -> Vec<Chip> {
    let Some(query) = &list.saved else {
        return Vec::new();
    };
    // Without any parameter, a project shows its default query.
    let remove = with_params(
        request,
        &[
            ("query_id", None),
            ("page", None),
            ("offset", None),
            ("set_filter", Some("1")),
        ],
    );
    let mut chips = vec![Chip {
        name: "Query".to_owned(),
        value: query.name.clone(),
        remove: Some(remove),
    }];
    chips.extend(
        query
            .filters
            .iter()
            .flatten()
            .take(MAX_CHIPS)
            .filter_map(|filter| {
                let field = field(&list.fields, filter)?;
                Some(Chip {
                    name: field.label.to_string(),
                    value: names.describe(field, filter),
                    remove: None,
                })
            }),
    );
    chips
}

/// Returns the address of the first page without the filters by these fields in either form. The
/// long form stays in use, so that the default filter does not come back.
fn without_filters(
    request: &RequestContext,
    names: &[&str],
    changes: &[(&str, Option<&str>)],
) -> String {
    let is_removed = |name: &str| names.contains(&name);
    let mut params = request.query.entries().to_vec();
    params.retain(|(name, _)| !is_removed(name) || NON_FILTER_PARAMETERS.contains(&name.as_str()));
    for (name, value) in &mut params {
        match (name.as_str(), value) {
            ("f", Input::List(fields)) => {
                fields.retain(|field| !field.as_text().is_some_and(|field| is_removed(&field)));
                if fields.is_empty() {
                    fields.push(Input::Text(String::new()));
                }
            }
            ("f", field) if field.as_text().is_some_and(|field| is_removed(&field)) => {
                *field = Input::Text(String::new())
            }
            ("op" | "v", Input::Map(fields)) => fields.retain(|(field, _)| !is_removed(field)),
            _ => {}
        }
    }
    let mut all = vec![("page", None), ("offset", None)];
    all.extend_from_slice(changes);
    let address = query_string(&params, &all);
    // Without any parameter, a project shows its default query.
    if address == "?" {
        "?set_filter=1".to_owned()
    } else {
        address
    }
}
