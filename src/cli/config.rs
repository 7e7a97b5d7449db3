//! `quarry config`: prints the effective configuration.

use super::options::service_options::ServiceOptions;
use clap::{Args, Subcommand};
use quarry_config::{ConfigValues, EffectiveConfig};
use std::io::Write;

/// The commands of `quarry config`.
#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Print the value of each key and its source, as a configuration file
    ///
    /// It takes the options of `quarry serve`, and shows the values that the service would use.
    /// Passwords in URLs are masked; the contents of password files are never shown.
    Print(PrintOptions),
}

/// The arguments of `quarry config print`.
#[derive(Debug, Args)]
pub struct PrintOptions {
    /// Mask the passwords in URLs, which is the default
    #[arg(long)]
    redact: bool,
    /// Show the passwords in URLs
    #[arg(long, conflicts_with = "redact")]
    show_passwords: bool,
    #[command(flatten)]
    pub service: ServiceOptions,
}

/// Prints the configuration.
pub fn print(
    options: &PrintOptions,
    values: &ConfigValues,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let config = EffectiveConfig::from_values(values, options.show_passwords)?;
    Ok(write!(out, "{config}")?)
}
