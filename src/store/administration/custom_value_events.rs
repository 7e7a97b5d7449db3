//! Events of the audit log about the values of custom fields, of the records that administrators and
//! managers define. Those of issues are in their journals.

use crate::Write;
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_domain::administration::custom_field::{CustomField, Customized, Format, Values};
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::{EnumerationId, PrincipalId, ProjectId, UserId};

/// Records the values that a change replaces.
pub(super) fn record(
    db: &mut Write<'_>,
    customized: Customized,
    record: i64,
    before: &Values,
    after: &Values,
) {
    let Some(record_type) = record_type(customized) else {
        return;
    };
    let mut event = AuditEvent::new(record_type, record, "custom field values").unlogged();
    event.name = name(db.catalogue(), customized, record);
    let fields = db.catalogue().custom_fields_of(customized);
    for field in fields.filter(|field| before.differs_in(field.id, after)) {
        let old = describe(field, before);
        let new = describe(field, after);
        event = event.with_change(field.name.as_str(), Some(old), Some(new));
    }
    if !event.changes.is_empty() {
        db.audit(event);
    }
}

/// Returns the type of record in the audit log; `None` for records that it does not have.
fn record_type(customized: Customized) -> Option<RecordType> {
    match customized {
        Customized::User => Some(RecordType::User),
        Customized::Group => Some(RecordType::Group),
        Customized::Project => Some(RecordType::Project),
        Customized::IssuePriority => Some(RecordType::IssuePriority),
        Customized::TimeEntryActivity => Some(RecordType::TimeEntryActivity),
        Customized::DocumentCategory => Some(RecordType::DocumentCategory),
        Customized::Issue | Customized::Version | Customized::TimeEntry | Customized::Document => {
            None
        }
    }
}

/// Returns the name of the record; `None` for a new one, which has an event of its own.
fn name(catalogue: &Catalogue, customized: Customized, record: i64) -> Option<String> {
    match customized {
        Customized::User => {
            let user = catalogue.users.get(&UserId(record));
            user.map(|user| user.login.clone())
        }
        Customized::Group => {
            let group = catalogue.groups.get(&PrincipalId(record));
            group.map(|group| group.name.clone())
        }
        Customized::Project => {
            let project = catalogue.projects.get(&ProjectId(record));
            project.map(|project| project.identifier.clone())
        }
        _ => {
            let mut values = catalogue.enumerations.iter();
            let value = values.find(|value| value.id == EnumerationId(record));
            value.map(|value| value.name.clone())
        }
    }
}

/// Users and versions are named by their ids, because they may be deleted later.
fn describe(field: &CustomField, values: &Values) -> String {
    let prefix = match field.format {
        Format::User => "user ",
        Format::Version => "version ",
        _ => "",
    };
    let values = values.get(field.id).unwrap_or_default().iter();
    let described = values.filter(|value| !value.is_empty());
    let described: Vec<String> = described.map(|value| format!("{prefix}{value}")).collect();
    described.join(", ")
}
