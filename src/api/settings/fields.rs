//! Parses the path and the body of a request about settings.

use crate::domain::edit_distance::nearest;
use crate::domain::setting::{Setting, ValueType};
use crate::http::{BodyFields, Error, RequestContext};
use crate::wire::Input;

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
        .map_err(Error::invalid)?
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
            errors.push(unknown(name));
            continue;
        };
        values.retain(|(earlier, _)| *earlier != setting);
        match value_of(setting, value) {
            Ok(value) => values.push((setting, value)),
            Err(message) => errors.push(message),
        }
    }
    errors.truncate(MAX_MESSAGES);
    if errors.is_empty() {
        Ok(values)
    } else {
        Err(Error::Invalid(errors))
    }
}

fn unknown(name: &str) -> String {
    let name: String = name.chars().take(MAX_NAME_CHARS).collect();
    match nearest(&name, Setting::all().map(Setting::name)) {
        Some(known) => format!("Unknown setting {name}; did you mean {known}?"),
        None => format!("Unknown setting {name}"),
    }
}

/// Returns a value as text: null is the default. An error is the message for the user.
fn value_of(setting: Setting, value: &Input) -> Result<String, String> {
    let wrong_type = || {
        format!(
            "{} is invalid (one value is expected, not {})",
            setting.name(),
            value.kind()
        )
    };
    match value {
        Input::Null => Ok(setting.default_value().to_owned()),
        Input::List(items) if setting.value_type() == ValueType::List => {
            let texts: Option<Vec<_>> = items.iter().map(Input::as_text).collect();
            texts.map(|texts| texts.join(",")).ok_or_else(|| {
                format!(
                    "{} is invalid (a list of words is expected)",
                    setting.name()
                )
            })
        }
        value => value
            .as_text()
            .map(|text| text.into_owned())
            .ok_or_else(wrong_type),
    }
}
