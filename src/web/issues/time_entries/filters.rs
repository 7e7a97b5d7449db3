//! The filters above a list or a report: a form with the most usual ones, and the others as chips.

use super::form_filters;
use crate::components::error_summary::ErrorSummary;
use crate::components::form_field::FormField;
use crate::issues::FilterNames;
use crate::prelude::*;
use crate::queries::ListAddress;
use quarry_domain::query::saved::SavedFilter;
use quarry_http::resources::filters;
use quarry_http::resources::time_entry_list::{NON_FILTER_PARAMETERS, TimeEntryList};

/// Maximum number of chips.
const MAX_CHIPS: usize = 30;

/// A filter that the form does not have.
pub struct Chip {
    /// Its label.
    pub name: String,
    /// Operator and values in words.
    pub value: String,
    /// The address without it.
    pub remove: String,
}

/// The filters of a page.
pub struct Filters {
    /// The fields of the form.
    pub fields: Vec<FormField>,
    /// The fields of the form that are no filters.
    pub others: Vec<FormField>,
    /// The parameters that the form carries on.
    pub hidden: Vec<(String, String)>,
    pub chips: Vec<Chip>,
    /// What is wrong with the filters.
    pub errors: Vec<String>,
    /// Whether there is any filter.
    pub is_filtered: bool,
}

impl Filters {
    /// Returns the filters of a request. `list` is missing if they are invalid.
    pub fn new(
        request: &RequestContext,
        catalogue: &Catalogue,
        project: Option<&Project>,
        list: Option<&TimeEntryList>,
    ) -> Result<Filters, Error> {
        let fields = form_filters::fields(request, catalogue, project);
        let chips = match list {
            Some(list) => chips(request, catalogue, list)?,
            None => Vec::new(),
        };
        let mut address = ListAddress::new(request);
        for name in form_filters::NAMES {
            address = address.set(name, None);
        }
        Ok(Filters {
            is_filtered: !chips.is_empty()
                || list.is_none()
                || fields.iter().any(|field| !field.value.is_empty()),
            fields,
            others: Vec::new(),
            hidden: address.hidden_fields(),
            chips,
            errors: Vec::new(),
        })
    }

    /// Adds fields that are no filters.
    #[must_use]
    pub fn with_others(self, others: Vec<FormField>) -> Filters {
        let mut hidden = self.hidden;
        hidden.retain(|(name, _)| others.iter().all(|field| field.name != *name));
        Filters {
            others,
            hidden,
            ..self
        }
    }

    /// Says in the title of the page whether something is wrong.
    pub fn mark_title(&self, title: &mut String) {
        ErrorSummary::new(&self.errors, &self.fields).mark_title(title);
    }

    /// Adds what is wrong with the filters.
    #[must_use]
    pub fn with_errors(self, errors: ValidationErrors) -> Filters {
        Filters {
            errors: errors
                .into_iter()
                .map(|error| format!("{error}."))
                .collect(),
            ..self
        }
    }
}

/// Returns the address that says the same without what a form leaves empty; `None` if the request
/// has nothing empty. `path` is that of the page.
pub fn without_empty_fields(request: &RequestContext, path: &str) -> Option<String> {
    let mut address = ListAddress::new(request);
    let mut is_changed = false;
    for (name, value) in request.query.entries() {
        let replaced = match value {
            Input::List(items) if name == "criteria" => {
                let chosen: Vec<Input> = items
                    .iter()
                    .filter(|item| !item.is_blank())
                    .cloned()
                    .collect();
                if chosen.len() == items.len() {
                    continue;
                }
                (!chosen.is_empty()).then_some(Input::List(chosen))
            }
            value if form_filters::NAMES.contains(&name.as_str()) => {
                let text = value.as_text().unwrap_or_default();
                let trimmed = match name.as_str() {
                    "issue_id" => text.trim().trim_start_matches('#'),
                    _ => text.trim(),
                };
                if !trimmed.is_empty() && trimmed == text {
                    continue;
                }
                (!trimmed.is_empty()).then(|| Input::Text(trimmed.to_owned()))
            }
            _ => continue,
        };
        is_changed = true;
        address = address.set(name, replaced);
    }
    is_changed.then(|| format!("{path}{}", address.for_export()))
}

/// Returns the filters that the form does not have.
fn chips(
    request: &RequestContext,
    catalogue: &Catalogue,
    list: &TimeEntryList,
) -> Result<Vec<Chip>, Error> {
    let names = FilterNames::new(request.viewer(), catalogue);
    let address = ListAddress::new(request);
    let (requested, _) = filters::requested(request, &list.fields, NON_FILTER_PARAMETERS)?;
    let is_in_form = |filter: &SavedFilter| {
        let name = filter.name.as_str();
        form_filters::NAMES.contains(&name)
            && request.query.get(name).is_some()
            && !is_in_long_form(request, name)
    };
    let chips = requested
        .iter()
        .filter(|filter| !is_in_form(filter))
        .take(MAX_CHIPS)
        .filter_map(|filter| {
            let field = list.fields.iter().find(|field| field.name == filter.name)?;
            Some(Chip {
                name: field.label.to_string(),
                value: names.describe(field, filter),
                remove: address
                    .clone()
                    .without_filters(&[&filter.name])
                    .first_page(),
            })
        });
    Ok(chips.collect())
}

fn is_in_long_form(request: &RequestContext, name: &str) -> bool {
    let in_list = |item: &Input| item.as_text().is_some_and(|text| text == name);
    match request.query.get("f") {
        Some(Input::List(items)) => items.iter().any(in_list),
        Some(item) => in_list(item),
        None => false,
    }
}
