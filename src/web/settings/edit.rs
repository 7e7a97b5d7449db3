//! `GET /settings`: the form of a tab.

use super::controls::Control;
use super::tabs::{self, SettingsTab, TABS};
use crate::domain::setting::Setting;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use crate::web::access::require_admin;
use crate::web::components::tabs::Tab;
use crate::web::frame::{Frame, Width};
use crate::web::render::render;
use askama::Template;

#[derive(Template)]
#[template(path = "settings/edit.html")]
struct SettingsPage {
    frame: Frame,
    tabs: Vec<Tab>,
    path: String,
    label: &'static str,
    rows: Vec<Row>,
    needs_password: bool,
    password_error: Option<String>,
    has_errors: bool,
    /// How many of the active users have a second factor, on the tab Authentication.
    second_factors: Option<(usize, usize)>,
}

/// A setting in the form.
struct Row {
    name: &'static str,
    label: &'static str,
    hint: &'static str,
    control: Control,
    error: Option<String>,
}

/// What was sent and is not saved.
#[derive(Default)]
pub struct RejectedForm {
    /// The values as typed.
    pub values: Vec<(Setting, String)>,
    /// The messages of settings.
    pub errors: Vec<(Setting, String)>,
    /// The message of the password.
    pub password: Option<String>,
}

/// Shows the tab of the address.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    require_admin(request)?;
    page(request, db, tab_of(request), RejectedForm::default())
}

/// Returns the tab that the address names.
pub fn tab_of(request: &RequestContext) -> &'static SettingsTab {
    tabs::find(&request.query_param("tab").unwrap_or_default())
}

/// Renders a tab, with what was rejected.
pub fn page(
    request: &RequestContext,
    db: &Read<'_>,
    tab: &'static SettingsTab,
    rejected: RejectedForm,
) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let rows = tab.settings.iter().map(|(setting, label, hint)| {
        let typed = rejected
            .values
            .iter()
            .find(|(typed, _)| typed == setting)
            .map(|(_, value)| value.as_str());
        Row {
            name: setting.name(),
            label,
            hint,
            control: Control::new(
                catalogue,
                *setting,
                typed.unwrap_or_else(|| catalogue.setting(*setting)),
            ),
            error: rejected
                .errors
                .iter()
                .find(|(wrong, _)| wrong == setting)
                .map(|(_, message)| message.clone()),
        }
    });
    let active = || {
        catalogue
            .users
            .values()
            .filter(|user| user.status == crate::domain::user::UserStatus::Active)
    };
    let title = format!("{} – settings", tab.label);
    let page = SettingsPage {
        tabs: TABS
            .iter()
            .map(|each| Tab::new(each.label, path(each), each.id == tab.id))
            .collect(),
        path: path(tab),
        label: tab.label,
        rows: rows.collect(),
        needs_password: tab.needs_password,
        has_errors: rejected.password.is_some() || !rejected.errors.is_empty(),
        password_error: rejected.password,
        second_factors: (tab.id == "authentication").then(|| {
            (
                active().filter(|user| user.has_second_factor()).count(),
                active().count(),
            )
        }),
        frame: Frame::new(request, db, title)
            .with_width(Width::Medium)
            .below("Administration", "/admin"),
    };
    render(&page.frame, &page)
}

/// Returns the address of a tab.
pub fn path(tab: &SettingsTab) -> String {
    format!("/settings?tab={}", tab.id)
}
