//! Checks of a store for `quarry doctor`. They only read, and work while a service uses the store. A
//! damaged store is opened as far as possible. Repairs are separate, in [`repair`].

mod administrators;
mod at_rest;
mod builtins;
mod contradictions;
mod counters;
mod damage;
mod files;
mod members;
pub mod repair;
mod rows;
mod schema;
mod settings;
mod times;
mod trees;
mod values;

pub use at_rest::StoreAtRest;
pub use damage::Damage;
pub use files::FileDamage;
pub use repair::Repair;
pub use schema::SchemaState;
pub use values::ValueDamage;

use crate::engine::{Connection, DatabaseLocation};
use crate::files::contents::Contents;
use crate::transaction::snapshot::Snapshot;
use crate::{
    Secrets, StoreError, StoreLocation,
    properties::{self, node_secret},
};
use jiff::Timestamp;

/// Damage of the records by kind; `None` where there is none.
#[derive(Debug, Default)]
pub struct Damages {
    pub foreign_keys: Option<Damage>,
    /// Watchers, reactions and custom values of records that are gone.
    pub orphans: Option<Damage>,
    pub orphaned_attachments: Option<Damage>,
    pub custom_values_without_field: Option<Damage>,
    pub change_counter: Option<Damage>,
    pub sequences: Option<Damage>,
    pub exhausted_sequences: Option<Damage>,
    pub cycles: Option<Damage>,
    /// Rows that contradict each other.
    pub contradictions: Option<Damage>,
    pub builtin_roles: Option<Damage>,
    pub builtin_principals: Option<Damage>,
    pub memberships: Option<Damage>,
    pub settings: Option<Damage>,
    pub no_administrator: Option<Damage>,
    pub future_times: Option<Damage>,
    pub incomplete_import: Option<Damage>,
}

/// A store that is checked: one snapshot of the records, read-only.
pub struct Checkup {
    connection: Connection,
    location: StoreLocation,
}

impl Checkup {
    /// Opens the records, which a service may use.
    pub fn open(location: &StoreLocation) -> Result<Checkup, StoreError> {
        Checkup::open_database(location, &location.database())
    }

    /// Opens the records while no process uses them. Changes no file.
    pub fn open_at_rest(location: &StoreLocation) -> Result<Checkup, StoreError> {
        Checkup::open_database(location, &location.database_at_rest())
    }

    fn open_database(
        location: &StoreLocation,
        database: &DatabaseLocation,
    ) -> Result<Checkup, StoreError> {
        let connection = Connection::open_reader(database)?;
        connection.lift_time_limits()?;
        connection.begin_read()?;
        Ok(Checkup {
            connection,
            location: location.clone(),
        })
    }

    /// Ends the snapshot.
    pub fn close(self) {
        // Fails only when the connection is lost.
        let _ = self.connection.end_read();
    }

    fn snapshot(&self) -> Snapshot<'_> {
        Snapshot::new(&self.connection, Some(0))
    }

    /// Checks the pages of a SQLite file. Fails with the first problem found.
    pub fn check_integrity(&self) -> Result<(), StoreError> {
        Ok(self.connection.check_thoroughly()?)
    }

    /// Compares the schema with that of this program.
    pub fn schema(&self) -> Result<SchemaState, StoreError> {
        schema::check(&self.connection)
    }

    /// Whether the store is the target of a copy that was interrupted.
    pub fn is_incomplete_copy(&self) -> Result<bool, StoreError> {
        Ok(properties::find(&self.connection, properties::COPY)?.is_some())
    }

    /// Checks the values of all columns. The schema must be that of this program.
    pub fn values(&self) -> Result<ValueDamage, StoreError> {
        values::check(&self.connection, &schema::expected()?)
    }

    /// Checks the records. The schema must be that of this program.
    pub fn records(&self, now: Timestamp) -> Result<Damages, StoreError> {
        let db = self.snapshot();
        let expected = schema::expected()?;
        Ok(Damages {
            foreign_keys: rows::foreign_keys(&db, &expected)?,
            orphans: rows::orphans(&db)?,
            orphaned_attachments: rows::orphaned_attachments(&db)?,
            custom_values_without_field: rows::custom_values_without_field(&db)?,
            change_counter: counters::change_counter(&db)?,
            sequences: counters::sequences(&self.connection)?,
            exhausted_sequences: counters::exhausted_sequences(&self.connection)?,
            cycles: trees::cycles(&db)?,
            contradictions: contradictions::check(&db)?,
            builtin_roles: builtins::roles(&db)?,
            builtin_principals: builtins::principals(&db)?,
            memberships: members::check(&db)?,
            settings: settings::check(&db)?,
            no_administrator: administrators::no_administrator(&db)?,
            future_times: times::future_times(&db, now)?,
            incomplete_import: counters::incomplete_import(&db)?,
        })
    }

    /// Checks the contents of attachments: missing, changed, unreadable and unknown ones. Without `with_hashes`,
    /// they are not read.
    pub fn files(&self, with_hashes: bool, now: Timestamp) -> Result<FileDamage, StoreError> {
        let contents = match (&self.location.server, &self.location.files) {
            (None, _) => Contents::in_data_folder(&self.location.folder),
            (Some(_), Some(folder)) => Contents::Folder(folder.clone()),
            (Some(_), None) => Contents::Database,
        };
        files::check(&self.snapshot(), &contents, with_hashes, now.into())
    }

    /// Whether the secret of the folder is the one of the records. Without a fingerprint, it must decrypt
    /// the stored API keys.
    pub fn secret_fits(&self) -> Result<bool, StoreError> {
        let secrets = Secrets::load(&self.location.folder)?;
        let fingerprints: Vec<String> = self.snapshot().column(node_secret::FINGERPRINT, &[])?;
        if let Some(fingerprint) = fingerprints.first() {
            return Ok(*fingerprint == secrets.node_fingerprint());
        }
        let sealed: Vec<String> = self.snapshot().column(node_secret::SEALED_KEYS, &[])?;
        // Keys that were made before a reset of the secret stay until they are replaced.
        Ok(sealed.is_empty() || sealed.iter().any(|key| secrets.unseal(key).is_some()))
    }

    /// Returns the time of the database server; `None` for a file.
    pub fn server_time(&self) -> Result<Option<Timestamp>, StoreError> {
        self.snapshot().server_time()
    }

    /// Returns a setting as it is stored; `None` for its default.
    pub fn setting(&self, name: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT value FROM settings WHERE name = ?1";
        self.snapshot().first(sql, &[name.into()], |row| row.next())
    }
}
