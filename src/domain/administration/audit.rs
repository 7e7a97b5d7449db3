//! Events of the audit log: who has changed or tried what (operations 10).

mod description;
pub mod differences;
pub mod fields;
mod lists;
pub mod merging;
mod names;
mod value_changes;

pub use description::{record_label, with_user_names};

use super::enumeration::EnumerationKind;
use crate::ids::{PrincipalId, UserId};
use crate::projects::project::Project;
use jiff::Timestamp;
use strum::{IntoStaticStr, VariantNames};

/// The types of record that events are about, in the order of the filter of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum RecordType {
    Login,
    Switch,
    User,
    Group,
    Membership,
    Role,
    Workflow,
    Setting,
    #[strum(serialize = "custom field")]
    CustomField,
    Project,
    Issue,
    Tracker,
    #[strum(serialize = "issue status")]
    IssueStatus,
    #[strum(serialize = "issue priority")]
    IssuePriority,
    #[strum(serialize = "time entry activity")]
    TimeEntryActivity,
    #[strum(serialize = "document category")]
    DocumentCategory,
    #[strum(serialize = "oauth application")]
    OauthApplication,
    #[strum(serialize = "oauth grant")]
    OauthGrant,
    Invitation,
    LostPassword,
    FailedMail,
    Mail,
    Index,
    Import,
    Secret,
    Store,
    Backup,
    Doctor,
    Export,
}

impl RecordType {
    /// The names of all types.
    pub const NAMES: &[&str] = Self::VARIANTS;

    /// Returns the stored name.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl From<EnumerationKind> for RecordType {
    fn from(kind: EnumerationKind) -> RecordType {
        match kind {
            EnumerationKind::IssuePriority => RecordType::IssuePriority,
            EnumerationKind::TimeEntryActivity => RecordType::TimeEntryActivity,
            EnumerationKind::DocumentCategory => RecordType::DocumentCategory,
        }
    }
}

/// Maximum number of characters of a value before or after a change.
const MAX_VALUE_CHARS: usize = 1_000;
/// Number of characters that a cut value keeps before the first difference.
const CONTEXT_CHARS: usize = 100;

/// The means by which an action was performed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// The service itself, such as a regular job.
    #[default]
    Service,
    /// A command on the machine of the service.
    CommandLine,
    /// A request without a login.
    Anonymous,
    /// The session of a browser.
    Session,
    ApiKey,
    Password,
    /// The access token of an OAuth application.
    AccessToken,
}

impl Origin {
    /// Returns the stored name.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Service => "service",
            Origin::CommandLine => "command line",
            Origin::Anonymous => "no login",
            Origin::Session => "session",
            Origin::ApiKey => "API key",
            Origin::Password => "password",
            Origin::AccessToken => "access token",
        }
    }
}

/// The actor of events: the user, the address and the means.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Actor {
    pub user: Option<UserId>,
    /// The administrator who acts as this user.
    pub switched_by: Option<UserId>,
    /// The address of the client; empty for commands and jobs.
    pub address: String,
    pub origin: Origin,
    /// The OAuth application whose access token was used, with its client id.
    pub application: Option<String>,
}

impl Actor {
    /// Returns the actor of everything that a process does by itself.
    pub fn of_process(origin: Origin) -> Actor {
        Actor {
            origin,
            ..Actor::default()
        }
    }

    /// Returns a user, or somebody without a login, at an address.
    pub fn at(address: impl ToString, user: Option<UserId>, origin: Origin) -> Actor {
        Actor {
            user,
            address: address.to_string(),
            origin,
            ..Actor::default()
        }
    }
}

/// A value before and after a change; never a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueChange {
    /// The name of the field.
    pub field: String,
    /// `None` for a new record.
    pub before: Option<String>,
    /// `None` for a deleted record.
    pub after: Option<String>,
}

impl ValueChange {
    /// Creates a change. Of long values it keeps the part in which they begin to differ.
    pub fn new(
        field: impl Into<String>,
        before: Option<String>,
        after: Option<String>,
    ) -> ValueChange {
        let shared = match (&before, &after) {
            (Some(before), Some(after)) => shared_prefix(before, after),
            _ => 0,
        };
        ValueChange {
            field: field.into(),
            before: before.map(|text| excerpt(text, shared)),
            after: after.map(|text| excerpt(text, shared)),
        }
    }
}

/// Returns the number of characters with which both texts begin.
fn shared_prefix(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count()
}

/// Cuts a text that is too long, to the part around the character with this index.
fn excerpt(text: String, index: usize) -> String {
    let length = text.chars().count();
    if length <= MAX_VALUE_CHARS {
        return text;
    }
    let first = index
        .saturating_sub(CONTEXT_CHARS)
        .min(length - MAX_VALUE_CHARS);
    let part: String = text.chars().skip(first).take(MAX_VALUE_CHARS).collect();
    let start = if first > 0 { "…" } else { "" };
    let end = if first + MAX_VALUE_CHARS < length {
        "…"
    } else {
        ""
    };
    format!("{start}{part}{end}")
}

/// A change of permissions or visibility, a deletion, or a login. It is stored in its transaction, and
/// logged after the commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEvent {
    pub record: RecordType,
    pub id: i64,
    /// The name by which people know it: of a project its identifier. `None` for issues, whose
    /// subject may be private.
    pub name: Option<String>,
    /// Whose rights have changed, if they are those of one user or group.
    pub principal: Option<PrincipalId>,
    /// What happened, such as `created`.
    pub change: &'static str,
    /// The identifier of the project that it belongs to.
    pub project: Option<String>,
    /// Details, such as the roles of a membership.
    pub details: Option<String>,
    /// The values that have changed.
    pub changes: Vec<ValueChange>,
    /// Whether the log has the event, too. The log has other events for most changes of accounts and
    /// settings.
    pub is_logged: bool,
}

impl AuditEvent {
    /// Creates an event without a name.
    pub fn new(record: RecordType, id: impl Into<i64>, change: &'static str) -> AuditEvent {
        AuditEvent {
            record,
            id: id.into(),
            name: None,
            principal: None,
            change,
            project: None,
            details: None,
            changes: Vec::new(),
            is_logged: true,
        }
    }

    /// Leaves the event out of the log.
    #[must_use]
    pub fn unlogged(self) -> AuditEvent {
        AuditEvent {
            is_logged: false,
            ..self
        }
    }

    /// Adds a value that has changed.
    #[must_use]
    pub fn with_change(
        mut self,
        field: impl Into<String>,
        before: Option<String>,
        after: Option<String>,
    ) -> AuditEvent {
        self.changes.push(ValueChange::new(field, before, after));
        self
    }

    /// Adds the name.
    #[must_use]
    pub fn with_name(self, name: &str) -> AuditEvent {
        AuditEvent {
            name: Some(name.to_owned()),
            ..self
        }
    }

    /// Adds whose rights have changed.
    #[must_use]
    pub fn of_principal(self, principal: PrincipalId) -> AuditEvent {
        AuditEvent {
            principal: Some(principal),
            ..self
        }
    }

    /// Adds the project.
    #[must_use]
    pub fn in_project(self, project: Option<&Project>) -> AuditEvent {
        AuditEvent {
            project: project.map(|project| project.identifier.clone()),
            ..self
        }
    }

    /// Adds details.
    #[must_use]
    pub fn with_details(self, details: impl Into<String>) -> AuditEvent {
        AuditEvent {
            details: Some(details.into()),
            ..self
        }
    }
}

/// An event as it is stored, for the page that shows them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredEvent {
    pub id: i64,
    pub created_on: Timestamp,
    /// The user of the request, who may be deleted.
    pub user: Option<UserId>,
    /// The administrator who acted as the user.
    pub switched_by: Option<UserId>,
    /// The address of the client.
    pub address: String,
    /// The name of an [`Origin`]; empty for events of earlier versions.
    pub origin: String,
    /// The OAuth application.
    pub application: Option<String>,
    pub record: String,
    pub record_id: i64,
    /// The user or group whose rights or account the event is about.
    pub principal: Option<PrincipalId>,
    pub name: Option<String>,
    pub change: String,
    pub project: Option<String>,
    pub details: Option<String>,
    pub changes: Vec<ValueChange>,
}

impl StoredEvent {
    /// Returns the approximate size of its texts in bytes.
    pub fn size(&self) -> usize {
        let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let changes = self
            .changes
            .iter()
            .map(|change| change.field.len() + length(&change.before) + length(&change.after));
        changes.sum::<usize>() + length(&self.name) + length(&self.details)
    }
}

/// Filter of a list of events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventFilter {
    /// The type of record.
    pub record: Option<String>,
    /// The user who acted, or whose account or rights the event is about.
    pub user: Option<UserId>,
    /// From this time on.
    pub from: Option<Timestamp>,
    /// Before this time.
    pub until: Option<Timestamp>,
    /// A text in the name, the change, the project, the address, the details or the values.
    pub text: Option<String>,
}
