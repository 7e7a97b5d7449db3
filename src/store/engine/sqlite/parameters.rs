//! Converts values into parameters of SQLite.

use crate::engine::Value;
use rusqlite::types::{ToSql, ToSqlOutput, Value as Native};
use std::rc::Rc;

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Value::Null => ToSqlOutput::Owned(Native::Null),
            Value::Int(number) => ToSqlOutput::Owned(Native::Integer(*number)),
            Value::Real(number) => ToSqlOutput::Owned(Native::Real(*number)),
            Value::Text(text) => {
                ToSqlOutput::Borrowed(rusqlite::types::ValueRef::Text(text.as_bytes()))
            }
            Value::Bytes(bytes) | Value::Set(bytes) => {
                ToSqlOutput::Borrowed(rusqlite::types::ValueRef::Blob(bytes))
            }
            Value::Ids(ids) => {
                let list: Vec<Native> = ids.iter().map(|id| Native::Integer(*id)).collect();
                return Ok(ToSqlOutput::from_rc(Rc::new(list), c"rarray"));
            }
        })
    }
}
