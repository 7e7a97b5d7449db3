//! The keys `mail`, `mail_from` and `mail_password_file`.

use super::error::ConfigError;
use super::key::Key;
use super::server_url::{ServerUrl, write_server};
use super::sources::ConfigValues;
use quarry_domain::values::mail_address::MailAddress;
use std::fmt;
use std::path::PathBuf;

/// The program of `sendmail:`.
const SENDMAIL: &str = "/usr/sbin/sendmail";

/// How mail is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailConfig {
    /// The server or program that takes the messages.
    pub server: MailServer,
    /// The sender.
    pub from: MailAddress,
}

/// A server or a program that takes messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MailServer {
    Smtp(SmtpServer),
    /// A program that reads a message from its standard input.
    Sendmail(PathBuf),
}

/// When a connection is encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encryption {
    /// From its first byte.
    Implicit,
    /// With STARTTLS; a server that does not offer it is refused.
    Required,
    /// With STARTTLS if the server offers it. The certificate is not verified.
    Opportunistic,
}

/// A server that is reached by SMTP.
#[derive(Clone, PartialEq, Eq)]
pub struct SmtpServer {
    pub host: String,
    pub port: u16,
    pub encryption: Encryption,
    /// The user who logs in; `None` for no login.
    pub user: Option<String>,
    /// The password in the URL.
    pub password: Option<String>,
    /// The file whose first line is the password.
    pub password_file: Option<PathBuf>,
}

impl fmt::Debug for SmtpServer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "SmtpServer({self})")
    }
}

/// The URL without the password.
impl fmt::Display for SmtpServer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = match self.encryption {
            Encryption::Implicit => "smtps",
            Encryption::Required | Encryption::Opportunistic => "smtp",
        };
        write_server(
            formatter,
            scheme,
            self.user.as_deref(),
            &self.host,
            self.port,
        )
    }
}

impl fmt::Display for MailServer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MailServer::Smtp(server) => server.fmt(formatter),
            MailServer::Sendmail(program) => write!(formatter, "sendmail:{}", program.display()),
        }
    }
}

/// Loads how mail is sent; `None` if `mail` is missing or `off`.
pub fn load(values: &ConfigValues) -> Result<Option<MailConfig>, ConfigError> {
    let server = values.parse(
        Key::Mail,
        "off",
        "smtp://USER@HOST:587, smtps://USER@HOST, smtp://HOST, sendmail:, sendmail:/PATH or off",
        parse_server,
    )?;
    let from = values.find(Key::MailFrom).is_some().then(|| {
        values.parse(
            Key::MailFrom,
            "",
            "a mail address, such as Quarry <quarry@example.org>",
            MailAddress::parse,
        )
    });
    let from = from.transpose()?;
    let Some(mut server) = server else {
        return Ok(None);
    };
    if let MailServer::Smtp(smtp) = &mut server {
        smtp.password_file = values.find(Key::MailPasswordFile).map(PathBuf::from);
    }
    let from = from.ok_or(ConfigError::MailWithoutSender)?;
    Ok(Some(MailConfig { server, from }))
}

fn parse_server(value: &str) -> Option<Option<MailServer>> {
    if value == "off" {
        return Some(None);
    }
    if let Some(program) = value.strip_prefix("sendmail:") {
        let program = if program.is_empty() {
            SENDMAIL
        } else {
            program
        };
        return program
            .starts_with('/')
            .then(|| Some(MailServer::Sendmail(program.into())));
    }
    let url = ServerUrl::parse(value)?;
    if !url.path.is_empty() {
        return None;
    }
    let (encryption, default_port) = match url.scheme.as_str() {
        "smtps" => (Encryption::Implicit, 465),
        // Without a valid certificate, a password is sent only to this machine.
        "smtp" if url.user.is_some() && !url.is_loopback() => (Encryption::Required, 587),
        "smtp" => (Encryption::Opportunistic, 25),
        _ => return None,
    };
    Some(Some(MailServer::Smtp(SmtpServer {
        host: url.host,
        port: url.port.unwrap_or(default_port),
        encryption,
        user: url.user,
        password: url.password,
        password_file: None,
    })))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn smtp(value: &str) -> SmtpServer {
        match parse_server(value).flatten() {
            Some(MailServer::Smtp(server)) => server,
            other => panic!("{value}: {other:?}"),
        }
    }

    #[test]
    fn url_says_how_the_connection_is_encrypted() {
        for (url, encryption, port) in [
            ("smtp://a@example.org", Encryption::Required, 587),
            ("smtp://a@example.org:25", Encryption::Required, 25),
            ("smtps://a@example.org", Encryption::Implicit, 465),
            ("smtp://example.org", Encryption::Opportunistic, 25),
            ("smtp://a@localhost:2525", Encryption::Opportunistic, 2525),
            ("smtp://a@[::1]:2525", Encryption::Opportunistic, 2525),
            ("smtp://a@127.0.0.1:2525/", Encryption::Opportunistic, 2525),
        ] {
            let server = smtp(url);
            assert_eq!(
                (server.encryption, server.port),
                (encryption, port),
                "{url}"
            );
        }
    }

    #[test]
    fn login_is_decoded_and_the_password_never_shown() {
        let server = smtp("smtp://me%40a.org:p%3Aw@b@example.org");
        assert_eq!(server.user.as_deref(), Some("me@a.org"));
        assert_eq!(server.password.as_deref(), Some("p:w@b"));
        assert_eq!(server.host, "example.org");
        assert_eq!(server.to_string(), "smtp://me@a.org@example.org:587");
        assert!(!format!("{server:?}").contains("p:w"));
    }

    #[test]
    fn invalid_urls_are_refused() {
        for wrong in [
            "",
            "smtp://",
            "smtp://:@b",
            "smtp://a@",
            "smtp://b:x",
            "smtp://b:0",
            "smtp://b:99999",
            "smtp://b/c",
            "smtp://[b]:1",
            "smtp://a%0D@b",
            "smtp://a%4@b",
            "http://b",
            "b:25",
            "sendmail:sendmail -t",
        ] {
            assert_eq!(parse_server(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn sendmail_has_a_default_program() {
        for (value, program) in [
            ("sendmail:", "/usr/sbin/sendmail"),
            ("sendmail:/opt/s", "/opt/s"),
        ] {
            let expected = MailServer::Sendmail(program.into());
            assert_eq!(parse_server(value), Some(Some(expected)));
        }
        assert_eq!(parse_server("off"), Some(None));
    }
}
