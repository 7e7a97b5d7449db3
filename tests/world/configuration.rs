//! The configuration of a service for tests and benches.

use quarry::config::{BasePath, Config, Limits, LogFormat, Monitoring};
use quarry::domain::values::trusted_proxies::TrustedProxies;
use std::path::Path;

/// Returns the configuration of a service on this data folder, with SQLite, and without mail,
/// scheduled backups and log.
pub fn configuration(folder: &Path) -> Config {
    Config {
        data: folder.to_owned(),
        server: None,
        index: folder.join("index"),
        listen: "127.0.0.1:0".to_owned(),
        base_path: BasePath::default(),
        socket_mode: 0o660,
        tls: None,
        body_limit: 6 * 1024 * 1024,
        trusted_proxies: TrustedProxies::default(),
        mail: None,
        mail_imap: None,
        monitoring: Monitoring::default(),
        backup: None,
        backs_up_before_upgrade: true,
        file: None,
        log: "off".to_owned(),
        log_format: LogFormat::Text,
        limits: Limits::default(),
    }
}
