//! TLS to mail servers: certificates of trusted authorities only, and no password without encryption.

use super::servers::Servers;
use quarry::config::{Encryption, ImapServer, MailConfig, MailServer, SmtpServer};
use quarry::domain::clock::{SystemClock, SystemEntropy};
use quarry::domain::values::mail_address::MailAddress;
use quarry::mail::imap::Mailbox;
use quarry::mail::outgoing::{Receipt, SendError, Transport};
use quarry::mailer::outgoing::test_message;
use quarry_world::process::quarry;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::mpsc::channel;

/// Sends a test mail to bob from this process, which trusts the authorities of the system.
fn try_to_send(port: u16, encryption: Encryption) -> Result<Receipt, SendError> {
    let config = MailConfig {
        server: MailServer::Smtp(SmtpServer {
            host: "localhost".to_owned(),
            port,
            encryption,
            user: None,
            password: None,
            password_file: None,
        }),
        from: MailAddress::parse("quarry@example.net").unwrap(),
    };
    let to = MailAddress::parse("bob@example.net").unwrap();
    let message = test_message(&config.from, to, "Quarry", &SystemClock, &SystemEntropy).unwrap();
    Transport::new(&config).send(&message)
}

/// Runs `quarry mail test`, which trusts the authority of the servers or those of the system.
fn run_test(servers: &Servers, url: &str, is_trusted: bool) -> (bool, String) {
    let mut command = quarry(&["mail", "test", "bob@example.net", "--mail", url]);
    command.args(["--mail-from", "quarry@example.net"]);
    if is_trusted {
        command.env("SSL_CERT_FILE", servers.authority());
    }
    let folder = tempfile::tempdir().unwrap();
    let output = command.arg("--data").arg(folder.path()).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).unwrap())
}

#[test]
fn smtp_accepts_certificates_of_trusted_authorities_only() {
    let Some(servers) = Servers::start() else {
        return;
    };
    let right = format!("smtps://localhost:{}", servers.smtps);
    let (is_sent, text) = run_test(&servers, &right, true);
    assert!(is_sent && text.contains("TLS: 250"), "{text}");
    // The certificate is for another name.
    let other = format!("smtps://127.0.0.1:{}", servers.smtps);
    for (url, is_trusted) in [(&right, false), (&other, true)] {
        let (is_sent, text) = run_test(&servers, url, is_trusted);
        assert!(!is_sent && text.contains("certificate"), "{url}: {text}");
    }
    let required = try_to_send(servers.smtp, Encryption::Required).unwrap_err();
    assert!(
        matches!(&required, SendError::Unavailable(text) if text.contains("STARTTLS failed")),
        "{required:?}"
    );
    assert!(
        servers.wait_for("bob", 1).len() == 1,
        "nothing else was sent"
    );
    // Without a login, any encryption is better than none.
    let receipt = try_to_send(servers.smtp, Encryption::Opportunistic).unwrap();
    assert!(receipt.server.ends_with(", TLS"), "{}", receipt.server);
    servers.wait_for("bob", 2);
}

#[test]
fn imap_accepts_certificates_of_trusted_authorities_only() {
    let Some(servers) = Servers::start() else {
        return;
    };
    let open = |server: &ImapServer| Mailbox::open(server, &|| true).map(Mailbox::close);
    for encryption in [Encryption::Implicit, Encryption::Required] {
        let right = servers.mailbox(encryption);
        open(&right).unwrap();
        let untrusted = ImapServer {
            ca_file: None,
            ..right.clone()
        };
        // The certificate is for another name.
        let other = ImapServer {
            host: "127.0.0.1".to_owned(),
            ..right.clone()
        };
        for server in [untrusted, other] {
            let error = open(&server).unwrap_err().to_string();
            assert!(error.contains("certificate"), "{error}");
        }
        let wrong = ImapServer {
            password: Some("wrong".to_owned()),
            ..right.clone()
        };
        let error = open(&wrong).unwrap_err().to_string();
        assert!(error.contains("the login failed"), "{error}");
        assert!(!error.contains("wrong"), "{error}");
        let missing = ImapServer {
            mailbox: "Missing \"one\"".to_owned(),
            ..right
        };
        let error = open(&missing).unwrap_err().to_string();
        assert!(error.contains("the server refuses SELECT"), "{error}");
    }
}

#[test]
fn password_of_a_mailbox_is_not_sent_without_encryption() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, commands) = channel();
    std::thread::spawn(move || {
        let stream = listener.accept().unwrap().0;
        let mut out = stream.try_clone().unwrap();
        write!(out, "* OK [CAPABILITY IMAP4rev1] ready\r\n").unwrap();
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            let tag = line.split(' ').next().unwrap().to_owned();
            sender.send(line).unwrap();
            let _ = write!(out, "{tag} BAD unknown command\r\n");
        }
    });
    let server = ImapServer {
        host: "localhost".to_owned(),
        port,
        encryption: Encryption::Required,
        user: "reply".to_owned(),
        password: Some("secret".to_owned()),
        password_file: None,
        ca_file: None,
        mailbox: "INBOX".to_owned(),
    };
    let error = Mailbox::open(&server, &|| true).err().unwrap().to_string();
    assert!(
        error.contains("the password is not sent without it"),
        "{error}"
    );
    let commands: Vec<String> = commands.iter().collect();
    assert!(commands.len() == 1 && commands[0].ends_with("STARTTLS"));
}
