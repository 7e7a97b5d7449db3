//! Checks that the installation has an administrator.

use super::damage::Damage;
use crate::StoreError;
use crate::transaction::snapshot::Snapshot;

/// Checks that there is an active administrator once there are users.
pub(super) fn no_administrator(db: &Snapshot<'_>) -> Result<Option<Damage>, StoreError> {
    let sql = "SELECT COUNT(*) FROM users WHERE type = 'User' AND status IN (1, 2, 3)";
    let users = db.query_i64(sql, &[])?;
    let sql = "SELECT COUNT(*) FROM users WHERE type = 'User' AND status = 1 AND admin = 1";
    let administrators = db.query_i64(sql, &[])?;
    let examples = (users > 0 && administrators == 0)
        .then(|| format!("none of the {users} users is an active administrator"));
    Ok(Damage::from_examples(examples.into_iter().collect(), None))
}
