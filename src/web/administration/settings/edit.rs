//! `/settings`: the form of a tab, and saving it.

use super::controls;
use super::search;
use super::tabs::{self, SettingsTab, TABS, path};
use super::units;
use crate::components::form_field::FormField;
use crate::components::form_page::{FormPage, Section};
use crate::components::tabs::Tab;
use crate::form::{require_password, save};
use crate::frame::render::render;
use crate::frame::{Frame, Width};
use crate::prelude::*;
use quarry_actions::administration::settings;
use quarry_domain::accounts::user::User;
use quarry_domain::administration::setting::{Setting, ValueType};
use quarry_domain::validation::ValidationError;
use quarry_domain::values::text::capitalize;
use quarry_http::audit_setting;

const UNCHANGED: &str = "Nothing was changed.";
const SAVED: &str = "The settings were saved and are in use.";

#[derive(Template)]
#[template(path = "administration/settings/edit.html")]
struct SettingsPage<'f> {
    frame: &'f Frame,
    form: &'f FormPage,
    tabs: Vec<Tab>,
}

/// `GET /settings`: the form of a tab.
///
/// Shows the tab of the address, or the settings that match the words in `q`.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let words = request.query_param("q").unwrap_or_default();
    if !words.trim().is_empty() {
        return search::results(request, db, &words);
    }
    page(request, db, tab_of(request), ValidationErrors::new())
}

/// Returns the tab that the address names.
fn tab_of(request: &RequestContext) -> &'static SettingsTab {
    tabs::find(&request.query_param("tab").unwrap_or_default())
}

/// Renders a tab, with the values that were sent and their errors.
fn page(
    request: &RequestContext,
    db: &Read<'_>,
    tab: &'static SettingsTab,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let sent = values(request, tab);
    let rows = tab.settings.iter().map(|(setting, label, hint)| {
        let typed = sent.iter().find(|(typed, _)| typed == setting);
        let value = typed.map_or_else(|| catalogue.setting(*setting), |(_, value)| value.as_str());
        controls::row(catalogue, *setting, (label, hint), value)
    });
    let section = Section::new(tab.label, rows.collect());
    let title = format!("{} – settings", tab.label);
    let frame = Frame::for_administration(request, db, title).with_width(Width::Medium);
    let mut form = FormPage::with_sections(frame, path(tab), vec![section]);
    if tab.id == "authentication" {
        let users = || active_users(catalogue);
        let count = users().filter(|user| user.has_second_factor()).count();
        let verb = if users().count() == 1 {
            "user has"
        } else {
            "users have"
        };
        let all = users().count();
        form = form.with_paragraph(format!("{count} of {all} active {verb} a second factor."));
    }
    if tab.needs_password {
        form = form.with_fields([FormField::own_password("To save changes here.")]);
    }
    let mut errors = errors;
    if !errors.is_empty() {
        errors.add_message("Nothing was saved. Correct what is marked below.");
    }
    let form = form.with_errors(errors);
    let page = SettingsPage {
        frame: &form.frame,
        form: &form,
        tabs: TABS
            .iter()
            .map(|each| Tab::new(each.label, path(each), each.id == tab.id))
            .collect(),
    };
    render(page.frame, &page)
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
    save(
        request,
        || {
            let catalogue = request.app.store.catalogue()?;
            let changes = settings::changes(&catalogue, &values).map_err(Error::Invalid)?;
            if tab.needs_password && !changes.is_empty() {
                require_password(request)?;
            }
            let values = values.clone();
            request.write(move |db, viewer| settings::update_all(db, viewer, &values))
        },
        |changes| {
            for change in &changes {
                audit_setting(request, change);
            }
            let text = if changes.is_empty() { UNCHANGED } else { SAVED };
            Ok((path(tab), text.to_owned()))
        },
        |db, errors| page(request, db, tab, as_field_errors(errors)),
    )
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

/// Returns the errors of settings as sentences without a subject, which stand beside the field.
fn as_field_errors(errors: ValidationErrors) -> ValidationErrors {
    let sentence = |error: ValidationError| {
        let Some(setting) = error.attribute.as_deref().and_then(Setting::parse) else {
            return error;
        };
        let message = capitalize(&error.message);
        let message = match units::examples(setting) {
            Some(examples) => format!("{message}: {examples}."),
            None => format!("{message}."),
        };
        ValidationError::new(setting.name(), "", &message)
    };
    errors.into_iter().map(sentence).collect::<Vec<_>>().into()
}
