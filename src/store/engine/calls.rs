//! Replaces the calls in portable SQL for which each engine has its own syntax, such as `ids(?1)`.

use std::borrow::Cow;

/// Replaces each call that starts with `prefix` by the result of `replace` for its argument.
pub(super) fn replace_calls<'s>(
    sql: Cow<'s, str>,
    prefix: &str,
    replace: impl Fn(&str) -> String,
) -> Cow<'s, str> {
    if !sql.contains(prefix) {
        return sql;
    }
    let mut replaced = String::with_capacity(sql.len() + 64);
    let mut rest = &*sql;
    while let Some(begin) = rest.find(prefix) {
        let (before, after) = rest.split_at(begin);
        let end = after.find(')').unwrap_or(after.len() - 1);
        replaced.push_str(before);
        replaced.push_str(&replace(&after[prefix.len()..end]));
        rest = &after[end + 1..];
    }
    replaced.push_str(rest);
    Cow::Owned(replaced)
}
