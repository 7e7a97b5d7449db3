//! Where the configured store is.

use quarry_config::{Config, ServerConfig};
use quarry_store::{Server, StoreError, StoreLocation};
use std::path::Path;

/// Returns the location of the configured store. Fails when the URL of the server or the file with its
/// password cannot be used.
pub fn configured(config: &Config) -> Result<StoreLocation, StoreError> {
    match &config.server {
        Some(server) => on_server(&config.data, server),
        None => Ok(StoreLocation::from(&config.data)),
    }
}

/// Returns the location of a store in this database with this data folder. Fails as [`configured`] does.
pub fn on_server(data: &Path, config: &ServerConfig) -> Result<StoreLocation, StoreError> {
    Ok(StoreLocation {
        folder: data.to_owned(),
        server: Some(server(config)?),
        files: config.files.clone(),
    })
}

fn server(config: &ServerConfig) -> Result<Server, StoreError> {
    let password = match &config.password_file {
        Some(path) => {
            let unusable = |problem: String| StoreError::PasswordFile {
                path: path.display().to_string(),
                problem,
            };
            let text =
                std::fs::read_to_string(path).map_err(|error| unusable(error.to_string()))?;
            match text.lines().next() {
                None | Some("") => return Err(unusable("its first line is empty".to_owned())),
                Some(password) => Some(password.to_owned()),
            }
        }
        None => None,
    };
    Ok(Server::parse(
        &config.url,
        password.as_deref(),
        config.max_connections,
    )?)
}
