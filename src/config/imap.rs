//! The keys `mail_imap`, `mail_imap_password_file` and `mail_imap_ca_file`.

use super::error::ConfigError;
use super::key::Key;
use super::mail::Encryption;
use super::server_url::{ServerUrl, write_server};
use super::sources::ConfigValues;
use std::fmt;
use std::path::PathBuf;

/// The mailbox, unless the URL names another one.
const INBOX: &str = "INBOX";

/// A mailbox from which mails are received by IMAP.
#[derive(Clone, PartialEq, Eq)]
pub struct ImapServer {
    pub host: String,
    pub port: u16,
    /// [`Encryption::Opportunistic`] stands for no encryption, to this machine.
    pub encryption: Encryption,
    pub user: String,
    /// The password in the URL.
    pub password: Option<String>,
    /// The file whose first line is the password.
    pub password_file: Option<PathBuf>,
    /// The PEM file with the certificates of trusted authorities, in place of those of the system.
    pub ca_file: Option<PathBuf>,
    pub mailbox: String,
}

impl fmt::Debug for ImapServer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ImapServer({self})")
    }
}

/// The URL without the password.
impl fmt::Display for ImapServer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = match self.encryption {
            Encryption::Implicit => "imaps",
            Encryption::Required | Encryption::Opportunistic => "imap",
        };
        write_server(formatter, scheme, Some(&self.user), &self.host, self.port)?;
        write!(formatter, "/{}", self.mailbox)
    }
}

/// Loads the mailbox; `None` if `mail_imap` is missing or `off`.
pub fn load(values: &ConfigValues) -> Result<Option<ImapServer>, ConfigError> {
    let server = values.parse(
        Key::MailImap,
        "off",
        "imaps://USER@HOST, imaps://USER@HOST:993/MAILBOX, imap://USER@HOST or off",
        parse_mailbox,
    )?;
    let Some(mut server) = server else {
        return Ok(None);
    };
    server.password_file = values.find(Key::MailImapPasswordFile).map(PathBuf::from);
    server.ca_file = values.find(Key::MailImapCaFile).map(PathBuf::from);
    Ok(Some(server))
}

fn parse_mailbox(value: &str) -> Option<Option<ImapServer>> {
    if value == "off" {
        return Some(None);
    }
    // Names with other characters must be given in modified UTF-7, as they are sent unchanged.
    let url = ServerUrl::parse(value).filter(|url| url.path.is_ascii())?;
    let (encryption, default_port) = match url.scheme.as_str() {
        "imaps" => (Encryption::Implicit, 993),
        // A password never leaves this machine unencrypted.
        "imap" if url.is_loopback() => (Encryption::Opportunistic, 143),
        "imap" => (Encryption::Required, 143),
        _ => return None,
    };
    Some(Some(ImapServer {
        encryption,
        port: url.port.unwrap_or(default_port),
        user: url.user?,
        host: url.host,
        password: url.password,
        password_file: None,
        ca_file: None,
        mailbox: Some(url.path)
            .filter(|path| !path.is_empty())
            .unwrap_or_else(|| INBOX.to_owned()),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn url_says_mailbox_and_encryption() {
        for (url, encryption, port, mailbox) in [
            ("imaps://a@example.org", Encryption::Implicit, 993, "INBOX"),
            (
                "imaps://a@example.org:1993/In/Box",
                Encryption::Implicit,
                1993,
                "In/Box",
            ),
            ("imap://a@example.org/", Encryption::Required, 143, "INBOX"),
            (
                "imap://a@[::1]:1143/My%20Mail",
                Encryption::Opportunistic,
                1143,
                "My Mail",
            ),
        ] {
            let server = parse_mailbox(url).flatten().unwrap();
            assert_eq!(
                (server.encryption, server.port, server.mailbox.as_str()),
                (encryption, port, mailbox),
                "{url}"
            );
        }
    }

    #[test]
    fn password_is_never_shown() {
        let server = parse_mailbox("imaps://me%40a.org:p%3Aw@b@example.org")
            .flatten()
            .unwrap();
        assert_eq!(server.user, "me@a.org");
        assert_eq!(server.password.as_deref(), Some("p:w@b"));
        assert_eq!(server.to_string(), "imaps://me@a.org@example.org:993/INBOX");
        assert!(!format!("{server:?}").contains("p:w"));
    }

    #[test]
    fn invalid_urls_are_refused() {
        for wrong in [
            "",
            "imaps://",
            "imaps://example.org",
            "imaps://:b@example.org",
            "imaps://a@b:x",
            "imaps://a@b/%0D",
            "imap://a%0Ab@c",
            "smtp://a@b",
        ] {
            assert_eq!(parse_mailbox(wrong), None, "{wrong:?}");
        }
        assert_eq!(parse_mailbox("off"), Some(None));
    }
}
