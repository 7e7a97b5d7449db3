//! The files of the configuration of the index: those that are built into the program, and changed
//! copies of them.

use super::config::{ConfigError, IndexConfig, config_error};
use std::path::Path;

/// The files with their names in error messages.
pub(super) const FILES: [(&str, &str); 8] = [
    (
        "index.toml",
        include_str!("../../../index-schema/index.toml"),
    ),
    (
        "issue.toml",
        include_str!("../../../index-schema/issue.toml"),
    ),
    ("news.toml", include_str!("../../../index-schema/news.toml")),
    (
        "document.toml",
        include_str!("../../../index-schema/document.toml"),
    ),
    (
        "changeset.toml",
        include_str!("../../../index-schema/changeset.toml"),
    ),
    (
        "wiki_page.toml",
        include_str!("../../../index-schema/wiki_page.toml"),
    ),
    (
        "message.toml",
        include_str!("../../../index-schema/message.toml"),
    ),
    (
        "project.toml",
        include_str!("../../../index-schema/project.toml"),
    ),
];

impl IndexConfig {
    /// Returns the configuration that is built into the binary.
    pub fn embedded() -> Result<IndexConfig, ConfigError> {
        let in_folder = |error| in_folder(Path::new("index-schema"), error);
        IndexConfig::parse(FILES).map_err(in_folder)
    }

    /// Reads the configuration from a folder with files of the same names.
    ///
    /// # Errors
    /// If a file cannot be read, or is invalid.
    pub fn read(folder: &Path) -> Result<IndexConfig, ConfigError> {
        let mut texts = Vec::with_capacity(FILES.len());
        for (name, _) in FILES {
            let text = std::fs::read_to_string(folder.join(name))
                .map_err(|error| config_error(name, format!("cannot be read: {error}")))
                .map_err(|error| in_folder(folder, error))?;
            texts.push(text);
        }
        let mut texts = texts.iter();
        let files = FILES.map(|(name, _)| (name, texts.next().map_or("", String::as_str)));
        IndexConfig::parse(files).map_err(|error| in_folder(folder, error))
    }
}

/// Adds the folder to the name of the file.
fn in_folder(folder: &Path, error: ConfigError) -> ConfigError {
    ConfigError {
        file: folder.join(&error.file).display().to_string(),
        ..error
    }
}
