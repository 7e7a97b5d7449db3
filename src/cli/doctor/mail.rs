//! Checks whether the mail servers can be reached.

use super::finding::Finding;
use quarry_config::{Config, MailServer, secret_file};
use std::net::{TcpStream, ToSocketAddrs};
use std::path::Path;
use std::time::Duration;

/// Time after which a server counts as unreachable.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum number of addresses of a host name that are tried.
const MAX_ADDRESSES: usize = 3;

/// Checks the servers for outgoing and incoming mail, without sending mail or logging in.
pub fn check(config: &Config, findings: &mut Vec<Finding>) {
    if let Some(mail) = &config.mail {
        match &mail.server {
            MailServer::Smtp(server) => {
                check_server("mail", &server.host, server.port, findings);
                check_password(
                    "mail_password_file",
                    server.password_file.as_deref(),
                    findings,
                );
            }
            MailServer::Sendmail(program) if !is_program(program) => {
                findings.push(Finding::error(
                    "mail-program",
                    format!("{} is not a program that can be run", program.display()),
                    "Install it, or change `mail`.",
                ));
            }
            MailServer::Sendmail(_) => {}
        }
    }
    if let Some(server) = &config.mail_imap {
        check_server("mail_imap", &server.host, server.port, findings);
        check_password(
            "mail_imap_password_file",
            server.password_file.as_deref(),
            findings,
        );
    }
}

fn check_server(key: &str, host: &str, port: u16, findings: &mut Vec<Finding>) {
    if let Err(problem) = connect(host, port) {
        findings.push(Finding::error(
            "mail-unreachable",
            format!("{host}:{port} of `{key}` cannot be reached: {problem}"),
            "Check host, port and firewall. `quarry mail test ADDRESS` sends a mail.",
        ));
    }
}

fn connect(host: &str, port: u16) -> Result<(), String> {
    let addresses = (host, port).to_socket_addrs();
    let addresses = addresses.map_err(|error| error.to_string())?;
    let mut problem = "the name has no address".to_owned();
    for address in addresses.take(MAX_ADDRESSES) {
        match TcpStream::connect_timeout(&address, TIMEOUT) {
            Ok(_) => return Ok(()),
            Err(error) => problem = error.to_string(),
        }
    }
    Err(problem)
}

fn check_password(key: &str, file: Option<&Path>, findings: &mut Vec<Finding>) {
    let Some(path) = file else { return };
    let Err(problem) = secret_file::load(path) else {
        return;
    };
    findings.push(Finding::error(
        "mail-password",
        format!(
            "the file of `{key}`, {}, cannot be used: {problem}",
            path.display()
        ),
        "Write the password into its first line, readable by the user of the service.",
    ));
}

fn is_program(path: &Path) -> bool {
    let metadata = std::fs::metadata(path);
    #[cfg(unix)]
    return metadata.is_ok_and(|metadata| {
        use std::os::unix::fs::PermissionsExt;
        metadata.is_file() && metadata.permissions().mode() & 0o111 != 0
    });
    #[cfg(not(unix))]
    metadata.is_ok_and(|metadata| metadata.is_file())
}
