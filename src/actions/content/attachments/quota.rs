//! How much one user may upload before attaching it to a record.

use crate::prelude::*;
use quarry_domain::administration::setting::Setting;
use quarry_store::content::attachments;

/// Returns how many bytes the user may still upload.
///
/// # Errors
/// `Invalid` if no further upload is accepted, not even an empty one.
pub fn remaining(db: &Read<'_>, user: UserId) -> Result<u64, ActionError> {
    let catalogue = db.catalogue();
    let (count, bytes) = attachments::count_unattached(db, user)?;
    let max_count = catalogue.integer_setting(Setting::UnattachedUploadsMaxCount);
    if max_count > 0 && count >= max_count {
        let message = format!(
            "Your uploads that are not attached yet are too many (maximum is {max_count}); attach or delete some first"
        );
        return Err(ActionError::invalid(message));
    }
    let Some(max) = max_bytes(db) else {
        return Ok(u64::MAX);
    };
    let remaining = max.saturating_sub(u64::try_from(bytes).unwrap_or(0));
    if remaining == 0 {
        Err(too_large(max))
    } else {
        Ok(remaining)
    }
}

/// Fails if an upload of `size` bytes exceeds the quota. Race-free in the transaction that adds the
/// upload.
///
/// # Errors
/// `Invalid` with a message that tells what to do.
pub fn check(db: &Read<'_>, user: UserId, size: u64) -> Result<(), ActionError> {
    if remaining(db, user)? < size {
        Err(exceeded(db))
    } else {
        Ok(())
    }
}

/// Returns the error for an upload that is larger than what remains of the quota.
pub fn exceeded(db: &Read<'_>) -> ActionError {
    too_large(max_bytes(db).unwrap_or(u64::MAX))
}

/// Maximum number of bytes of all unattached uploads of a user; `None` without a limit. One file of
/// the largest permitted size always fits.
fn max_bytes(db: &Read<'_>) -> Option<u64> {
    let max = kib(db.catalogue(), Setting::UnattachedUploadsMaxSize);
    (max > 0).then(|| {
        max.max(kib(db.catalogue(), Setting::AttachmentMaxSize))
            .saturating_mul(1024)
    })
}

fn kib(catalogue: &Catalogue, setting: Setting) -> u64 {
    u64::try_from(catalogue.integer_setting(setting)).unwrap_or(0)
}

fn too_large(max: u64) -> ActionError {
    let message = format!(
        "Your uploads that are not attached yet are too large together (maximum is {max} bytes); attach or delete some first"
    );
    ActionError::invalid(message)
}
