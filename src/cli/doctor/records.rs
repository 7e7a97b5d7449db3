//! Checks the records: schema, references, counters, memberships, settings.

use super::finding::Finding;
use jiff::Timestamp;
use quarry_store::StoreError;
use quarry_store::checks::{Checkup, Damage, SchemaState};

const RESTORE: &str = "Restore a backup, or ask for help with a copy of the data folder.";
const MIGRATE: &str =
    "Make a backup, then start this version of the service once: it migrates the records.";

/// Checks the file and the schema. Returns whether the rows can be checked.
pub fn check_schema(checkup: &Checkup, findings: &mut Vec<Finding>) -> Result<bool, StoreError> {
    if let Err(error) = checkup.check_integrity() {
        findings.push(Finding::error(
            "store-damaged",
            format!("the database is damaged: {error}"),
            RESTORE,
        ));
        return Ok(false);
    }
    let (missing_tables, missing_indexes) = match checkup.schema()? {
        SchemaState::Empty => {
            let problem = "the database has no tables";
            findings.push(Finding::error("schema-empty", problem, RESTORE));
            return Ok(false);
        }
        SchemaState::Newer { version, supported } => {
            let problem = format!(
                "the records have schema version {version}, but this program supports only versions up to {supported}"
            );
            findings.push(Finding::error(
                "schema-newer",
                problem,
                "Use the version of the program that wrote them, or a later one.",
            ));
            return Ok(false);
        }
        SchemaState::Older { version, supported } => {
            let problem =
                format!("the records have schema version {version} instead of {supported}");
            findings.push(Finding::warning("schema-older", problem, MIGRATE));
            return Ok(false);
        }
        SchemaState::Current {
            missing_tables,
            missing_indexes,
        } => (missing_tables, missing_indexes),
    };
    if checkup.is_incomplete_copy()? {
        findings.push(Finding::error(
            "copy-incomplete",
            "the records are an incomplete copy of another store",
            "Run `quarry store copy` again.",
        ));
        return Ok(false);
    }
    let is_complete = missing_tables.is_none();
    add(findings, missing_tables, |count| {
        let problem = format!("{count} parts of the schema are missing");
        Finding::error("schema-incomplete", problem, RESTORE)
    });
    add(findings, missing_indexes, |count| {
        Finding::warning(
            "database-indexes-missing",
            format!("{count} indexes of the database are missing, so that statements are slow"),
            "Create them again.",
        )
    });
    Ok(is_complete)
}

fn add(
    findings: &mut Vec<Finding>,
    damage: Option<Damage>,
    describe: impl FnOnce(usize) -> Finding,
) {
    if let Some(damage) = damage {
        findings.push(describe(damage.count).of(damage));
    }
}

/// Checks the types of the values. Returns whether all fit, so that every row can be read.
pub fn check_types(checkup: &Checkup, findings: &mut Vec<Finding>) -> Result<bool, StoreError> {
    let damage = checkup.wrong_types()?;
    let are_valid = damage.is_none();
    add(findings, damage, |count| {
        let problem = format!(
            "{count} columns have values of the wrong type, so that pages with these rows fail and no backup of them can be restored"
        );
        Finding::error(
            "wrong-types",
            problem,
            "Stop the service, and set these values again with `sqlite3`, or restore a backup.",
        )
    });
    Ok(are_valid)
}

/// Checks the rows.
pub fn check_rows(
    checkup: &Checkup,
    now: Timestamp,
    findings: &mut Vec<Finding>,
) -> Result<(), StoreError> {
    let damages = checkup.records(now)?;
    add(findings, damages.foreign_keys, |count| {
        let problem = format!("{count} references lead to records that are gone");
        Finding::error("foreign-keys", problem, RESTORE)
    });
    add(findings, damages.orphans, |count| {
        Finding::warning(
            "orphans",
            format!(
                "{count} watchers, reactions or values of custom fields belong to records that are gone"
            ),
            "Delete them.",
        )
    });
    add(findings, damages.orphaned_attachments, |count| {
        Finding::warning(
            "orphaned-attachments",
            format!("{count} attachments belong to records that are gone"),
            "Save the files that you need (`GET /attachments/ID.json` as an administrator names them), then delete the attachments.",
        )
    });
    add(findings, damages.custom_values_without_field, |count| {
        Finding::warning(
            "custom-values-without-field",
            format!("{count} values belong to custom fields that are gone"),
            "Delete them.",
        )
    });
    add(findings, damages.change_counter, |count| {
        Finding::error(
            "counters",
            format!("{count} counters are behind or missing, so that the index may miss changes"),
            "Set them.",
        )
    });
    add(findings, damages.sequences, |count| {
        Finding::error(
            "sequences",
            format!(
                "the next ids of {count} tables are taken, so that new records fail or get the ids of deleted ones"
            ),
            "Continue after the greatest id.",
        )
    });
    add(findings, damages.cycles, |count| {
        Finding::error(
            "cycles",
            format!("{count} records are their own ancestors"),
            "Give one of them another parent.",
        )
    });
    add(findings, damages.memberships, |count| {
        Finding::error(
            "memberships",
            format!("{count} memberships do not agree with the groups and the parent projects"),
            "Insert those that are missing, and delete those without a role.",
        )
    });
    add(findings, damages.settings, |count| {
        Finding::error(
            "settings",
            format!("{count} settings have values that are not valid"),
            "Set them again; until then they have their defaults.",
        )
    });
    add(findings, damages.no_administrator, |_| {
        Finding::error(
            "no-administrator",
            "nobody can administer the installation",
            "Unlock an administrator with `quarry user unlock LOGIN`, or add one with `quarry user add LOGIN --admin`.",
        )
    });
    add(findings, damages.future_times, |_| {
        Finding::warning(
            "future-times",
            "records have times in the future: the clock of this machine is or was wrong",
            "Correct the clock, for example with chrony. Stored times are not changed.",
        )
    });
    add(findings, damages.incomplete_import, |_| {
        Finding::error(
            "import-incomplete",
            "an import was interrupted, and writes are refused until it is complete",
            "Run the import again; it continues.",
        )
    });
    Ok(())
}
