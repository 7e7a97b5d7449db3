//! Where the configured store is.

use quarry_config::{Config, ServerConfig};
use quarry_store::{Place, Server, StoreError};
use std::path::Path;

/// Returns the place of the configured store. Fails when the URL of the server or the file with its
/// password cannot be used.
pub fn configured(config: &Config) -> Result<Place, StoreError> {
    match &config.server {
        Some(server) => on_server(&config.data, server),
        None => Ok(Place::from(&config.data)),
    }
}

/// Returns the place of a store in this database with this data folder. Fails as [`configured`] does.
pub fn on_server(data: &Path, config: &ServerConfig) -> Result<Place, StoreError> {
    Ok(Place {
        folder: data.to_owned(),
        server: Some(server(config)?),
        files: config.files.clone(),
    })
}

fn server(config: &ServerConfig) -> Result<Server, StoreError> {
    let password = match &config.password_file {
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .map_err(|error| StoreError::Folder(path.display().to_string(), error))?;
            Some(text.lines().next().unwrap_or_default().to_owned())
        }
        None => None,
    };
    Ok(Server::parse(
        &config.url,
        password.as_deref(),
        config.max_connections,
    )?)
}
