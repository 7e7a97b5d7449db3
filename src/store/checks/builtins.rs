//! The built-in roles and principals, of which there is one each.

use super::damage::Damage;
use super::repair::Repair;
use crate::StoreError;
use crate::transaction::snapshot::Snapshot;
use quarry_domain::access::role::Builtin;

/// Checks that each built-in role exists once. Before the setup there are no roles.
pub(super) fn roles(db: &Snapshot<'_>) -> Result<Option<Damage>, StoreError> {
    if db.query_i64("SELECT COUNT(*) FROM roles", &[])? == 0 {
        return Ok(None);
    }
    let mut examples = Vec::new();
    let mut missing = Vec::new();
    for builtin in [Builtin::NonMember, Builtin::Anonymous] {
        let sql = "SELECT id FROM roles WHERE builtin = ?1 ORDER BY id";
        let ids: Vec<i64> = db.column(sql, &[builtin.code().into()])?;
        let name = builtin.name();
        match ids.as_slice() {
            [_] => {}
            [] => {
                examples.push(format!("the built-in role {name} is missing"));
                missing.push(builtin);
            }
            [first, others @ ..] => examples.extend(
                others
                    .iter()
                    .map(|id| format!("role {id} has the code of the built-in role {first}")),
            ),
        }
    }
    let are_all_missing = missing.len() == examples.len();
    let repair = are_all_missing.then_some(Repair::InsertRoles(missing));
    Ok(Damage::from_examples(examples, repair))
}

/// Checks that no built-in principal exists twice. They are created when they are needed first.
pub(super) fn principals(db: &Snapshot<'_>) -> Result<Option<Damage>, StoreError> {
    let sql = "SELECT type, COUNT(*) FROM users WHERE type IN ('AnonymousUser', 'GroupAnonymous', 'GroupNonMember') \
               GROUP BY type HAVING COUNT(*) > 1 ORDER BY type";
    let examples = db.rows(sql, &[], |row| {
        let name: String = row.next()?;
        let count: i64 = row.next()?;
        Ok(format!("users has {count} rows of the type {name}"))
    })?;
    Ok(Damage::from_examples(examples, None))
}
