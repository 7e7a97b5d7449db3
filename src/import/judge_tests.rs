use super::super::field::{Field, Row, may, must, number};
use super::super::known::Known;
use super::*;
use crate::store::secrets::Secrets;
use std::collections::HashSet;

fn judged(field: Field, cell: Cell) -> (Result<Value, Refusal>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let secrets = Secrets::load_or_create(folder.path()).unwrap();
    let mut known = Known::default();
    known.set("users", HashSet::from([7, 9]), [7, 10].into_iter());
    let (columns, cells) = ([field.from, "type"], [cell, Cell::Text("User".to_owned())]);
    let row = Row { columns: &columns, cells: &cells };
    let mut odd = Vec::new();
    let value = value(&Asked { row, field: &field, known: &known, secrets: &secrets }, &mut odd);
    (value, odd)
}

#[track_caller]
fn is(how: How, cell: Cell, expected: Value) {
    assert_eq!(judged(must("x", how), cell), (Ok(expected), Vec::new()));
}

#[track_caller]
fn is_not(how: How, cell: Cell, problem: &str) {
    assert_eq!(judged(must("x", how), cell.clone()), (Err(Refusal::Broken(problem.to_owned())), Vec::new()));
    assert_eq!(judged(may("x", how), cell), (Ok(Value::Null), vec![problem.to_owned()]));
}

fn said(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

#[test]
fn every_engine_spells_values_in_its_own_way() {
    is(How::Switch, Cell::Int(1), true.into());
    is(How::Switch, said("t"), true.into());
    is(How::Switch, said("0"), false.into());
    is(How::Whole, said("-12"), Value::Int(-12));
    is(How::Number, said("1.5"), Value::Real(1.5));
    is(How::Number, Cell::Int(2), Value::Real(2.0));
    is(How::Instant, said("1970-01-01 00:00:01.000002"), Value::Int(1_000_002));
    is(How::Instant, said("1970-01-02"), Value::Int(86_400_000_000));
    is(How::Date, said("2024-02-29"), "2024-02-29".into());
    is(How::Yaml, said("---\n- :a\n"), "[\"a\"]".into());
}

#[test]
fn what_makes_no_sense_breaks_a_row_that_needs_it_and_is_left_out_otherwise() {
    is_not(How::Date, said("2024-02-30"), "x is \"2024-02-30\", not a date");
    is_not(How::Instant, said("0000-00-00 00:00:00"), "x is \"0000-00-00 00:00:00\", not an instant");
    is_not(How::Text, Cell::Bytes(vec![0xff]), "x is not UTF-8");
    is_not(How::Whole, said("many"), "x is \"many\", not a whole number");
    is_not(How::Ref("users"), Cell::Int(8), "x leads to users 8, which is not there");
    is_not(How::RefBy("type", &[("Issue", "issues")]), Cell::Int(7), "x belongs to a User, which is not known");
}

#[test]
fn a_zero_byte_is_left_out_of_a_text() {
    let odd = vec!["x holds zero bytes, which are left out".to_owned()];
    assert_eq!(judged(must("x", How::Text), said("a\0b")), (Ok("ab".into()), odd));
}

#[test]
fn a_reference_leads_to_a_row_or_nowhere() {
    is(How::Ref("users"), Cell::Int(7), Value::Int(7));
    is(How::RefBy("type", &[("User", "users")]), said("7"), Value::Int(7));
    assert_eq!(judged(may("x", How::Ref("users")), Cell::Int(0)), (Ok(Value::Null), Vec::new()));
    assert_eq!(judged(must("x", How::Ref("users")), Cell::Null), (Err(Refusal::Broken("x is missing".to_owned())), Vec::new()));
    assert_eq!(judged(number("x", How::Whole, 3), Cell::Null), (Ok(Value::Int(3)), Vec::new()));
}

#[test]
fn what_belongs_to_something_of_ours_is_not_broken() {
    for (id, sentence) in [(9, "x leads to users 9, which is another one here"), (10, "x leads to users 10, which was removed here")] {
        assert_eq!(judged(must("x", How::Ref("users")), Cell::Int(id)).0, Err(Refusal::Ours(sentence.to_owned())));
        assert_eq!(judged(may("x", How::Ref("users")), Cell::Int(id)), (Ok(Value::Null), vec![sentence.to_owned()]));
    }
}

#[test]
fn a_strict_column_may_be_empty_but_not_wrong() {
    let strict = may("x", How::Ref("users")).strict();
    assert_eq!(judged(strict, Cell::Null), (Ok(Value::Null), Vec::new()));
    let problem = Refusal::Broken("x leads to users 8, which is not there".to_owned());
    assert_eq!(judged(strict, Cell::Int(8)), (Err(problem), Vec::new()));
}
