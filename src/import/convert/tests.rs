use super::*;
use crate::field::{Field, Row, optional, required, with_default};
use crate::id_map::IdMap;
use quarry_store::data_folder::secrets::Secrets;
use std::collections::HashSet;

fn convert_cell(field: Field, cell: Cell) -> (Result<Value, RowError>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let secrets = Secrets::load_or_create(folder.path()).unwrap();
    let mut ids = IdMap::default();
    ids.set_table("users", HashSet::from([7, 9]), [7, 10].into_iter());
    let columns = [field.from, "type"];
    let cells = [cell, Cell::Text("User".to_owned())];
    let row = Row {
        columns: &columns,
        cells: &cells,
    };
    let mut warnings = Vec::new();
    let value = convert(
        &FieldContext {
            row,
            field: &field,
            ids: &ids,
            secrets: &secrets,
        },
        &mut warnings,
    );
    (value, warnings)
}

#[track_caller]
fn assert_converts(column_type: ColumnType, cell: Cell, expected: Value) {
    assert_eq!(
        convert_cell(required("x", column_type), cell),
        (Ok(expected), Vec::new())
    );
}

#[track_caller]
fn assert_rejects(column_type: ColumnType, cell: Cell, problem: &str) {
    assert_eq!(
        convert_cell(required("x", column_type), cell.clone()),
        (Err(RowError::Broken(problem.to_owned())), Vec::new())
    );
    assert_eq!(
        convert_cell(optional("x", column_type), cell),
        (Ok(Value::Null), vec![problem.to_owned()])
    );
}

fn text(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

#[test]
fn values_of_every_engine_are_parsed() {
    assert_converts(ColumnType::Boolean, Cell::Int(1), true.into());
    assert_converts(ColumnType::Boolean, text("t"), true.into());
    assert_converts(ColumnType::Boolean, text("0"), false.into());
    assert_converts(ColumnType::Integer, text("-12"), Value::Int(-12));
    assert_converts(ColumnType::Float, text("1.5"), Value::Real(1.5));
    assert_converts(ColumnType::Float, Cell::Int(2), Value::Real(2.0));
    assert_converts(
        ColumnType::Timestamp,
        text("1970-01-01 00:00:01.000002"),
        Value::Int(1_000_002),
    );
    assert_converts(
        ColumnType::Timestamp,
        text("1970-01-02"),
        Value::Int(86_400_000_000),
    );
    assert_converts(ColumnType::Date, text("2024-02-29"), "2024-02-29".into());
    assert_converts(ColumnType::Yaml, text("---\n- :a\n"), "[\"a\"]".into());
}

#[test]
fn invalid_values_reject_the_row_only_in_required_columns() {
    assert_rejects(
        ColumnType::Date,
        text("2024-02-30"),
        "x is \"2024-02-30\", not a date",
    );
    assert_rejects(
        ColumnType::Timestamp,
        text("0000-00-00 00:00:00"),
        "x is \"0000-00-00 00:00:00\", not a date and time",
    );
    assert_rejects(ColumnType::Text, Cell::Bytes(vec![0xff]), "x is not UTF-8");
    assert_rejects(
        ColumnType::Integer,
        text("many"),
        "x is \"many\", not a whole number",
    );
    assert_rejects(
        ColumnType::Ref("users"),
        Cell::Int(8),
        "x refers to users 8, which does not exist",
    );
    assert_rejects(
        ColumnType::PolymorphicRef("type", &[("Issue", "issues")]),
        Cell::Int(7),
        "x belongs to a User, which is not supported",
    );
}

#[test]
fn nul_bytes_are_removed() {
    let warnings = vec!["x contains NUL bytes, which are removed".to_owned()];
    assert_eq!(
        convert_cell(required("x", ColumnType::Text), text("a\0b")),
        (Ok("ab".into()), warnings)
    );
}

#[test]
fn references_resolve_to_imported_rows_and_zero_to_null() {
    assert_converts(ColumnType::Ref("users"), Cell::Int(7), Value::Int(7));
    assert_converts(
        ColumnType::PolymorphicRef("type", &[("User", "users")]),
        text("7"),
        Value::Int(7),
    );
    assert_eq!(
        convert_cell(optional("x", ColumnType::Ref("users")), Cell::Int(0)),
        (Ok(Value::Null), Vec::new())
    );
    assert_eq!(
        convert_cell(required("x", ColumnType::Ref("users")), Cell::Null),
        (Err(RowError::Broken("x is missing".to_owned())), Vec::new())
    );
    assert_eq!(
        convert_cell(with_default("x", ColumnType::Integer, 3), Cell::Null),
        (Ok(Value::Int(3)), Vec::new())
    );
}

#[test]
fn references_to_local_records_keep_the_local_state() {
    for (id, message) in [
        (9, "x refers to users 9, which is a different record here"),
        (10, "x refers to users 10, which was deleted here"),
    ] {
        assert_eq!(
            convert_cell(required("x", ColumnType::Ref("users")), Cell::Int(id)).0,
            Err(RowError::KeepLocal(message.to_owned()))
        );
        assert_eq!(
            convert_cell(optional("x", ColumnType::Ref("users")), Cell::Int(id)),
            (Ok(Value::Null), vec![message.to_owned()])
        );
    }
}

#[test]
fn strict_columns_may_be_empty_but_not_invalid() {
    let strict = optional("x", ColumnType::Ref("users")).strict();
    assert_eq!(
        convert_cell(strict, Cell::Null),
        (Ok(Value::Null), Vec::new())
    );
    let problem = RowError::Broken("x refers to users 8, which does not exist".to_owned());
    assert_eq!(
        convert_cell(strict, Cell::Int(8)),
        (Err(problem), Vec::new())
    );
}
