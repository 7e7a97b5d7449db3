//! Rows that no request can write yet, inserted directly.

use quarry::domain::index_feed::kind::Kind;
use quarry::store::Value;
use quarry::store::imported::{self, Target, TargetRows};
use quarry::store::transaction::changes;
use quarry_world::World;

/// Columns and their values.
pub type Row<'r> = &'r [(&'static str, Value)];

/// Inserts a row.
pub fn update(world: &World, table: &'static str, id: i64, row: Row<'_>) {
    at(world, table, TargetRows::Row, id, &[row]);
}

/// Updates columns of an existing row.
pub fn patch(world: &World, table: &'static str, id: i64, row: Row<'_>) {
    at(world, table, TargetRows::Columns, id, &[row]);
}

/// Deletes all rows of an owner.
pub fn set(world: &World, table: &'static str, owner: &'static str, id: i64, rows: &[Row<'_>]) {
    at(world, table, TargetRows::OwnedBy(owner), id, rows);
}

fn at(world: &World, table: &'static str, place: TargetRows, id: i64, rows: &[Row<'_>]) {
    let columns = rows[0].iter().map(|(name, _)| *name).collect();
    let target = Target {
        table,
        rows: place,
        columns,
        insert_defaults: &[],
    };
    let rows: Vec<Vec<Value>> = rows
        .iter()
        .map(|row| row.iter().map(|(_, value)| value.clone()).collect())
        .collect();
    world.write(move |db| {
        for row in rows.iter().filter(|_| target.rows == TargetRows::Row) {
            imported::insert(db, &target, id, row)?;
        }
        imported::update(db, &target, id, &rows)?;
        imported::catalogue_changed(db)
    });
}

/// Inserts a filterable custom field of issues for every tracker and project; `more` are its other
/// columns.
pub fn field(world: &World, id: i64, name: &str, format: &str, more: Row<'_>) {
    let mut row: Vec<(&'static str, Value)> = vec![
        ("type", "IssueCustomField".into()),
        ("name", name.into()),
        ("field_format", format.into()),
        ("position", id.into()),
        ("is_for_all", 1.into()),
        ("is_filter", 1.into()),
    ];
    row.retain(|(column, _)| more.iter().all(|(other, _)| other != column));
    row.extend_from_slice(more);
    update(world, "custom_fields", id, &row);
    let trackers: Vec<[(&'static str, Value); 1]> = (1..=3)
        .map(|tracker| [("tracker_id", Value::Int(tracker))])
        .collect();
    let trackers: Vec<Row<'_>> = trackers.iter().map(<[_; 1]>::as_slice).collect();
    set(
        world,
        "custom_fields_trackers",
        "custom_field_id",
        id,
        &trackers,
    );
}

/// Limits a custom field to roles.
pub fn field_roles(world: &World, id: i64, roles: &[i64]) {
    let roles: Vec<[(&'static str, Value); 1]> = roles
        .iter()
        .map(|role| [("role_id", Value::Int(*role))])
        .collect();
    let roles: Vec<Row<'_>> = roles.iter().map(<[_; 1]>::as_slice).collect();
    set(world, "custom_fields_roles", "custom_field_id", id, &roles);
}

/// Inserts the value of an issue in a custom field.
pub fn value(world: &World, id: i64, issue: i64, field: i64, text: &str) {
    let row: [(&'static str, Value); 4] = [
        ("customized_type", "Issue".into()),
        ("customized_id", issue.into()),
        ("custom_field_id", field.into()),
        ("value", text.into()),
    ];
    update(world, "custom_values", id, &row);
}

/// Inserts a relation.
pub fn relation(world: &World, id: i64, from: i64, kind: &str, to: i64) {
    let row: [(&'static str, Value); 3] = [
        ("issue_from_id", from.into()),
        ("issue_to_id", to.into()),
        ("relation_type", kind.into()),
    ];
    update(world, "issue_relations", id, &row);
}

/// Inserts an issue of the first tracker with this id; timestamps in microseconds.
pub fn issue(world: &World, id: i64, project: i64, more: Row<'_>) {
    const THEN: i64 = 1_700_000_000_000_000;
    let mut row: Vec<(&'static str, Value)> = vec![
        ("project_id", project.into()),
        ("tracker_id", 1.into()),
        ("status_id", 1.into()),
        ("priority_id", 2.into()),
        ("author_id", 2.into()),
        ("created_on", (THEN + id * 1_000_000).into()),
        ("updated_on", (THEN + id * 1_000_000).into()),
        ("subject", format!("Thing {id}").into()),
    ];
    row.retain(|(column, _)| more.iter().all(|(other, _)| other != column));
    row.extend_from_slice(more);
    update(world, "issues", id, &row);
    world.write(move |db| changes::record(db, Kind::Issue, id).map(drop));
}

/// Inserts a journal, optionally with one detail: property, name, old and new value.
pub fn journal(
    world: &World,
    id: i64,
    issue: i64,
    user: i64,
    notes: &str,
    private: bool,
    change: Option<[&str; 4]>,
) {
    let row: [(&'static str, Value); 5] = [
        ("issue_id", issue.into()),
        ("user_id", user.into()),
        ("notes", notes.into()),
        ("private_notes", private.into()),
        ("created_on", (1_710_000_000_000_000 + id).into()),
    ];
    update(world, "journals", id, &row);
    if let Some([property, name, old, new]) = change {
        let row: [(&'static str, Value); 5] = [
            ("journal_id", id.into()),
            ("property", property.into()),
            ("name", name.into()),
            ("old_value", old.into()),
            ("new_value", new.into()),
        ];
        update(world, "journal_details", id, &row);
    }
    world.write(move |db| changes::record(db, Kind::Issue, issue).map(drop));
}

/// Inserts an attachment of an issue.
pub fn file(world: &World, id: i64, issue: i64, name: &str, description: &str) {
    let row: [(&'static str, Value); 7] = [
        ("container_kind", i64::from(Kind::Issue.code()).into()),
        ("container_type", "Issue".into()),
        ("container_id", issue.into()),
        ("filename", name.into()),
        ("description", description.into()),
        ("author_id", 2.into()),
        ("created_on", 1_700_000_000_000_000.into()),
    ];
    update(world, "attachments", id, &row);
    world.write(move |db| changes::record(db, Kind::Issue, issue).map(drop));
}

/// Inserts a time entry of an issue.
pub fn hours(world: &World, id: i64, project: i64, issue: i64, user: i64, hours: f64) {
    let row: [(&'static str, Value); 8] = [
        ("project_id", project.into()),
        ("issue_id", issue.into()),
        ("user_id", user.into()),
        ("activity_id", 8.into()),
        ("hours", hours.into()),
        ("spent_on", "2026-11-20".into()),
        ("created_on", 0.into()),
        ("updated_on", 0.into()),
    ];
    update(world, "time_entries", id, &row);
}

/// Inserts a watcher of an issue.
pub fn watcher(world: &World, id: i64, issue: i64, user: i64) {
    let row: [(&'static str, Value); 3] = [
        ("watchable_type", "Issue".into()),
        ("watchable_id", issue.into()),
        ("user_id", user.into()),
    ];
    update(world, "watchers", id, &row);
}
