//! `/settings`: the form of a tab, and saving it.

use super::controls::Control;
use super::search;
use super::tabs::{self, SettingsTab, TABS, path};
use super::units;
use crate::components::tabs::Tab;
use crate::form::check_password;
use crate::frame::{Flash, Frame, Width};
use crate::render::{redirect_with, render};
use askama::Template;
use axum::http::StatusCode;
use quarry_actions::settings;
use quarry_domain::accounts::user::User;
use quarry_domain::administration::setting::{Setting, ValueType};
use quarry_domain::catalogue::Catalogue;
use quarry_domain::validation::ValidationErrors;
use quarry_domain::values::text::capitalize;
use quarry_http::{Error, Reply, RequestContext, audit_setting};
use quarry_store::Read;
use quarry_wire::Input;

const UNCHANGED: &str = "Nothing was changed.";
const SAVED: &str = "The settings are saved and in use.";

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

/// `GET /settings`: the form of a tab.
///
/// Shows the tab of the address, or the settings that match the words in `q`.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let words = request.query_param("q").unwrap_or_default();
    if !words.trim().is_empty() {
        return search::results(request, db, &words);
    }
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
                active_users(catalogue)
                    .filter(|user| user.has_second_factor())
                    .count(),
                active_users(catalogue).count(),
            )
        }),
        frame: Frame::for_administration(request, db, title).with_width(Width::Medium),
    };
    render(&page.frame, &page)
}

fn active_users(catalogue: &Catalogue) -> impl Iterator<Item = &User> {
    catalogue
        .users
        .values()
        .filter(|user| user.status == quarry_domain::accounts::user::UserStatus::Active)
}

/// `POST /settings`: saves a tab.
///
/// Saves the settings of the tab that the address names, all or none.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let tab = tab_of(request);
    let values = values(request, tab);
    let changes = match settings::changes(request.app.store.catalogue()?.as_ref(), &values) {
        Ok(changes) => changes,
        Err(errors) => return again(request, tab, &values, by_setting(errors), None),
    };
    if tab.needs_password
        && !changes.is_empty()
        && let Some(error) = check_password(request)?
    {
        return again(request, tab, &values, Vec::new(), Some(error));
    }
    let saved = values.clone();
    let changes = match request.write(move |db, viewer| settings::update_all(db, viewer, &saved)) {
        Ok(changes) => changes,
        Err(Error::Invalid(errors)) => {
            return again(request, tab, &values, by_setting(errors), None);
        }
        Err(error) => return Err(error),
    };
    for change in &changes {
        audit_setting(request, change);
    }
    let text = if changes.is_empty() { UNCHANGED } else { SAVED };
    Ok(redirect_with(request, path(tab), &Flash::notice(text)))
}

/// Shows the form again.
fn again(
    request: &RequestContext,
    tab: &'static SettingsTab,
    values: &[(Setting, String)],
    errors: Vec<(Setting, String)>,
    password: Option<String>,
) -> Result<Reply, Error> {
    let rejected = RejectedForm {
        values: values.to_vec(),
        errors,
        password,
    };
    let reply = request.app.read(|db| page(request, db, tab, rejected))?;
    Ok(reply.with_status(StatusCode::UNPROCESSABLE_ENTITY))
}

/// Returns the values in the form. Settings that the form does not have stay as they are.
fn values(request: &RequestContext, tab: &SettingsTab) -> Vec<(Setting, String)> {
    tab.settings
        .iter()
        .filter_map(|(setting, ..)| Some((*setting, value_of(request, *setting)?)))
        .collect()
}

fn value_of(request: &RequestContext, setting: Setting) -> Option<String> {
    let input = request.body.get(setting.name())?;
    match input.as_list() {
        Some(items) if setting.value_type() == ValueType::List => {
            let items: Vec<_> = items
                .iter()
                .filter_map(Input::as_text)
                .filter(|item| !item.is_empty())
                .collect();
            Some(items.join(","))
        }
        _ => input.as_text().map(|text| units::parse(setting, &text)),
    }
}

/// Returns the errors of settings as sentences without a subject, which the form shows beside the
/// field.
fn by_setting(errors: ValidationErrors) -> Vec<(Setting, String)> {
    errors
        .into_iter()
        .filter_map(|error| {
            let setting = Setting::parse(error.attribute.as_deref()?)?;
            let message = capitalize(&error.message);
            Some(match units::examples(setting) {
                Some(examples) => (setting, format!("{message}: {examples}.")),
                None => (setting, format!("{message}.")),
            })
        })
        .collect()
}
