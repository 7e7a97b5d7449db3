//! The options of every command.

use super::path_text;
use clap::Args;
use quarry_config::Key;
use std::path::PathBuf;

/// The options of every command.
#[derive(Debug, Args)]
pub struct GlobalOptions {
    /// Data folder [default: data; for `quarry demo`, demo-data]
    #[arg(long, value_name = "DIR", global = true)]
    data: Option<PathBuf>,
    /// Configuration file in TOML [default: quarry.toml in the data folder, if there is one]
    #[arg(long, value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,
    /// PostgreSQL database, as postgres://USER@HOST/DATABASE [default: SQLite in the data folder]
    #[arg(long, value_name = "URL", global = true)]
    store: Option<String>,
    /// File whose first line is the password of that database
    #[arg(long, value_name = "FILE", global = true)]
    store_password_file: Option<PathBuf>,
    /// Maximum number of connections to that database [default: 20]
    #[arg(long, value_name = "COUNT", global = true)]
    store_connections: Option<String>,
    /// Folder of the search index [default: index in the data folder]
    #[arg(long, value_name = "DIR", global = true)]
    index: Option<PathBuf>,
    /// What to log, such as info or quarry=debug,audit=info,warn [default: info]
    #[arg(long, value_name = "FILTER", global = true)]
    log: Option<String>,
    /// How to log: text or json [default: text]
    #[arg(long, value_name = "FORMAT", global = true)]
    log_format: Option<String>,
}

impl GlobalOptions {
    /// Returns the values of the configuration keys. `--config` is not a key.
    pub fn values(&self) -> [(Key, Option<String>); 7] {
        [
            (Key::Data, self.data.as_deref().map(path_text)),
            (Key::Store, self.store.clone()),
            (
                Key::StorePasswordFile,
                self.store_password_file.as_deref().map(path_text),
            ),
            (Key::StoreConnections, self.store_connections.clone()),
            (Key::Index, self.index.as_deref().map(path_text)),
            (Key::Log, self.log.clone()),
            (Key::LogFormat, self.log_format.clone()),
        ]
    }
}
