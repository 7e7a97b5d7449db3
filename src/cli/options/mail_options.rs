//! The options about sending and receiving mail.

use super::path_text;
use clap::Args;
use quarry_config::Key;
use std::path::PathBuf;

/// The options about sending mail.
#[derive(Debug, Args)]
pub struct MailOptions {
    /// How mail is sent: smtp://USER@HOST:PORT, smtps://…, sendmail: or off [default: off]
    #[arg(long, value_name = "URL")]
    mail: Option<String>,
    /// Sender of mail, such as "Quarry <quarry@example.org>"
    #[arg(long, value_name = "ADDRESS")]
    mail_from: Option<String>,
    /// File whose first line is the password of the mail server
    #[arg(long, value_name = "FILE")]
    mail_password_file: Option<PathBuf>,
}

impl MailOptions {
    /// Returns the values of the configuration keys.
    pub fn values(&self) -> [(Key, Option<String>); 3] {
        [
            (Key::Mail, self.mail.clone()),
            (Key::MailFrom, self.mail_from.clone()),
            (
                Key::MailPasswordFile,
                self.mail_password_file.as_deref().map(path_text),
            ),
        ]
    }
}

/// The options about the mailbox from which mails are received.
#[derive(Debug, Args)]
pub struct MailboxOptions {
    /// Mailbox from which mails are received: imaps://USER@HOST:PORT/MAILBOX, imap://… or off [default: off]
    #[arg(long, value_name = "URL")]
    mail_imap: Option<String>,
    /// File whose first line is the password of the mailbox
    #[arg(long, value_name = "FILE")]
    mail_imap_password_file: Option<PathBuf>,
    /// File with the certificates of authorities that the server of the mailbox may have, in PEM, in
    /// place of those of the system
    #[arg(long, value_name = "FILE")]
    mail_imap_ca_file: Option<PathBuf>,
}

impl MailboxOptions {
    /// Returns the values of the configuration keys.
    pub fn values(&self) -> [(Key, Option<String>); 3] {
        let path = |path: &Option<PathBuf>| path.as_deref().map(path_text);
        [
            (Key::MailImap, self.mail_imap.clone()),
            (
                Key::MailImapPasswordFile,
                path(&self.mail_imap_password_file),
            ),
            (Key::MailImapCaFile, path(&self.mail_imap_ca_file)),
        ]
    }
}
