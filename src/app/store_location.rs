//! Where the configured store is.

use quarry_config::{Config, ServerConfig, secret_file};
use quarry_store::{Server, StoreError, StoreLocation};
use std::path::Path;

/// Returns the location of the configured store. Fails when the URL of the server or the file with its
/// password cannot be used.
pub fn configured(config: &Config) -> Result<StoreLocation, StoreError> {
    match &config.server {
        Some(server) => on_server(&config.data, server),
        None => Ok(StoreLocation {
            backs_up_before_upgrade: config.backs_up_before_upgrade,
            ..StoreLocation::from(&config.data)
        }),
    }
}

/// Returns the location of a store in this database with this data folder. Fails as [`configured`] does.
pub fn on_server(data: &Path, config: &ServerConfig) -> Result<StoreLocation, StoreError> {
    Ok(StoreLocation {
        folder: data.to_owned(),
        server: Some(server(config)?),
        files: config.files.clone(),
        backs_up_before_upgrade: false,
    })
}

fn server(config: &ServerConfig) -> Result<Server, StoreError> {
    let password = config.password_file.as_deref().map(|path| {
        secret_file::load(path).map_err(|problem| StoreError::PasswordFile {
            path: path.display().to_string(),
            problem,
        })
    });
    let password = password.transpose()?;
    Ok(Server::parse(
        &config.url,
        password.as_deref(),
        config.max_connections,
    )?)
}
