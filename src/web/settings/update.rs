//! `POST /settings`: saves a tab.

use super::edit::{RejectedForm, page, path, tab_of};
use super::tabs::SettingsTab;
use crate::actions::settings;
use crate::domain::setting::{Setting, ValueType};
use crate::http::{Error, Reply, RequestContext, audit_setting};
use crate::web::access::require_admin;
use crate::web::form::check_password;
use crate::web::frame::Flash;
use crate::web::render::redirect_with;
use crate::wire::Input;
use axum::http::StatusCode;

/// Saves the settings of the tab that the address names, all or none.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    require_admin(request)?;
    let tab = tab_of(request);
    let values = values(request, tab);
    let again = |errors: Vec<(Setting, String)>, password: Option<String>| {
        let rejected = RejectedForm {
            values: values.clone(),
            errors,
            password,
        };
        let reply = request.app.read(|db| page(request, db, tab, rejected))?;
        Ok(reply.with_status(StatusCode::UNPROCESSABLE_ENTITY))
    };
    let changes = match settings::changes(request.app.store.catalogue()?.as_ref(), &values) {
        Ok(changes) => changes,
        Err(messages) => return again(by_setting(&messages), None),
    };
    if tab.needs_password
        && !changes.is_empty()
        && let Some(error) = check_password(request)?
    {
        return again(Vec::new(), Some(error));
    }
    let saved = values.clone();
    let changes = match request.write(move |db, viewer| settings::update_all(db, viewer, &saved)) {
        Ok(changes) => changes,
        Err(Error::Invalid(messages)) => return again(by_setting(&messages), None),
        Err(error) => return Err(error),
    };
    for change in &changes {
        audit_setting(request, change);
    }
    let text = if changes.is_empty() {
        "Nothing was changed."
    } else {
        "The settings are saved and in use."
    };
    Ok(redirect_with(request, path(tab), &Flash::notice(text)))
}

/// Returns the values in the form. Settings that the form does not have stay as they are.
fn values(request: &RequestContext, tab: &SettingsTab) -> Vec<(Setting, String)> {
    let value = |setting: Setting| {
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
            _ => input.as_text().map(|text| text.into_owned()),
        }
    };
    tab.settings
        .iter()
        .filter_map(|(setting, ..)| Some((*setting, value(*setting)?)))
        .collect()
}

/// Returns the messages with their settings, which they name first, and which the form shows beside
/// the field.
fn by_setting(messages: &[String]) -> Vec<(Setting, String)> {
    let split = |message: &String| {
        let (name, text) = message.split_once(' ')?;
        let mut characters = text.chars();
        let first = characters.next()?;
        Some((
            Setting::parse(name)?,
            format!("{}{}.", first.to_uppercase(), characters.as_str()),
        ))
    };
    messages.iter().filter_map(split).collect()
}
