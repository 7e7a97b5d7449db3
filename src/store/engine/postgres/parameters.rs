//! Converts values into parameters of PostgreSQL, of the type that the server expects.

use crate::engine::Value;
use bytes::BytesMut;
use std::error::Error;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};

/// Replacement for NUL, which PostgreSQL cannot store in a text.
const NUL_REPLACEMENT: &str = "\u{fffd}";

type Outcome = Result<IsNull, Box<dyn Error + Sync + Send>>;

impl ToSql for Value {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Outcome {
        match self {
            Value::Null => Ok(IsNull::Yes),
            Value::Int(number) => integer_to_sql(*number, kind, out),
            Value::Real(number) => real_to_sql(*number, kind, out),
            Value::Text(text) if *kind == Type::BYTEA => text.as_bytes().to_sql(kind, out),
            Value::Text(text) if !is_text(kind) => Err(mismatch("a text", kind)),
            Value::Text(text) if text.contains('\0') => {
                text.replace('\0', NUL_REPLACEMENT).to_sql(kind, out)
            }
            Value::Text(text) => text.to_sql(kind, out),
            Value::Bytes(bytes) => bytes.to_sql(kind, out),
            Value::Ids(ids) => ids.to_sql(kind, out),
            Value::Set(bytes) => {
                let (ids, _) = bytes.as_chunks::<8>();
                let ids: Vec<i64> = ids.iter().map(|id| i64::from_be_bytes(*id)).collect();
                ids.to_sql(kind, out)
            }
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

fn is_text(kind: &Type) -> bool {
    [Type::TEXT, Type::VARCHAR, Type::NAME, Type::UNKNOWN].contains(kind)
}

fn integer_to_sql(number: i64, kind: &Type, out: &mut BytesMut) -> Outcome {
    match *kind {
        Type::INT8 => number.to_sql(kind, out),
        Type::INT4 => i32::try_from(number)?.to_sql(kind, out),
        Type::INT2 => i16::try_from(number)?.to_sql(kind, out),
        Type::FLOAT8 => (number as f64).to_sql(kind, out),
        Type::BOOL => (number != 0).to_sql(kind, out),
        _ => Err(mismatch("an integer", kind)),
    }
}

fn real_to_sql(number: f64, kind: &Type, out: &mut BytesMut) -> Outcome {
    match *kind {
        Type::FLOAT8 => number.to_sql(kind, out),
        _ => Err(mismatch("a floating point number", kind)),
    }
}

fn mismatch(value: &str, kind: &Type) -> Box<dyn Error + Sync + Send> {
    format!("{value} was passed for a parameter of type {kind}: add a CAST to the statement").into()
}
