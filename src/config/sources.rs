//! The sources of the configuration. Each value has its origin, for error messages.

use super::error::ConfigError;
use super::key::Key;
use quarry_domain::values::edit_distance::nearest;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The name of the configuration file in the data folder.
pub const FILE: &str = "quarry.toml";

/// Known variables other than those of the keys.
const OTHER_VARIABLES: [&str; 3] = [
    "QUARRY_CONFIG",
    "QUARRY_ADMIN_PASSWORD",
    "QUARRY_IMPORT_PASSWORD",
];

/// The configuration flags of the command line.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// The file of `--config`.
    pub config: Option<PathBuf>,
    pub values: Vec<(Key, String)>,
}

/// The `QUARRY_*` variables. An empty one counts as unset.
#[derive(Clone, Debug, Default)]
pub struct Environment(Vec<(String, String)>);

impl Environment {
    /// Selects the `QUARRY_*` variables. Fails for unknown ones.
    pub fn from_variables(
        variables: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Environment, ConfigError> {
        let names: Vec<String> = Key::all()
            .map(Key::variable)
            .chain(OTHER_VARIABLES.map(str::to_owned))
            .collect();
        let mut selected = Vec::new();
        for (name, value) in variables {
            let Some(name) = name.to_str().filter(|name| name.starts_with("QUARRY_")) else {
                continue;
            };
            if !names.iter().any(|known| known == name) {
                let nearest = nearest(name, names.iter().map(String::as_str)).map(str::to_owned);
                return Err(ConfigError::Unknown {
                    origin: format!("the environment variable {name}"),
                    nearest,
                });
            }
            let Ok(value) = value.into_string() else {
                return Err(ConfigError::Value {
                    origin: name.to_owned(),
                    value: None,
                    expected: "valid UTF-8",
                });
            };
            if !value.is_empty() {
                selected.push((name.to_owned(), value));
            }
        }
        Ok(Environment(selected))
    }

    /// Returns the value of a variable.
    pub fn find(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }
}

struct Value {
    key: Key,
    text: String,
    origin: String,
}

/// The values of all sources, in order of precedence.
pub struct Values(Vec<Value>);

impl Values {
    /// Loads all sources. `default_data` is the data folder when none has one.
    pub fn load(
        flags: &Flags,
        environment: &Environment,
        default_data: &str,
    ) -> Result<Values, ConfigError> {
        let mut values = Values(Vec::new());
        for (key, text) in &flags.values {
            values.0.push(Value {
                key: *key,
                text: text.clone(),
                origin: key.flag(),
            });
        }
        for key in Key::all() {
            let variable = key.variable();
            if let Some(text) = environment.find(&variable) {
                values.0.push(Value {
                    key,
                    text: text.to_owned(),
                    origin: variable,
                });
            }
        }
        let path = flags
            .config
            .clone()
            .or_else(|| environment.find("QUARRY_CONFIG").map(PathBuf::from));
        if let Some(path) = path {
            values.0.extend(parse_file(&path)?);
            return Ok(values);
        }
        let path = Path::new(values.text(Key::Data, default_data)).join(FILE);
        if path.is_file() {
            let file_values = parse_file(&path)?;
            if file_values.iter().any(|value| value.key == Key::Data) {
                return Err(ConfigError::Circular {
                    path: path.display().to_string(),
                });
            }
            values.0.extend(file_values);
        }
        Ok(values)
    }

    /// Returns the value of the first source that has one.
    pub fn find(&self, key: Key) -> Option<&str> {
        self.first(key).map(|value| value.text.as_str())
    }

    /// Returns the value, or the default.
    pub fn text<'a>(&'a self, key: Key, default: &'a str) -> &'a str {
        self.find(key).unwrap_or(default)
    }

    /// Parses the value or the default. The error has the description of what was `expected`.
    pub fn parse<T>(
        &self,
        key: Key,
        default: &str,
        expected: &'static str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<T, ConfigError> {
        let (text, origin) = self
            .first(key)
            .map_or((default, key.name()), |value| (&value.text, &value.origin));
        parse(text.trim()).ok_or_else(|| ConfigError::Value {
            origin: origin.to_owned(),
            // A password may stand anywhere in a wrong URL.
            value: (!key.is_secret()).then(|| text.to_owned()),
            expected,
        })
    }

    fn first(&self, key: Key) -> Option<&Value> {
        self.0.iter().find(|value| value.key == key)
    }
}

fn file_error(path: &Path, problem: String) -> ConfigError {
    ConfigError::File {
        path: path.display().to_string(),
        problem,
    }
}

/// Parses a file. Paths in it are relative to its folder.
fn parse_file(path: &Path) -> Result<Vec<Value>, ConfigError> {
    let text =
        std::fs::read_to_string(path).map_err(|error| file_error(path, error.to_string()))?;
    let table: toml::Table = text
        .parse()
        .map_err(|error: toml::de::Error| file_error(path, error_message(&error, &text)))?;
    let mut values = Vec::new();
    for (name, value) in table {
        let origin = format!("`{name}` in {}", path.display());
        let Some(key) = Key::by_name(&name) else {
            let nearest = nearest(&name, Key::all().map(Key::name)).map(|name| format!("`{name}`"));
            return Err(ConfigError::Unknown { origin, nearest });
        };
        let text = match value {
            toml::Value::String(text) => text,
            toml::Value::Integer(number) => number.to_string(),
            value => {
                return Err(ConfigError::Value {
                    origin,
                    value: Some(value.to_string()),
                    expected: "a text or a whole number",
                });
            }
        };
        let text = match key {
            Key::Data
            | Key::Index
            | Key::Files
            | Key::StorePasswordFile
            | Key::MailPasswordFile
            | Key::MailImapPasswordFile
            | Key::MailImapCaFile => path
                .parent()
                .unwrap_or(Path::new(""))
                .join(text)
                .display()
                .to_string(),
            _ => text,
        };
        values.push(Value { key, text, origin });
    }
    Ok(values)
}

fn error_message(error: &toml::de::Error, text: &str) -> String {
    let line = error
        .span()
        .map(|span| 1 + text[..span.start].matches('\n').count());
    let message = error.message().lines().collect::<Vec<_>>().join(", ");
    line.map_or(message.clone(), |line| format!("line {line}: {message}"))
}
