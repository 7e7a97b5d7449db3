//! The links between the pages of spent time.

use super::time_entry_pages;
use crate::components::tabs::Tab;
use crate::queries::ListAddress;
use quarry_domain::access::permission::Permission;
use quarry_http::RequestContext;

/// A page of spent time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum TimeTab {
    Entries,
    Report,
    Week,
}

/// Returns the links between the list and the report of the same time entries, and the own week, as
/// far as the viewer may use them. `path` is that of the list.
pub fn tabs(request: &RequestContext, path: &str, current: TimeTab) -> Vec<Tab> {
    let viewer = request.viewer();
    let mut tabs = Vec::new();
    if viewer.may_somewhere(Permission::ViewTimeEntries) {
        let address = ListAddress::new(request)
            .set("page", None)
            .set("offset", None)
            .set("day", None);
        let entries = address.clone().set("criteria", None).set("columns", None);
        let report = address.set("sort", None).set("limit", None);
        tabs.push(Tab::new(
            "Entries",
            format!("{path}{}", entries.for_export()),
            current == TimeTab::Entries,
        ));
        tabs.push(Tab::new(
            "Report",
            format!("{path}/report{}", report.for_export()),
            current == TimeTab::Report,
        ));
    }
    if viewer.user.is_some() && viewer.may_somewhere(Permission::LogTime) {
        let is_current = current == TimeTab::Week;
        tabs.push(Tab::new("My week", time_entry_pages::WEEK, is_current));
    }
    tabs
}
