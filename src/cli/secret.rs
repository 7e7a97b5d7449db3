//! `quarry secret`: manages the secret of a data folder.

use super::arguments::SecretCommand;
use super::audit;
use super::data_folder::{self, FolderState, SECRET};
use super::usage_error::UsageError;
use quarry_config::Config;
use quarry_store::data_folder::folder_lock::FolderLock;
use quarry_store::data_folder::secrets::Secrets;
use std::io::Write;

/// Runs the command.
pub fn run(config: &Config, command: &SecretCommand, out: &mut dyn Write) -> anyhow::Result<()> {
    match command {
        SecretCommand::Reset => reset(config, out),
    }
}

/// Creates a missing secret. An existing one is never replaced. Fails while a service runs, because
/// the service would go on to encrypt with the secret that it read at its start.
fn reset(config: &Config, out: &mut dyn Write) -> anyhow::Result<()> {
    let path = config.data.join(SECRET);
    if data_folder::state(&config.data)? != FolderState::Initialized {
        return Err(data_folder::not_initialized_error(&config.data).into());
    }
    if path.exists() {
        let message = format!(
            "{} exists; move it away first if all API keys should stop working",
            path.display()
        );
        return Err(UsageError(message).into());
    }
    if FolderLock::is_held(&config.data) {
        return Err(UsageError(format!(
            "a service is running on {}; stop it first",
            config.data.display()
        ))
        .into());
    }
    Secrets::create(&config.data)?;
    audit::log_new_secret();
    writeln!(
        out,
        "{} is a new secret; data that was encrypted with the lost one cannot be read any more:",
        path.display()
    )?;
    writeln!(
        out,
        "  API keys: create new ones with `quarry user key LOGIN --reset`"
    )?;
    writeln!(
        out,
        "  OAuth applications: give each a new secret; people must allow them again"
    )?;
    writeln!(
        out,
        "  imported second factors and LDAP passwords: set them up again"
    )?;
    Ok(())
}
