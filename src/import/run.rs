//! The whole of an import: look, make room, take table after table, take away what is gone.

use super::error::ImportError;
use super::nouns;
use super::pass::{Mode, Pass};
use super::passwords::wrap_passwords;
use super::report::Report;
use super::source::{self, Source};
use super::{files, same, settings};
use crate::store::{Store, StoreError, imported};
use std::collections::BTreeSet;
use std::path::Path;

/// What is asked for.
pub struct Options<'a> {
    /// The address of the source's database.
    pub database: &'a str,
    /// The password of the database, where the address does not say it.
    pub password: Option<&'a str>,
    /// The folder with the source's files, if their contents are to come along.
    pub files: Option<&'a Path>,
    /// Whether nothing is to be written.
    pub dry_run: bool,
}

/// Is told how far the work has come.
pub trait Progress {
    /// Something begins that has so many rows.
    fn begin(&mut self, what: &str, rows: u64);
    /// So many of them are done now.
    fn advance(&mut self, rows: u64);
    /// It is done.
    fn end(&mut self);
}

/// The default data of a new folder, which makes room for the source's: in the order in which they refer to each other.
const DEFAULTS: &[&str] =
    &["users", "group_users", "roles", "role_permissions", "issue_statuses", "trackers", "enumerations", "workflow_transitions"];

/// Passwords that are kept elsewhere cannot be moved.
const LDAP: &str = "some users have their passwords in a directory (LDAP), which is not asked here: \
                    their API keys work, and `quarry user password LOGIN` gives them a password";

/// Columns that follow from others, and so need no place here.
const DERIVED: &[&str] = &["lft", "rgt", "root_id", "tyear", "tmonth", "tweek", "comments_count", "wiki_content_id", "id"];

/// Fails if there is no Redmine at this address that can be understood.
pub fn look(database: &str, password: Option<&str>) -> Result<(), ImportError> {
    Ok(source::check(&mut source::open(database, password)?)?)
}

/// Takes everything from the source that has a place here. Can be run again, and goes on where it was interrupted.
pub fn run(store: &Store, options: &Options<'_>, progress: &mut dyn Progress) -> Result<Report, ImportError> {
    let mut source = source::open(options.database, options.password)?;
    source::check(&mut source)?;
    if !options.dry_run {
        wrap_passwords(store, &|| true)?;
    }
    let first = !store.read(imported::is_any)?;
    if first {
        make_room(store, options.dry_run)?;
    } else {
        same::check(&mut source, store)?;
    }
    let mode = match (options.dry_run, first) {
        (false, _) => Mode::Write,
        (true, false) => Mode::Look,
        (true, true) => Mode::LookAnew,
    };
    let begun = |source: &Source| Report { source: source.name.clone(), dry_run: options.dry_run, ..Report::default() };
    let mut report = begun(&source);
    let again = Pass::new(&mut source, store, mode, progress, &mut report).take_all()?;
    if again {
        // Something was in the way that is gone now.
        let mut second = begun(&source);
        Pass::new(&mut source, store, mode, progress, &mut second).take_all()?;
        report = second.after(&report);
    }
    if source.has("users", "auth_source_id") && source.filled("users", "auth_source_id")? > 0 {
        report.said.push(LDAP.to_owned());
    }
    settings::apply(&mut source, store, options.dry_run, &mut report)?;
    left_behind(&mut source, &mut report)?;
    if let Some(folder) = options.files {
        files::copy(&mut source, store, folder, options.dry_run, progress, &mut report)?;
    }
    Ok(report)
}

/// Empties a folder with nothing but default data in it; refuses one with anything else.
fn make_room(store: &Store, dry_run: bool) -> Result<(), ImportError> {
    let full = store.read(|db| -> Result<_, StoreError> {
        if imported::count(db, "projects")? > 0 {
            return Ok(Some("projects"));
        }
        Ok((imported::count(db, "users")? > 1).then_some("users"))
    })?;
    if let Some(what) = full {
        return Err(ImportError::Occupied(what));
    }
    if !dry_run {
        store.write::<_, StoreError>(|db| imported::clear(db, DEFAULTS))?;
    }
    Ok(())
}

/// Counts what has no place here.
fn left_behind(source: &mut Source, report: &mut Report) -> Result<(), ImportError> {
    let read: BTreeSet<&str> = nouns::all().flat_map(|noun| [Some(noun.source), noun.beside]).flatten().collect();
    let tables: Vec<String> = source.tables().filter(|table| !read.contains(table)).map(str::to_owned).collect();
    for table in tables {
        let rows = source.count(&table)?;
        let meaningless = nouns::MEANINGLESS.contains(&table.as_str());
        if rows > 0 || !meaningless {
            let reason = if meaningless { "belongs to the program, not to its users" } else { "is of a plug-in, or not known here" };
            report.leave([(table, rows)].into(), reason);
        }
    }
    for table in read {
        let taken: BTreeSet<&str> =
            nouns::all().filter(|noun| noun.source == table || noun.beside == Some(table)).flat_map(|noun| noun.reads()).collect();
        let left = source.columns(table).into_iter().filter(|name| !taken.contains(name.as_str()) && !DERIVED.contains(&name.as_str()));
        for column in left {
            let rows = source.filled(table, &column)?;
            if rows > 0 {
                report.columns_left.push((format!("{table}.{column}"), rows));
            }
        }
    }
    Ok(())
}
