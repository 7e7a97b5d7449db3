//! The box above a list, a board, a calendar or a Gantt chart: a text in the language of the search,
//! and the other filters as chips.

use super::chips::{Chip, ListFilters};
use crate::prelude::*;
use crate::queries::{BASED_ON, DEFAULT_STATUS, ListAddress, SAVED_TEXT};
use quarry_domain::query::issues::TEXT_FILTER;
use quarry_http::resources::issue_list::IssueList;
use quarry_search::{Qualifier, qualifiers_of};

/// The box.
pub struct FilterBox {
    /// The path of the page.
    pub path: String,
    /// The parameters of the page without the text, for the hidden fields of the form.
    pub hidden: Vec<(String, String)>,
    pub chips: Vec<Chip>,
    /// The address without filters, if there are any.
    pub reset_path: Option<String>,
    pub text: String,
    /// Why the text cannot be searched for.
    pub error: Option<String>,
    /// How the text was searched, if it was in another way than it says.
    pub notices: Vec<String>,
    /// The search for the text.
    pub search_path: String,
    /// The address of completions of qualifiers.
    pub complete: String,
}

impl FilterBox {
    /// Creates the box of a page at this path. `error` is what [`IssueList::parse_for_page`] has
    /// returned.
    pub fn new(
        path: String,
        project: Option<&Project>,
        list: &IssueList,
        filters: &ListFilters,
        error: Option<&Error>,
    ) -> FilterBox {
        let scope = project.map(paths::project).unwrap_or_default();
        FilterBox {
            path,
            hidden: hidden_fields(list, filters),
            chips: filters.chips.clone(),
            reset_path: None,
            error: error.map(message),
            notices: notices(list),
            search_path: format!("{scope}/search?q={}&issues=1", paths::encode(&filters.text)),
            complete: match project {
                Some(project) => format!(
                    "/search/suggest/qualifiers.json?issues=1&scope=subprojects&id={}",
                    project.id
                ),
                None => "/search/suggest/qualifiers.json?issues=1".to_owned(),
            },
            text: filters.text.clone(),
        }
    }

    /// Adds the link to the list without filters.
    #[must_use]
    pub fn with_reset(self, address: &ListAddress, reset_path: &str) -> FilterBox {
        FilterBox {
            reset_path: (!address.is_plain()).then(|| reset_path.to_owned()),
            ..self
        }
    }

    /// Leaves out the links that change a filter by the form of the list.
    #[must_use]
    pub fn without_forms(self) -> FilterBox {
        let chips = self.chips.into_iter();
        FilterBox {
            chips: chips.map(|chip| Chip { edit: None, ..chip }).collect(),
            ..self
        }
    }

    /// Whether the text cannot be searched for.
    pub fn is_invalid(&self) -> bool {
        self.error.is_some()
    }
}

fn message(error: &Error) -> String {
    match error {
        Error::InvalidQuery(error) => format!("The text {error}."),
        error => error.messages().join(" "),
    }
}

/// Returns the hidden fields of the box. Who types into the box of open issues filters these.
fn hidden_fields(list: &IssueList, filters: &ListFilters) -> Vec<(String, String)> {
    let mut fields = filters.without_text.hidden_fields();
    if list.has_default_filter {
        fields.push((DEFAULT_STATUS.to_owned(), "open".to_owned()));
    }
    if filters.is_as_saved {
        fields.push((SAVED_TEXT.to_owned(), filters.text.clone()));
    }
    fields
}

/// Returns the address to which the box leads on: without an empty text, and with the status that the
/// list had by default. `None` if the address says all.
pub fn submitted(request: &RequestContext) -> Option<String> {
    let text = request.query_param(TEXT_FILTER)?;
    let address = ListAddress::new(request);
    if text.trim().is_empty() {
        return Some(address.without_filters(&[TEXT_FILTER]).first_page());
    }
    if let Some(saved) = request.query_param(SAVED_TEXT) {
        let query = request.query_param(BASED_ON).filter(|_| saved == text);
        return Some(match query {
            Some(id) => format!("?query_id={}", paths::encode(&id)),
            None => address.first_page(),
        });
    }
    let status = request.query_param(DEFAULT_STATUS)?;
    let names_status = qualifiers_of(&text).iter().any(|named| {
        matches!(named.qualifier, Qualifier::Status | Qualifier::Is)
            || named.qualifier == Qualifier::Closed
    });
    let status = Some(&*status).filter(|_| !names_status);
    Some(address.set_text("status_id", status).first_page())
}

/// Redirects from what the box sends to the address that says it; `None` if the address says all.
pub fn redirect(request: &RequestContext) -> Option<Reply> {
    let target = submitted(request)?;
    let shown = request.path_and_query();
    let path = shown.split('?').next().unwrap_or_default();
    Some(Reply::redirect(format!("{path}{target}")))
}

/// Says how the texts were searched.
fn notices(list: &IssueList) -> Vec<String> {
    let corrected = list.texts.iter().filter_map(|text| {
        let corrected = text.corrected.as_ref()?;
        Some(format!(
            "Nothing has all words of “{}”. The issues with “{corrected}” are shown.",
            text.text
        ))
    });
    let as_text = list.texts.iter().filter_map(|text| {
        let mut letters = text.as_text.as_ref()?.chars();
        let first = letters.next()?.to_uppercase();
        Some(format!("{first}{}.", letters.as_str()))
    });
    corrected.chain(as_text).collect()
}
