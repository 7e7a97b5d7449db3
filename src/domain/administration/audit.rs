//! Events of the audit log about changes of records (operations 10).

use crate::ids::{PrincipalId, UserId};
use crate::projects::project::Project;
use jiff::Timestamp;

/// A change of permissions or visibility, or a deletion. It is logged after its transaction is
/// committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEvent {
    /// The type of the record, such as `membership`.
    pub record: &'static str,
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
}

impl AuditEvent {
    /// Creates an event without a name.
    pub fn new(record: &'static str, id: impl Into<i64>, change: &'static str) -> AuditEvent {
        AuditEvent {
            record,
            id: id.into(),
            name: None,
            principal: None,
            change,
            project: None,
            details: None,
        }
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
    pub created_on: Timestamp,
    /// The user of the request, who may be deleted.
    pub user: Option<UserId>,
    /// The address of the client.
    pub address: String,
    pub record: String,
    pub record_id: i64,
    pub name: Option<String>,
    pub change: String,
    pub project: Option<String>,
    pub details: Option<String>,
}
