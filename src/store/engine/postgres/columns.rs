//! Converts columns of PostgreSQL into values of the engine.

use crate::engine::column::ColumnValue;
use crate::engine::error::StatementError;
use std::error::Error;
use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, Type};

/// Returns the value of a column.
pub(crate) fn get(row: &Row, column: usize) -> Result<ColumnValue<'_>, StatementError> {
    let decoded: Decoded<'_> = row.try_get(column)?;
    Ok(decoded.0)
}

struct Decoded<'v>(ColumnValue<'v>);

impl<'v> FromSql<'v> for Decoded<'v> {
    fn from_sql(kind: &Type, raw: &'v [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Decoded(match *kind {
            Type::INT8 => ColumnValue::Integer(i64::from_sql(kind, raw)?),
            Type::INT4 => ColumnValue::Integer(i32::from_sql(kind, raw)?.into()),
            Type::INT2 => ColumnValue::Integer(i16::from_sql(kind, raw)?.into()),
            Type::BOOL => ColumnValue::Integer(bool::from_sql(kind, raw)?.into()),
            Type::FLOAT8 => ColumnValue::Real(f64::from_sql(kind, raw)?),
            Type::NUMERIC => decode_numeric(raw)?,
            Type::BYTEA => ColumnValue::Blob(raw),
            _ => ColumnValue::Text(raw),
        }))
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Decoded(ColumnValue::Null))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

/// Decodes a `NUMERIC`, such as the sum of a `BIGINT` column: four 16-bit words (number of digits,
/// weight of the first one, sign, scale), then the digits in base 10,000.
fn decode_numeric(raw: &[u8]) -> Result<ColumnValue<'static>, Box<dyn Error + Sync + Send>> {
    let (words, _) = raw.as_chunks::<2>();
    let [_, weight, sign, scale, digits @ ..] = words else {
        return Err("a NUMERIC that is cut short".into());
    };
    let weight = i16::from_be_bytes(*weight);
    let is_negative = match u16::from_be_bytes(*sign) {
        0x0000 => false,
        0x4000 => true,
        _ => return Err("a number that is not finite".into()),
    };
    let digits = digits.iter().map(|digit| u16::from_be_bytes(*digit));
    if u16::from_be_bytes(*scale) > 0 {
        let number: f64 = digits
            .zip(0i32..)
            .map(|(digit, index)| f64::from(digit) * 10_000f64.powi(i32::from(weight) - index))
            .sum();
        return Ok(ColumnValue::Real(if is_negative {
            -number
        } else {
            number
        }));
    }
    let mut number = 0i128;
    for digit in digits
        .chain(std::iter::repeat(0))
        .take(usize::try_from(weight + 1)?)
    {
        number = number
            .checked_mul(10_000)
            .and_then(|number| number.checked_add(digit.into()))
            .ok_or("a number that is too large")?;
    }
    let number = if is_negative { -number } else { number };
    Ok(ColumnValue::Integer(i64::try_from(number)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(words: &[i16]) -> String {
        let raw: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        format!("{:?}", decode_numeric(&raw).unwrap())
    }

    #[test]
    fn numeric_is_decoded() {
        assert_eq!(decode(&[0, 0, 0, 0]), "Integer(0)");
        assert_eq!(decode(&[1, 0, 0, 0, 42]), "Integer(42)");
        assert_eq!(decode(&[1, 1, 0, 0, 3]), "Integer(30000)");
        assert_eq!(decode(&[2, 1, 0x4000, 0, 12, 3456]), "Integer(-123456)");
        assert_eq!(decode(&[2, 0, 0, 1, 2, 5000]), "Real(2.5)");
    }
}
