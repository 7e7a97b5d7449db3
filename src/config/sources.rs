//! The sources of values, each with the place to name when a value is wrong.

use super::{ConfigError, FILE, Key};
use crate::domain::nearest::nearest;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Variables that are known beside those of the keys.
const OTHER_VARIABLES: [&str; 3] = ["QUARRY_CONFIG", "QUARRY_ADMIN_PASSWORD", "QUARRY_IMPORT_PASSWORD"];

/// What the command line gives.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// The file named by `--config`.
    pub config: Option<PathBuf>,
    /// The values of flags.
    pub values: Vec<(Key, String)>,
}

/// The `QUARRY_*` variables that are set. An empty one counts as not set.
#[derive(Clone, Debug, Default)]
pub struct Environment(Vec<(String, String)>);

impl Environment {
    /// Takes the variables that concern us. Fails on one that nobody knows.
    pub fn of(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Result<Environment, ConfigError> {
        let known: Vec<String> = Key::all().map(Key::variable).chain(OTHER_VARIABLES.map(str::to_owned)).collect();
        let mut ours = Vec::new();
        for (name, value) in variables {
            let Some(name) = name.to_str().filter(|name| name.starts_with("QUARRY_")) else { continue };
            if !known.iter().any(|known| known == name) {
                let nearest = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
                return Err(ConfigError::Unknown { place: format!("the environment variable {name}"), nearest });
            }
            let Ok(value) = value.into_string() else {
                return Err(ConfigError::Value { place: name.to_owned(), value: "…".to_owned(), expected: "valid UTF-8" });
            };
            if !value.is_empty() {
                ours.push((name.to_owned(), value));
            }
        }
        Ok(Environment(ours))
    }

    /// The value of a variable.
    pub fn find(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

struct Value {
    key: Key,
    text: String,
    place: String,
}

/// The values of all sources, the strongest first.
pub struct Values(Vec<Value>);

impl Values {
    /// Reads all sources. `folder` is the data folder when none names one.
    pub fn gather(flags: &Given, environment: &Environment, folder: &str) -> Result<Values, ConfigError> {
        let mut values = Values(Vec::new());
        for (key, text) in &flags.values {
            values.0.push(Value { key: *key, text: text.clone(), place: key.flag() });
        }
        for key in Key::all() {
            let variable = key.variable();
            if let Some(text) = environment.find(&variable) {
                values.0.push(Value { key, text: text.to_owned(), place: variable });
            }
        }
        let named = flags.config.clone().or_else(|| environment.find("QUARRY_CONFIG").map(PathBuf::from));
        if let Some(path) = named {
            values.0.extend(read(&path)?);
            return Ok(values);
        }
        let found = Path::new(values.text(Key::Data, folder)).join(FILE);
        if found.is_file() {
            let read = read(&found)?;
            if read.iter().any(|value| value.key == Key::Data) {
                return Err(ConfigError::Circular { path: found.display().to_string() });
            }
            values.0.extend(read);
        }
        Ok(values)
    }

    /// The value of the strongest source that has one.
    pub fn find(&self, key: Key) -> Option<&str> {
        self.strongest(key).map(|value| value.text.as_str())
    }

    /// The value, or the default.
    pub fn text<'a>(&'a self, key: Key, default: &'a str) -> &'a str {
        self.find(key).unwrap_or(default)
    }

    /// The value or the default, understood by `parse`; the error says what was `expected`.
    pub fn parse<T>(&self, key: Key, default: &str, expected: &'static str, parse: impl Fn(&str) -> Option<T>) -> Result<T, ConfigError> {
        let (text, place) = self.strongest(key).map_or((default, key.name()), |value| (&value.text, &value.place));
        parse(text.trim()).ok_or_else(|| ConfigError::Value { place: place.to_owned(), value: text.to_owned(), expected })
    }

    fn strongest(&self, key: Key) -> Option<&Value> {
        self.0.iter().find(|value| value.key == key)
    }
}

/// Reads a file; paths in it are meant from the folder in which it lies.
fn read(path: &Path) -> Result<Vec<Value>, ConfigError> {
    let unreadable = |problem: String| ConfigError::File { path: path.display().to_string(), problem };
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| unreadable(in_one_line(&error, &text)))?;
    let mut values = Vec::new();
    for (name, value) in table {
        let place = format!("`{name}` in {}", path.display());
        let Some(key) = Key::by_name(&name) else {
            let nearest = nearest(&name, Key::all().map(Key::name)).map(|name| format!("`{name}`"));
            return Err(ConfigError::Unknown { place, nearest });
        };
        let text = match value {
            toml::Value::String(text) => text,
            toml::Value::Integer(number) => number.to_string(),
            other => return Err(ConfigError::Value { place, value: other.to_string(), expected: "a text or a whole number" }),
        };
        let text = match key {
            Key::Data | Key::Index => path.parent().unwrap_or(Path::new("")).join(text).display().to_string(),
            _ => text,
        };
        values.push(Value { key, text, place });
    }
    Ok(values)
}

fn in_one_line(error: &toml::de::Error, text: &str) -> String {
    let line = error.span().map(|span| 1 + text[..span.start].matches('\n').count());
    let message = error.message().lines().collect::<Vec<_>>().join(", ");
    line.map_or(message.clone(), |line| format!("line {line}: {message}"))
}
