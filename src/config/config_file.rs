//! The configuration file.

use super::error::ConfigError;
use super::key::Key;
use super::redacted::redact;
use super::regular_file;
use quarry_domain::values::edit_distance::nearest;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// A value of a source.
pub struct Value {
    pub key: Key,
    pub text: String,
    /// The flag, variable, credential or key in the file.
    pub origin: String,
}

impl Value {
    /// Whether it is a URL of which `quarry config print` masks a part, or may be one with a typing error.
    fn may_have_password(&self) -> bool {
        let may_be_url = self.key.is_secret() || self.key == Key::AcmeDirectory;
        let is_incomplete_url = !self.text.contains("://") && self.text.contains(['@', '=']);
        may_be_url && (is_incomplete_url || redact(&self.text) != self.text)
    }
}

/// Maximum size of a configuration file in bytes.
const MAX_SIZE: u64 = 1024 * 1024;

/// The configuration file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigFile {
    pub path: PathBuf,
}

impl ConfigFile {
    /// Loads the present contents, which may have changed since they were loaded. Fails for anything but a
    /// regular file: a pipe can be read only once.
    pub fn load_contents(&self) -> io::Result<Vec<u8>> {
        regular_file::read(&self.path, MAX_SIZE)
    }
}

/// Whether the contents of a configuration file may have a password: in a URL, or because they are not
/// TOML, or have an unknown key or a value of a wrong type.
pub fn may_have_password(contents: &[u8]) -> bool {
    let text = std::str::from_utf8(contents).ok();
    match text.map(|text| parse_toml(Path::new(""), text)) {
        Some(Ok(values)) => values.iter().any(Value::may_have_password),
        _ => true,
    }
}

fn file_error(path: &Path, problem: String) -> ConfigError {
    ConfigError::File {
        path: path.display().to_string(),
        problem,
    }
}

/// Parses a file. Paths in it are relative to its folder.
pub fn parse_file(path: &Path) -> Result<Vec<Value>, ConfigError> {
    let text = read_text(path).map_err(|error| file_error(path, error.to_string()))?;
    parse_toml(path, &text)
}

/// Reads a file, which may be a pipe.
fn read_text(path: &Path) -> io::Result<String> {
    let bytes = regular_file::read_all(File::open(path)?, MAX_SIZE)?;
    String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8"))
}

fn parse_toml(path: &Path, text: &str) -> Result<Vec<Value>, ConfigError> {
    let table: toml::Table = text
        .parse()
        .map_err(|error: toml::de::Error| file_error(path, error_message(&error, text)))?;
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
                    value: (!key.is_confidential()).then(|| value.to_string()),
                    expected: "a text or a whole number",
                });
            }
        };
        let text = if key.is_path(&text) {
            let folder = path.parent().unwrap_or(Path::new(""));
            folder.join(text).display().to_string()
        } else {
            text
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
