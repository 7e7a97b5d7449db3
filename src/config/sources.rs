//! The sources of the configuration. Each value has its origin, for error messages.

use super::base_path::{BASE_PATH_EXPECTED, BasePath};
use super::config_file::{ConfigFile, Value, parse_file};
use super::error::ConfigError;
use super::key::Key;
use super::secret_file;
use quarry_domain::values::edit_distance::nearest;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The name of the configuration file in the data folder.
pub const FILE: &str = "quarry.toml";

/// The variable that names the configuration file.
const FILE_VARIABLE: &str = "QUARRY_CONFIG";
/// Variables with secrets that are not keys.
const SECRET_VARIABLES: [&str; 2] = ["QUARRY_ADMIN_PASSWORD", "QUARRY_IMPORT_PASSWORD"];
/// Prefix of the names of variables.
const VARIABLE_PREFIX: &str = "QUARRY_";
/// Suffix of the variable with the path of a secret's file, after the name of the variable with the
/// secret.
const FILE_SUFFIX: &str = "_FILE";
/// The variable with the folder of the credentials that systemd passes to a service.
const CREDENTIALS_VARIABLE: &str = "CREDENTIALS_DIRECTORY";
/// Prefix of the names of credentials for this program.
const CREDENTIAL_PREFIX: &str = "quarry.";

/// The configuration flags of the command line.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// The file of `--config`.
    pub config: Option<PathBuf>,
    pub values: Vec<(Key, String)>,
}

/// The `QUARRY_*` variables, and the credentials that systemd passed. An empty variable counts as
/// unset.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    variables: Vec<(String, String)>,
    /// The names of the credentials with the paths of their files.
    credentials: Vec<(String, PathBuf)>,
}

/// A secret and its source.
struct Secret {
    text: String,
    origin: String,
}

impl Environment {
    /// Selects the `QUARRY_*` variables, and the credentials called `quarry.…`. Fails for unknown ones.
    pub fn from_variables(
        variables: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Environment, ConfigError> {
        let names = variable_names();
        let mut environment = Environment::default();
        for (name, value) in variables {
            let Some(name) = name.to_str() else {
                continue;
            };
            if name == CREDENTIALS_VARIABLE {
                environment.credentials = list_credentials(Path::new(&value))?;
            }
            if !name.starts_with(VARIABLE_PREFIX) {
                continue;
            }
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
                environment.variables.push((name.to_owned(), value));
            }
        }
        Ok(environment)
    }

    /// Returns the value of a variable.
    fn find(&self, name: &str) -> Option<&str> {
        self.variables
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Returns a secret: the value of the variable, or the first line of the file that `…_FILE` names, or
    /// that of the credential `quarry.…`. The file is read now.
    pub fn find_secret(&self, variable: &str) -> Result<Option<String>, ConfigError> {
        Ok(self.load_secret(variable)?.map(|secret| secret.text))
    }

    fn load_secret(&self, variable: &str) -> Result<Option<Secret>, ConfigError> {
        let file_variable = format!("{variable}{FILE_SUFFIX}");
        let file = match (self.find(variable), self.find(&file_variable)) {
            (Some(_), Some(_)) => {
                return Err(ConfigError::SecretTwice {
                    variable: variable.to_owned(),
                });
            }
            (Some(text), None) => {
                return Ok(Some(Secret {
                    text: text.to_owned(),
                    origin: variable.to_owned(),
                }));
            }
            (None, Some(path)) => Some((Path::new(path), format!("{file_variable} ({path})"))),
            (None, None) => self
                .find_credential(&credential_name(variable))
                .map(|(path, origin)| (path.as_path(), origin)),
        };
        let Some((path, origin)) = file else {
            return Ok(None);
        };
        match secret_file::load(path) {
            Ok(text) => Ok(Some(Secret { text, origin })),
            Err(problem) => Err(ConfigError::SecretFile { origin, problem }),
        }
    }

    /// Returns the path of the file of a credential, and how it is called in messages.
    fn find_credential(&self, name: &str) -> Option<(&PathBuf, String)> {
        let (name, path) = self.credentials.iter().find(|(known, _)| known == name)?;
        Some((path, format!("the credential {CREDENTIAL_PREFIX}{name}")))
    }
}

/// Returns the names of all known variables.
fn variable_names() -> Vec<String> {
    let secrets = Key::all().filter(|key| key.is_secret()).map(Key::variable);
    let secrets = secrets.chain(SECRET_VARIABLES.map(str::to_owned));
    Key::all()
        .map(Key::variable)
        .chain([FILE_VARIABLE.to_owned()])
        .chain(SECRET_VARIABLES.map(str::to_owned))
        .chain(secrets.map(|name| name + FILE_SUFFIX))
        .collect()
}

/// Returns the name of the credential, without its prefix, that stands for a variable.
fn credential_name(variable: &str) -> String {
    variable
        .trim_start_matches(VARIABLE_PREFIX)
        .to_ascii_lowercase()
}

/// Lists the credentials in the folder whose names begin with the prefix. A folder that cannot be read
/// was passed to another program.
fn list_credentials(folder: &Path) -> Result<Vec<(String, PathBuf)>, ConfigError> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Ok(Vec::new());
    };
    let keys = Key::all().filter_map(Key::credential).map(str::to_owned);
    let known: Vec<String> = keys.chain(SECRET_VARIABLES.map(credential_name)).collect();
    let mut credentials = Vec::new();
    for entry in entries.flatten() {
        let file_name = entry.file_name();
        let Some(name) = file_name.to_str() else {
            continue;
        };
        let Some(name) = name.strip_prefix(CREDENTIAL_PREFIX) else {
            continue;
        };
        if !known.iter().any(|known| known == name) {
            return Err(ConfigError::Unknown {
                origin: format!("the credential {CREDENTIAL_PREFIX}{name}"),
                nearest: nearest(name, known.iter().map(String::as_str))
                    .map(|name| format!("{CREDENTIAL_PREFIX}{name}")),
            });
        }
        credentials.push((name.to_owned(), entry.path()));
    }
    Ok(credentials)
}

/// The values of all sources, in order of precedence. The file of `--config` may be a pipe, so they
/// are loaded once.
pub struct ConfigValues {
    values: Vec<Value>,
    file: Option<ConfigFile>,
    /// The data folder when no source has one.
    default_data: String,
}

impl ConfigValues {
    /// Loads all sources. `default_data` is the data folder when none has one.
    pub fn load(
        flags: &Flags,
        environment: &Environment,
        default_data: &str,
    ) -> Result<ConfigValues, ConfigError> {
        let mut values = ConfigValues {
            values: Vec::new(),
            file: None,
            default_data: default_data.to_owned(),
        };
        for (key, text) in &flags.values {
            values.values.push(Value {
                key: *key,
                text: text.clone(),
                origin: key.flag(),
            });
        }
        for key in Key::all() {
            // A secret of lower precedence is not read.
            if values.first(key).is_none() {
                values.values.extend(from_environment(key, environment)?);
            }
        }
        let path = flags
            .config
            .clone()
            .or_else(|| environment.find(FILE_VARIABLE).map(PathBuf::from));
        if let Some(path) = path {
            values.add_file(path)?;
            return Ok(values);
        }
        let path = values.data().join(FILE);
        if path.is_file() {
            let name = path.display().to_string();
            if values.add_file(path)? {
                return Err(ConfigError::Circular { path: name });
            }
        }
        Ok(values)
    }

    /// Fails if the base path begins with one of these first segments of addresses of the service,
    /// from which it could not be told.
    pub fn check_base_path(&self, reserved: &BTreeSet<String>) -> Result<(), ConfigError> {
        self.parse(Key::BasePath, "", BASE_PATH_EXPECTED, |text| {
            BasePath::parse(text).filter(|base_path| !base_path.begins_with_any(reserved))
        })?;
        Ok(())
    }

    /// Returns the data folder.
    pub(crate) fn data(&self) -> &Path {
        Path::new(self.text(Key::Data, &self.default_data))
    }

    /// Adds the values of a file. Returns whether it names the data folder.
    fn add_file(&mut self, path: PathBuf) -> Result<bool, ConfigError> {
        let values = parse_file(&path)?;
        let has_data = values.iter().any(|value| value.key == Key::Data);
        self.file = Some(ConfigFile { path });
        self.values.extend(values);
        Ok(has_data)
    }

    /// Returns the configuration file, if there is one.
    pub fn file(&self) -> Option<&ConfigFile> {
        self.file.as_ref()
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
            value: (!key.is_confidential()).then(|| text.to_owned()),
            expected,
        })
    }

    /// Returns the value of the first source that has one, with its origin.
    pub fn first(&self, key: Key) -> Option<&Value> {
        self.values.iter().find(|value| value.key == key)
    }
}

/// Returns the value of a key in the environment: of its variable, or of a credential.
fn from_environment(key: Key, environment: &Environment) -> Result<Option<Value>, ConfigError> {
    let variable = key.variable();
    if key.is_secret() {
        let secret = environment.load_secret(&variable)?;
        return Ok(secret.map(|Secret { text, origin }| Value { key, text, origin }));
    }
    if let Some(text) = environment.find(&variable) {
        return Ok(Some(Value {
            key,
            text: text.to_owned(),
            origin: variable,
        }));
    }
    let credential = key
        .credential()
        .and_then(|name| environment.find_credential(name));
    Ok(credential.map(|(path, origin)| Value {
        key,
        text: path.display().to_string(),
        origin,
    }))
}
