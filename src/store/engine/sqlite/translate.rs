//! Translates portable SQL into the dialect of SQLite.

use crate::engine::calls::replace_calls;
use std::borrow::Cow;

/// Translates a statement. `ids(?n)` is a table of the ids in parameter n. `along(index)` after a
/// table forces that index, which the planner does not always choose. `as_integer(x)` and
/// `as_number(x)` convert the number that a text begins with; 0 if there is none.
pub(super) fn translate(sql: &str) -> Cow<'_, str> {
    let sql = replace_calls(Cow::Borrowed(sql), " ids(", |value| {
        format!(" (SELECT value FROM rarray({value}))")
    });
    let sql = replace_calls(sql, " along(", |index| format!(" INDEXED BY {index}"));
    let sql = replace_calls(sql, "as_integer(", |text| format!("CAST({text} AS BIGINT)"));
    replace_calls(sql, "as_number(", |text| {
        format!("CAST({text} AS DOUBLE PRECISION)")
    })
}

/// Replaces `{id}` in a migration by the type of a primary key whose values are never reused, and
/// `{bytes}` by the type of a column with bytes.
pub(super) fn expand_migration(migration: &str) -> String {
    migration
        .replace("{id}", "INTEGER PRIMARY KEY AUTOINCREMENT")
        .replace("{bytes}", "BLOB")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_call_becomes_a_table() {
        assert_eq!(
            translate("a IN ids(?1) AND b NOT IN ids(?2)"),
            "a IN (SELECT value FROM rarray(?1)) AND b NOT IN (SELECT value FROM rarray(?2))"
        );
    }

    #[test]
    fn along_call_becomes_an_index_hint() {
        assert_eq!(
            translate("FROM a x along(a_by_b) WHERE c IN ids(?1)"),
            "FROM a x INDEXED BY a_by_b WHERE c IN (SELECT value FROM rarray(?1))"
        );
    }

    #[test]
    fn conversions_of_text_become_casts() {
        assert_eq!(
            translate("as_integer(a.b) = 1 OR as_number(c) < 2"),
            "CAST(a.b AS BIGINT) = 1 OR CAST(c AS DOUBLE PRECISION) < 2"
        );
    }
}
