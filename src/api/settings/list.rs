//! `GET /settings`, for administrators (compatibility 14).

use super::view;
use crate::domain::setting::Setting;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use std::sync::Arc;

/// Returns all settings.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    request.require_admin()?;
    let catalogue = Arc::clone(db.catalogue());
    let describe = move |w: &mut _, setting: Setting| view::setting(w, setting, &catalogue);
    Ok(Reply::list(
        "settings",
        "setting",
        Setting::all().collect(),
        describe,
        Vec::new(),
    ))
}
