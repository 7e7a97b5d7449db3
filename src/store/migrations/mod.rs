//! Migrations of the schema. A released migration is never edited; changes are new files.

use crate::StoreError;
use crate::engine::{Connection, DatabaseLocation};

/// The migrations in their order. The version of a database is the number of applied migrations.
pub const ALL: &[&str] = &[
    include_str!("0001_schema.sql"),
    include_str!("0002_former_identifiers.sql"),
    include_str!("0003_invitations.sql"),
    include_str!("0004_audit_events.sql"),
    include_str!("0005_audit_principals.sql"),
    include_str!("0006_replies_and_templates.sql"),
    include_str!("0007_nodes.sql"),
    include_str!("0008_activity.sql"),
    include_str!("0009_boards.sql"),
    include_str!("0010_timers.sql"),
    include_str!("0011_notices.sql"),
    include_str!("0012_mails.sql"),
    include_str!("0013_received_mails.sql"),
    include_str!("0014_receiving_mail.sql"),
    include_str!("0015_daily_mails.sql"),
    include_str!("0016_account_warnings.sql"),
    include_str!("0017_audit_log.sql"),
    include_str!("0018_address_changes.sql"),
    include_str!("0019_reaction_contents.sql"),
    include_str!("0020_user_pictures.sql"),
];

/// Returns the latest version of the schema that this program supports.
pub fn supported_version() -> i64 {
    i64::try_from(ALL.len()).unwrap_or(i64::MAX)
}

/// Fails when a database file has the schema of an earlier version, which only the service migrates.
pub fn check_current(
    connection: &Connection,
    database: &DatabaseLocation,
) -> Result<(), StoreError> {
    match connection.schema_version()? {
        Some(version) if (1..supported_version()).contains(&version) => {
            Err(StoreError::OlderService(database.name()))
        }
        _ => Ok(()),
    }
}

/// Returns the statement that notes this version of the program, after the last migration: a program
/// that does not know the schema names it.
pub fn note_program() -> String {
    format!(
        "INSERT INTO store_properties (name, value) VALUES ('program', '{}') ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        env!("CARGO_PKG_VERSION")
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;

    #[test]
    fn next_migration_is_applied_to_a_database_of_version_1() {
        let folder = tempfile::tempdir().unwrap();
        let path = DatabaseLocation::File(folder.path().join("records"));
        let mut connection = Connection::open_writer(&path).unwrap();
        connection.migrate(&ALL[..1], "").unwrap();
        let project = "INSERT INTO projects (id, name, identifier, created_on, updated_on) VALUES (7, 'a', 'a', 0, 0)";
        connection.execute(project, &[]).unwrap();
        drop(connection);
        let next = [
            ALL[0],
            "ALTER TABLE projects ADD COLUMN color TEXT NOT NULL DEFAULT 'red'",
        ];
        // Opening the file again must not repeat either migration.
        for _ in 0..2 {
            let mut connection = Connection::open_writer(&path).unwrap();
            connection.migrate(&next, "").unwrap();
            let sql = "UPDATE projects SET name = 'b' WHERE id = 7 AND color = 'red'";
            assert_eq!(connection.execute(sql, &[]).unwrap(), 1);
        }
    }
}
