//! The resource `/settings`, for administrators (compatibility 14).

use crate::prelude::*;
use quarry_actions::administration::settings;
use quarry_domain::administration::setting::{Setting, ValueType};
use quarry_domain::validation::ValidationError;
use quarry_domain::values::edit_distance::nearest;
use quarry_http::{audit_setting, protected_handler};
use quarry_wire::Input;
use std::sync::Arc;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/settings",
            get(read_handler(list).for_administrators())
                .put(protected_handler(update_all).for_administrators())
                .patch(protected_handler(update_all).for_administrators()),
        )
        .route(
            "/settings/{name}",
            get(read_handler(show).for_administrators())
                .put(protected_handler(update).for_administrators())
                .patch(protected_handler(update).for_administrators()),
        )
}

/// `GET /settings`, for administrators (compatibility 14).
///
/// Returns all settings. As with API keys, a session of a browser is not shown what is secret.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let shows_secrets = request.may_show_keys();
    Ok(Reply::list(
        "settings",
        "setting",
        Setting::all().collect(),
        move |w: &mut _, setting: Setting| write_setting(w, setting, &catalogue, shows_secrets),
        Vec::new(),
    ))
}

/// `GET /settings/:name`, for administrators (compatibility 14).
///
/// Returns a setting.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    setting_reply(request, db, setting(request)?)
}

/// Returns a setting as it is now.
fn setting_reply(
    request: &RequestContext,
    db: &Read<'_>,
    setting: Setting,
) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let shows_secrets = request.may_show_keys();
    Ok(Reply::object("setting", move |w| {
        write_setting(w, setting, &catalogue, shows_secrets)
    }))
}

/// `PUT /settings/:name` and `PUT /settings`, for administrators (compatibility 14).
///
/// Sets a setting: 200 with its new state.
fn update(request: &RequestContext) -> Result<Reply, Error> {
    let setting = setting(request)?;
    save(request, parse_value(request, setting)?)?;
    request.app.read(|db| setting_reply(request, db, setting))
}

/// Sets several settings, all or none: 200 with all settings.
fn update_all(request: &RequestContext) -> Result<Reply, Error> {
    save(request, parse_values(request)?)?;
    request.app.read(|db| list(request, db))
}

fn save(request: &RequestContext, values: Vec<(Setting, String)>) -> Result<(), Error> {
    for change in request.write(move |db, viewer| settings::update_all(db, viewer, &values))? {
        audit_setting(request, &change);
    }
    Ok(())
}

/// Maximum number of messages about unknown names.
const MAX_MESSAGES: usize = 10;

/// Maximum number of characters of a name in a message.
const MAX_NAME_CHARS: usize = 60;

/// Returns the setting in the path; 404 for an unknown one.
pub fn setting(request: &RequestContext) -> Result<Setting, Error> {
    Setting::parse(request.path_param("name")).ok_or(Error::NotFound)
}

/// Parses the object `setting` with a `value`; nothing if there is none.
pub fn parse_value(
    request: &RequestContext,
    setting: Setting,
) -> Result<Vec<(Setting, String)>, Error> {
    let body = BodyFields::from_body(request, "setting")?;
    let value = body.raw("value").map(|value| value_of(setting, value));
    Ok(value
        .transpose()
        .map_err(|error| Error::Invalid(error.into()))?
        .map(|value| (setting, value))
        .into_iter()
        .collect())
}

/// Parses the object `settings` with values by name.
///
/// # Errors
/// 422 with a message for each unknown name and for each value of a wrong type.
pub fn parse_values(request: &RequestContext) -> Result<Vec<(Setting, String)>, Error> {
    BodyFields::from_body(request, "settings")?;
    let entries = request
        .body
        .get("settings")
        .map(Input::entries)
        .unwrap_or_default();
    let mut values = Vec::<(Setting, String)>::new();
    let mut errors = Vec::new();
    for (name, value) in entries {
        let Some(setting) = Setting::parse(name) else {
            errors.push(ValidationError::for_record(unknown(name)));
            continue;
        };
        values.retain(|(earlier, _)| *earlier != setting);
        match value_of(setting, value) {
            Ok(value) => values.push((setting, value)),
            Err(error) => errors.push(error),
        }
    }
    errors.truncate(MAX_MESSAGES);
    if errors.is_empty() {
        Ok(values)
    } else {
        Err(Error::Invalid(errors.into()))
    }
}

fn unknown(name: &str) -> String {
    let name: String = name.chars().take(MAX_NAME_CHARS).collect();
    match nearest(&name, Setting::all().map(Setting::name)) {
        Some(known) => format!("Unknown setting {name}; did you mean {known}?"),
        None => format!("Unknown setting {name}"),
    }
}

/// Returns a value as text: null is the default.
fn value_of(setting: Setting, value: &Input) -> Result<String, ValidationError> {
    match value {
        Input::Null => Ok(setting.default_value().to_owned()),
        Input::List(items) if setting.value_type() == ValueType::List => {
            let texts: Option<Vec<_>> = items.iter().map(Input::as_text).collect();
            texts
                .map(|texts| texts.join(","))
                .ok_or_else(|| setting.error("is invalid (a list of words is expected)"))
        }
        value => value
            .as_text()
            .map(|text| text.into_owned())
            .ok_or_else(|| {
                let message = format!("is invalid (one value is expected, not {})", value.kind());
                setting.error(&message)
            }),
    }
}

/// Writes a setting with its value and its default, as the type of its values demands.
pub fn write_setting(w: &mut Fields, setting: Setting, catalogue: &Catalogue, shows_secrets: bool) {
    w.field("name", setting.name());
    let value = catalogue.setting(setting);
    let value = if shows_secrets {
        value
    } else {
        setting.loggable(value)
    };
    write_value(w, "value", setting, value);
    write_value(w, "default_value", setting, setting.default_value());
}

fn write_value(w: &mut Fields, name: &'static str, setting: Setting, text: &str) {
    match setting.value_type() {
        ValueType::Bool => w.field(name, text == "1"),
        ValueType::Integer(..) => w.field(name, text.parse::<i64>().ok()),
        ValueType::List => w.texts(
            name,
            "item",
            text.split(',').filter(|item| !item.is_empty()),
        ),
        ValueType::Line(_)
        | ValueType::Lines(_)
        | ValueType::Secret(_)
        | ValueType::Choice(_)
        | ValueType::Host
        | ValueType::ReplyAddress
        | ValueType::UpdateRules => w.field(name, text),
    }
}
