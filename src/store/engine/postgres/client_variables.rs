//! Environment variables with which PostgreSQL's own programs connect to the database.

use super::server::Server;
use std::ffi::OsString;
use std::sync::atomic::Ordering;
use tokio_postgres::Config;
use tokio_postgres::config::Host;

/// The file with the public authorities, where Debian and its derivatives have it.
const PUBLIC_ROOTS: &str = "/etc/ssl/certs/ca-certificates.crt";
impl Server {
    /// Returns the name of the database.
    pub fn database(&self) -> String {
        let name = self.last_config().and_then(Config::get_dbname);
        name.unwrap_or_default().to_owned()
    }

    fn last_config(&self) -> Option<&Config> {
        self.hosts.get(self.last_host.load(Ordering::Relaxed))
    }

    /// Returns the environment variables with which PostgreSQL's own programs connect to the host that
    /// has accepted the last connection.
    pub fn client_variables(&self) -> Vec<(&'static str, OsString)> {
        let mut variables: Vec<(&'static str, OsString)> = Vec::new();
        let Some(config) = self.last_config() else {
            return variables;
        };
        match config.get_hosts().first() {
            Some(Host::Tcp(host)) => variables.push(("PGHOST", host.into())),
            #[cfg(unix)]
            Some(Host::Unix(path)) => variables.push(("PGHOST", path.into())),
            #[cfg(not(unix))]
            Some(_) => {}
            None => {}
        }
        if let Some(port) = config.get_ports().first() {
            variables.push(("PGPORT", port.to_string().into()));
        }
        if let Some(user) = config.get_user() {
            variables.push(("PGUSER", user.into()));
        }
        if let Some(name) = config.get_dbname() {
            variables.push(("PGDATABASE", name.into()));
        }
        if let Some(password) = config.get_password() {
            let password = String::from_utf8_lossy(password).into_owned();
            variables.push(("PGPASSWORD", password.into()));
        }
        let mode = match &self.tls_options {
            None => "disable",
            Some(options) if options.is_verified => "verify-full",
            Some(_) => "require",
        };
        variables.push(("PGSSLMODE", mode.into()));
        if let Some(options) = self
            .tls_options
            .as_ref()
            .filter(|options| options.is_verified)
        {
            let root = options.root.clone().unwrap_or_else(|| PUBLIC_ROOTS.into());
            variables.push(("PGSSLROOTCERT", root.into()));
        }
        variables
    }
}
