//! `quarry secret`: the secret of a data folder.

use super::arguments::SecretCommand;
use super::folder::{self, SECRET, State};
use super::misuse::Misuse;
use crate::config::Config;
use crate::store::secrets::Secrets;
use std::io::Write;

/// Runs the command.
pub fn run(config: &Config, command: &SecretCommand, out: &mut dyn Write) -> anyhow::Result<()> {
    match command {
        SecretCommand::Reset => reset(config, out),
    }
}

/// Creates a secret where it is missing; one that is there is never replaced.
fn reset(config: &Config, out: &mut dyn Write) -> anyhow::Result<()> {
    let path = config.data.join(SECRET);
    if folder::state(&config.data)? != State::Ours {
        return Err(folder::not_ours(&config.data).into());
    }
    if path.exists() {
        let problem = format!("{} is there; move it away first if every API key shall stop working", path.display());
        return Err(Misuse(problem).into());
    }
    Secrets::create(&config.data)?;
    writeln!(out, "{} is a new secret; what was sealed under the lost one cannot be read any more:", path.display())?;
    writeln!(out, "  API keys: make them again with `quarry user key LOGIN --reset`")?;
    writeln!(out, "  second factors and passwords of directories (LDAP) that came with an import: set them up again")?;
    Ok(())
}
