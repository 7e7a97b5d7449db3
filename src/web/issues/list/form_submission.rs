//! What the forms of the page have sent: it leads on to the address that says the same in the
//! parameters of the API, or comes back with an error.

use super::chips::ListFilters;
use super::display::Display;
use super::filter_box;
use super::filter_form::SentFilter;
use quarry_http::RequestContext;
use quarry_http::resources::issue_list::IssueList;

/// What the forms of the page have sent.
pub enum FormSubmission {
    /// Nothing, or a request for a form.
    Nothing,
    /// Something that leads on to another address.
    Target(String),
    /// A filter with an error.
    InvalidFilter(SentFilter, String),
}

/// Parses what the request sends.
pub fn parse(
    request: &RequestContext,
    list: &IssueList,
    filters: &ListFilters,
    display: &Display<'_>,
) -> FormSubmission {
    if let Some(sent) = SentFilter::parse(request, list) {
        return match sent.check(list) {
            Ok(()) => FormSubmission::Target(
                filters
                    .editable
                    .clone()
                    .with_filter(&sent.filter)
                    .first_page(),
            ),
            Err(error) => FormSubmission::InvalidFilter(sent, error),
        };
    }
    if let Some(target) = display.target() {
        return FormSubmission::Target(target);
    }
    if let Some(target) = filter_box::submitted(request) {
        return FormSubmission::Target(target);
    }
    FormSubmission::Nothing
}
