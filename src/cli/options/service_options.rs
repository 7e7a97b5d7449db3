//! The options of the service: of `quarry serve`, `quarry demo` and `quarry config print`.

use super::backup_options::ScheduledBackupOptions;
use super::mail_options::{MailOptions, MailboxOptions};
use super::monitoring_options::MonitoringOptions;
use super::path_text;
use super::tls_options::TlsOptions;
use clap::Args;
use quarry_config::{Key, Limit};
use std::path::PathBuf;

/// The options of the service.
#[derive(Debug, Args)]
pub struct ServiceOptions {
    /// Address and port to listen on, or unix:PATH for a socket; port 0 selects a free port [default:
    /// 127.0.0.1:3000]
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<String>,
    /// Path of the service, such as /quarry, on a host name that others share [default: none]
    #[arg(long, value_name = "PATH")]
    base_path: Option<String>,
    /// Maximum size of a request body, such as 6MiB or a number of bytes [default: 6MiB]
    #[arg(long, value_name = "SIZE")]
    body_limit: Option<String>,
    /// Reverse proxies whose X-Forwarded-… headers are trusted: IP addresses and CIDR ranges,
    /// separated by commas [default: none]
    #[arg(long, value_name = "ADDRESSES")]
    trusted_proxies: Option<String>,
    /// Folder that all nodes share, for the files of a store in PostgreSQL [default: the database]
    #[arg(long, value_name = "DIR")]
    files: Option<PathBuf>,
    #[command(flatten)]
    mail: MailOptions,
    #[command(flatten)]
    mailbox: MailboxOptions,
    #[command(flatten)]
    monitoring: MonitoringOptions,
    #[command(flatten)]
    tls: TlsOptions,
    #[command(flatten)]
    backup: ScheduledBackupOptions,
    /// Change a limit that protects the service, such as max_connections=2000; 0 disables it
    /// (docs/operations.md lists them)
    #[arg(long = "limit", value_name = "NAME=VALUE", value_parser = parse_limit)]
    limits: Vec<(Limit, String)>,
}

impl ServiceOptions {
    /// Returns the values of the configuration keys.
    pub fn values(&self) -> impl Iterator<Item = (Key, Option<String>)> {
        let values = [
            (Key::Listen, self.listen.clone()),
            (Key::BasePath, self.base_path.clone()),
            (Key::BodyLimit, self.body_limit.clone()),
            (Key::TrustedProxies, self.trusted_proxies.clone()),
            (Key::Files, self.files.as_deref().map(path_text)),
        ];
        let limits = self.limits.iter();
        let limits = limits.map(|(limit, value)| (Key::Limit(*limit), Some(value.clone())));
        values
            .into_iter()
            .chain(self.mail.values())
            .chain(self.mailbox.values())
            .chain(self.monitoring.values())
            .chain(self.tls.values())
            .chain(self.backup.values())
            .chain(limits)
    }
}

fn parse_limit(text: &str) -> Result<(Limit, String), String> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE")?;
    let limit = name.parse().map_err(|_| {
        let names: Vec<&str> = Limit::ALL.iter().map(|limit| limit.name()).collect();
        format!("the limits are {}", names.join(", "))
    })?;
    Ok((limit, value.to_owned()))
}
