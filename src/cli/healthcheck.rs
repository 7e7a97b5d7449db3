//! `quarry healthcheck`: checks that the running service answers.

use super::http_client::health;
use super::http_client::health_target::HealthTarget;
use super::options::tls_options::TlsOptions;
use anyhow::{Context, bail};
use clap::Args;
use quarry_config::{Config, Key};
use quarry_domain::values::text::escape_controls;
use std::io::Write;
use std::time::Duration;

/// The arguments of `quarry healthcheck`.
#[derive(Debug, Args)]
pub struct HealthcheckOptions {
    /// Check that the service is ready: it reaches the store, and its index has the last change
    #[arg(long)]
    ready: bool,
    /// Maximum time in seconds until the service has answered
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=600))]
    timeout: u64,
    /// Address and port of the service [default: `listen` of the configuration]
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<String>,
    #[command(flatten)]
    tls: TlsOptions,
}

impl HealthcheckOptions {
    /// Returns the values of the configuration keys.
    pub fn values(&self) -> impl Iterator<Item = (Key, Option<String>)> {
        let listen = (Key::Listen, self.listen.clone());
        [listen].into_iter().chain(self.tls.values())
    }
}

/// Sends a request to the configured service. Fails unless it answers with 200 in time, and with the
/// certificate of `tls_certificate`, if that is configured.
pub fn run(
    config: &Config,
    options: &HealthcheckOptions,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let path = if options.ready { "/readyz" } else { "/healthz" };
    let target = HealthTarget::from_config(config)?.with_certificate_of(config)?;
    let url = format!("{target}{path}");
    let response = health::get(&target, path, Duration::from_secs(options.timeout))
        .with_context(|| format!("{url} does not answer"))?;
    // Another program may listen there: its response must not control the terminal.
    let text = escape_controls(response.text.trim());
    if response.status != 200 {
        bail!("{url} answers {}: {text}", response.status);
    }
    Ok(writeln!(out, "{text}")?)
}
