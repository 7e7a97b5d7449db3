//! Where the configured store is.

use quarry_config::{Config, ServerConfig};
use quarry_store::{Place, Server, StoreError};

/// Returns the place of the configured store. Fails when the URL of the server or the file with its
/// password cannot be used.
pub fn configured(config: &Config) -> Result<Place, StoreError> {
    Ok(Place {
        folder: config.data.clone(),
        server: config.server.as_ref().map(server).transpose()?,
        files: config
            .server
            .as_ref()
            .and_then(|server| server.files.clone()),
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
