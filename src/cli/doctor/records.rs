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
    let (missing_tables, missing_indexes, unknown_objects) = match checkup.schema()? {
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
            unknown_objects,
        } => (missing_tables, missing_indexes, unknown_objects),
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
    add(findings, unknown_objects, |count| {
        let problem = format!(
            "{count} triggers, views or tables are not of this program; a trigger can change what is written"
        );
        Finding::warning(
            "schema-unknown",
            problem,
            "Stop the service, and drop those that you have not created on purpose (`DROP TRIGGER NAME` in `sqlite3`).",
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

/// How a person mends values that no repair can guess.
const SET_VALUES: &str = "Stop the service, and set these values again with `sqlite3` or `psql`, or restore a backup. Then run `quarry doctor --fix`.";

/// Checks the values of all columns. Returns whether all types fit, so that every row can be read.
pub fn check_values(checkup: &Checkup, findings: &mut Vec<Finding>) -> Result<bool, StoreError> {
    let damage = checkup.values()?;
    let are_types_valid = damage.wrong_types.is_none();
    add(findings, damage.wrong_types, |count| {
        let problem = format!(
            "{count} columns have values of the wrong type, so that these rows are left out and no backup of them can be restored"
        );
        Finding::error("wrong-types", problem, SET_VALUES)
    });
    add(findings, damage.invalid, |count| {
        let problem = format!(
            "{count} columns have values that mean nothing there, which are shown as missing or left out"
        );
        Finding::error("invalid-values", problem, SET_VALUES)
    });
    Ok(are_types_valid)
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
    add(findings, damages.exhausted_sequences, |count| {
        Finding::error(
            "sequences-end",
            format!(
                "the ids of {count} tables are at their end, so that new records are refused as if the disk were full"
            ),
            "Stop the service. Give a row with such an id a smaller one, or delete it; then set `seq` of the table in `sqlite_sequence` to its greatest id.",
        )
    });
    add(findings, damages.contradictions, |count| {
        Finding::error(
            "contradictions",
            format!("{count} rows contradict themselves or rows that they refer to"),
            SET_VALUES,
        )
    });
    add(findings, damages.builtin_roles, |count| {
        Finding::error(
            "builtin-roles",
            format!(
                "{count} built-in roles are missing, or there are several, so that their permissions do not apply"
            ),
            "Insert missing roles without permissions, then set these; keep one of several.",
        )
    });
    add(findings, damages.builtin_principals, |count| {
        Finding::error(
            "builtin-principals",
            format!("there are several users or groups for each of {count} built-in ones"),
            "Stop the service, and delete those without records and memberships.",
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
