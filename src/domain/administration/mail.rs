//! The outbox: mails that wait to be sent.

use crate::content::reply_token::ReplyTarget;
use crate::ids::UserId;
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;
use strum::{EnumString, IntoStaticStr};

/// What a mail is about. `mailer::outgoing` writes each kind when it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum MailKind {
    /// An administrator has activated the user's account.
    AccountActivated,
    /// A warning about a change of the user's account.
    AccountWarning,
    /// A link with which a user confirms another mail address.
    AddressConfirmation,
    /// A scheduled backup has failed.
    BackupFailure,
    /// The events that a person is told of, in one mail a day or a week.
    Digest,
    /// A link with which a new user chooses a password.
    Invitation,
    /// A link with which a user chooses a new password.
    LostPassword,
    /// An account waits until an administrator approves it.
    NewAccount,
    /// The events of a thread that a person is told of.
    Notices,
    /// A link with which a new account is confirmed.
    Registration,
    /// The due issues of a person.
    Reminder,
    /// A test of the configuration.
    Test,
}

impl MailKind {
    /// Returns the name in the store.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the name that people read.
    pub fn label(self) -> &'static str {
        match self {
            MailKind::AccountActivated => "Account activated",
            MailKind::AccountWarning => "Account warning",
            MailKind::AddressConfirmation => "Address confirmation",
            MailKind::BackupFailure => "Backup failure",
            MailKind::Digest => "Digest",
            MailKind::Invitation => "Invitation",
            MailKind::LostPassword => "Lost password",
            MailKind::NewAccount => "New account",
            MailKind::Notices => "Notices",
            MailKind::Registration => "Registration",
            MailKind::Reminder => "Reminder",
            MailKind::Test => "Test",
        }
    }
}

/// Parameters of a mail: names and short texts, never a secret.
pub type MailData = BTreeMap<String, String>;

/// A mail to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewMail {
    pub kind: MailKind,
    /// The recipient.
    pub user: Option<UserId>,
    /// The address to which it is sent; empty for the main address of the user.
    pub address: String,
    /// What it is about. While a mail of the same kind to the same user with the same topic waits, no
    /// other is inserted. An empty topic never prevents this.
    pub topic: String,
    pub data: MailData,
    /// The record to which an answer is added; `None` if it cannot be answered.
    pub reply_target: Option<ReplyTarget>,
    /// When it is due; `None` for at once.
    pub send_on: Option<Timestamp>,
}

impl NewMail {
    /// Creates a mail to a user, which is due at once.
    pub fn to_user(kind: MailKind, user: UserId) -> NewMail {
        NewMail {
            user: Some(user),
            ..NewMail::to_address(kind, "")
        }
    }

    /// Creates a mail to an address, which is due at once.
    pub fn to_address(kind: MailKind, address: impl Into<String>) -> NewMail {
        NewMail {
            kind,
            user: None,
            address: address.into(),
            topic: String::new(),
            data: MailData::new(),
            reply_target: None,
            send_on: None,
        }
    }

    /// Sends it to another address.
    #[must_use]
    pub fn with_address(self, address: impl Into<String>) -> NewMail {
        NewMail {
            address: address.into(),
            ..self
        }
    }

    /// Sets what it is about.
    #[must_use]
    pub fn with_topic(self, topic: impl Into<String>) -> NewMail {
        NewMail {
            topic: topic.into(),
            ..self
        }
    }

    /// Adds a parameter.
    #[must_use]
    pub fn with_data(mut self, name: &str, value: impl Into<String>) -> NewMail {
        self.data.insert(name.to_owned(), value.into());
        self
    }

    /// Sends it later.
    #[must_use]
    pub fn due_on(self, time: Timestamp) -> NewMail {
        NewMail {
            send_on: Some(time),
            ..self
        }
    }
}

/// A mail in the outbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    pub id: i64,
    /// `None` for a kind that this version does not have.
    pub kind: Option<MailKind>,
    pub user: Option<UserId>,
    pub address: String,
    pub topic: String,
    pub data: MailData,
    /// The id of the message, which stays the same for every attempt.
    pub message_id: String,
    /// Number of attempts that the server has answered.
    pub attempts: i64,
    /// Why the last attempt has failed; empty before.
    pub error: String,
    pub created_on: Timestamp,
    /// When it is due, or when it has failed permanently.
    pub send_on: Timestamp,
}

impl Mail {
    /// Returns a parameter; empty if it is missing.
    pub fn data(&self, name: &str) -> &str {
        self.data.get(name).map_or("", String::as_str)
    }
}

/// The state of outgoing mail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MailStatus {
    /// Whether mail is configured.
    pub is_on: bool,
    /// When the server accepted the last mail.
    pub sent_on: Option<Timestamp>,
    /// When a mail was last refused, or the server not reached.
    pub failed_on: Option<Timestamp>,
    /// Why.
    pub error: String,
    /// Number of mails that were dropped because the outbox was full.
    pub dropped: i64,
}

/// The state of the job that receives mails from the mailbox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum MailboxState {
    /// It has not connected yet.
    #[default]
    #[strum(serialize = "")]
    New,
    /// It waits for the server to announce mails (IDLE).
    Idle,
    /// It polls the server, which has no IDLE.
    Poll,
    /// It does not receive, because answers by mail are off.
    Off,
    /// It could not connect, or has lost the connection, and tries again.
    Failed,
}

impl MailboxState {
    /// Returns the name in the store.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The state of the mailbox from which mails are received.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MailboxStatus {
    pub state: MailboxState,
    /// Since when it is in this state.
    pub changed_on: Option<Timestamp>,
    /// When the last mail of the mailbox was accepted.
    pub accepted_on: Option<Timestamp>,
    /// When the last mail of the mailbox was refused.
    pub refused_on: Option<Timestamp>,
    /// When receiving last failed.
    pub failed_on: Option<Timestamp>,
    /// Why it failed.
    pub error: String,
}

/// Minutes before the next attempt, after each failed one. The sum is about two days.
const DELAYS: [i64; 11] = [1, 5, 15, 60, 240, 480, 480, 480, 480, 480, 120];

/// Returns the time before another attempt; `None` after the last one.
pub fn retry_delay(failed_attempts: i64) -> Option<SignedDuration> {
    let index = usize::try_from(failed_attempts).ok()?.checked_sub(1)?;
    DELAYS.get(index).copied().map(SignedDuration::from_mins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_end_after_two_days() {
        let delays: Vec<i64> = (1..)
            .map_while(retry_delay)
            .map(|delay| delay.as_mins())
            .collect();
        assert_eq!(delays[..5], [1, 5, 15, 60, 240]);
        let total: i64 = delays.iter().sum();
        assert!((46 * 60..=48 * 60).contains(&total), "{total}");
        assert_eq!((retry_delay(0), retry_delay(-1)), (None, None));
    }
}
