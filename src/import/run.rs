//! The import from start to end: checks the source, imports table after table, and deletes what is
//! no longer in the source.

use super::error::ImportError;
use super::importer::{Importer, Mode};
use super::progress::Progress;
use super::report::Report;
use super::source::{self, Source};
use super::tables;
use super::{files, settings, source_check};
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_store::accounts::memberships;
use quarry_store::accounts::memberships::Scope;
use quarry_store::{Read, Store, StoreError, imported};
use std::collections::BTreeSet;
use std::path::Path;

/// Options of an import.
pub struct Options<'a> {
    /// URL of the source's database.
    pub database: &'a str,
    /// Password of the database, when the URL does not contain it.
    pub password: Option<&'a str>,
    /// Folder with the source's files, when their contents are to be imported.
    pub files: Option<&'a Path>,
    /// Whether nothing is to be written.
    pub dry_run: bool,
    /// Whether a user means that the folder is in use. Otherwise, the administrator of a first start is
    /// replaced.
    pub expects_no_users: bool,
}

/// Tables with the default data of a new folder, which the source's data replaces; referred tables
/// before referring ones.
const DEFAULT_DATA: &[&str] = &[
    "users",
    "group_users",
    "roles",
    "role_permissions",
    "issue_statuses",
    "trackers",
    "enumerations",
    "workflow_transitions",
];

/// Note for a source with users that authenticate with LDAP.
const LDAP_NOTE: &str = "some users have their passwords in a directory (LDAP), which Quarry does not support: \
                    their API keys work, and `quarry user password LOGIN` sets a password for them";

/// Columns that can be computed from others, and so are not imported.
const DERIVED_COLUMNS: &[&str] = &[
    "lft",
    "rgt",
    "root_id",
    "tyear",
    "tmonth",
    "tweek",
    "comments_count",
    "wiki_content_id",
    "id",
];

/// Fails if there is no supported Redmine at this URL.
pub fn check_source(database: &str, password: Option<&str>) -> Result<(), ImportError> {
    Ok(source::check_schema(&mut source::open(
        database, password,
    )?)?)
}

/// Imports everything that Quarry supports. A repeated run imports what has changed, and continues
/// an interrupted one; until then the first import counts as incomplete
/// ([`imported::is_incomplete`]).
pub fn run(
    store: &Store,
    options: &Options<'_>,
    progress: &mut dyn Progress,
) -> Result<Report, ImportError> {
    let mut source = source::open(options.database, options.password)?;
    source::check_schema(&mut source)?;
    let is_first = !store.read(imported::has_any)?;
    if is_first {
        clear_default_data(store, options)?;
    } else {
        source_check::check(&mut source, store)?;
    }
    let mode = match (options.dry_run, is_first) {
        (false, _) => Mode::Write,
        (true, false) => Mode::DryRun,
        (true, true) => Mode::DryRunFromEmpty,
    };
    let mut report = Report::new(&source.name, options.dry_run);
    let needs_second_pass =
        Importer::new(&mut source, store, mode, progress, &mut report).import_all()?;
    if needs_second_pass {
        let mut second = Report::new(&source.name, options.dry_run);
        Importer::new(&mut source, store, mode, progress, &mut second).import_all()?;
        report = second.merge_first_pass(&report);
    }
    if mode == Mode::Write {
        store.write(|db| memberships::synchronize(db, &Scope::Everything))?;
    }
    if source.has_column("users", "auth_source_id")
        && source.count_non_null("users", "auth_source_id")? > 0
    {
        report.notes.push(LDAP_NOTE.to_owned());
    }
    settings::apply(&mut source, store, options.dry_run, &mut report)?;
    report_left_behind(&mut source, &mut report)?;
    if let Some(folder) = options.files {
        files::copy(
            &mut source,
            store,
            folder,
            options.dry_run,
            progress,
            &mut report,
        )?;
    }
    if !options.dry_run {
        store.write(|db| {
            db.audit(AuditEvent::new(RecordType::Import, 0, "completed").with_details("Redmine"));
            imported::set_incomplete(db, false)
        })?;
    }
    Ok(report)
}

/// Deletes the default data of a new folder; fails when the folder contains anything else.
fn clear_default_data(store: &Store, options: &Options<'_>) -> Result<(), ImportError> {
    let max_users = if options.expects_no_users { 0 } else { 1 };
    let occupied_by = move |db: &Read<'_>| -> Result<_, StoreError> {
        if imported::count(db, "projects")? > 0 {
            return Ok(Some("projects"));
        }
        Ok((imported::count(db, "users")? > max_users).then_some("users"))
    };
    let records = if options.dry_run {
        store.read(occupied_by)?
    } else {
        store.write::<_, StoreError>(move |db| {
            let records = occupied_by(db)?;
            if records.is_none() {
                imported::clear(db, DEFAULT_DATA)?;
                imported::set_incomplete(db, true)?;
            }
            Ok(records)
        })?
    };
    records.map_or(Ok(()), |records| Err(ImportError::Occupied(records)))
}

/// Reports the tables and columns that are not imported.
fn report_left_behind(source: &mut Source, report: &mut Report) -> Result<(), ImportError> {
    let imported: BTreeSet<&str> = tables::all()
        .flat_map(|mapping| [Some(mapping.source), mapping.extra_source])
        .flatten()
        .collect();
    let other_tables: Vec<String> = source
        .tables()
        .filter(|table| !imported.contains(table))
        .map(str::to_owned)
        .collect();
    for table in other_tables {
        let rows = source.count(&table)?;
        let is_internal = tables::INTERNAL_TABLES.contains(&table.as_str());
        if rows > 0 || !is_internal {
            let reason = if is_internal {
                "is internal to Redmine"
            } else {
                "belongs to a plug-in, or is not supported"
            };
            report.add_left_behind([(table, rows)].into(), reason);
        }
    }
    for table in imported {
        let mappings = tables::all()
            .filter(|mapping| mapping.source == table || mapping.extra_source == Some(table));
        let columns: BTreeSet<&str> = mappings
            .flat_map(|mapping| mapping.source_columns())
            .collect();
        for column in source.columns(table) {
            if columns.contains(column.as_str()) || DERIVED_COLUMNS.contains(&column.as_str()) {
                continue;
            }
            let rows = source.count_non_null(table, &column)?;
            if rows > 0 {
                report
                    .columns_left
                    .push((format!("{table}.{column}"), rows));
            }
        }
    }
    Ok(())
}
