//! `quarry secret`: manages the secret of a data folder.

use super::arguments::SecretCommand;
use super::audit;
use super::data_folder::{self, FolderState, SECRET};
use super::output::usage_error::UsageError;
use quarry_app::store_location;
use quarry_config::Config;
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_store::Store;
use quarry_store::data_folder::file_mode;
use quarry_store::data_folder::folder_lock::FolderLock;
use std::io::Write;
use std::path::Path;

/// Runs the command.
pub fn run(config: &Config, command: &SecretCommand, out: &mut dyn Write) -> anyhow::Result<()> {
    match command {
        SecretCommand::Reset => reset(config, out)?,
    }
    let store = Store::open_secondary(store_location::configured(config)?)?;
    store.record_event(AuditEvent::new(RecordType::Secret, 0, "replaced"))?;
    store.close();
    Ok(())
}

/// Creates a missing secret. An existing one is never replaced. Fails while a service runs, because
/// the service would go on to encrypt with the secret that it read at its start.
fn reset(config: &Config, out: &mut dyn Write) -> anyhow::Result<()> {
    let path = config.data.join(SECRET);
    if config.server.is_some() {
        return reset_for_nodes(config, &path, out);
    }
    if data_folder::state(&config.data)? != FolderState::Initialized {
        return Err(data_folder::not_initialized_error(&config.data).into());
    }
    check_missing(&path)?;
    if FolderLock::is_held(&config.data) {
        return Err(UsageError(format!(
            "a service is running on {}; stop it first",
            config.data.display()
        ))
        .into());
    }
    Store::reset_secret(&store_location::configured(config)?)?;
    describe(&path, out)
}

/// Creates a secret for all nodes in front of a server. Fails while one of them runs.
fn reset_for_nodes(config: &Config, path: &Path, out: &mut dyn Write) -> anyhow::Result<()> {
    check_missing(path)?;
    file_mode::create_dir(&config.data)?;
    Store::reset_secret(&store_location::configured(config)?)?;
    describe(path, out)?;
    writeln!(
        out,
        "copy it to the data folder of every node before they start: all of them need the same"
    )?;
    Ok(())
}

fn check_missing(path: &Path) -> anyhow::Result<()> {
    if path.exists() {
        let message = format!(
            "{} exists; move it away first if all API keys should stop working",
            path.display()
        );
        return Err(UsageError(message).into());
    }
    Ok(())
}

/// Logs that there is a new secret, and says what it means.
fn describe(path: &Path, out: &mut dyn Write) -> anyhow::Result<()> {
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
