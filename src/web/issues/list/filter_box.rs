//! The box above a list, a board, a calendar or a Gantt chart: a text in the language of the search,
//! and the other filters as chips.

use super::chips::{Chip, ListFilters};
use crate::prelude::*;
use crate::queries::ListAddress;
use quarry_http::resources::issue_list::IssueList;

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
            hidden: filters.without_text.hidden_fields(),
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
        let reason = text.as_text.as_ref()?;
        Some(format!(
            "Parentheses, AND and NOT are searched as text, because {reason}."
        ))
    });
    corrected.chain(as_text).collect()
}
