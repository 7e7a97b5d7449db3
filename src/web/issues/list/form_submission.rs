//! What the forms of the page have sent: it leads on to the address that says the same in the
//! parameters of the API, or comes back with an error.

use super::chips::ListFilters;
use super::display::Display;
use super::filter_form::SentFilter;
use super::query_text::QueryContext;
use crate::queries::ListAddress;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::query::filter::Context;
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
    /// A text of which something cannot be used.
    InvalidText(String, String),
}

/// Parses what the request sends.
pub fn parse(
    request: &RequestContext,
    catalogue: &Catalogue,
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
    let text = request.query_param("q").unwrap_or_default();
    if text.trim().is_empty() {
        return FormSubmission::Nothing;
    }
    let context = QueryContext {
        viewer: request.viewer(),
        catalogue,
        calendar: Context::new(request.viewer(), catalogue, request.app.clock.now()).calendar,
        project: list.project,
    };
    match context.parse(text.trim()) {
        Ok(query) => {
            let address = filters.editable.clone();
            let mut address = query.filters.iter().fold(address, ListAddress::with_filter);
            let project = query
                .project
                .filter(|_| request.path_param("id").is_empty());
            if let Some(project) = project {
                address = address.set_text("project_id", Some(&project.to_string()));
            }
            FormSubmission::Target(address.first_page())
        }
        Err(error) => FormSubmission::InvalidText(text.into_owned(), error),
    }
}
