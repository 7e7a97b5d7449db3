//! `GET /settings/:name`, for administrators (compatibility 14).

use super::{fields, view};
use crate::domain::setting::Setting;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use std::sync::Arc;

/// Returns a setting.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    request.require_admin()?;
    setting_reply(db, fields::setting(request)?)
}

/// Returns a setting as it is now.
pub(super) fn setting_reply(db: &Read<'_>, setting: Setting) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    Ok(Reply::object("setting", move |w| {
        view::setting(w, setting, &catalogue)
    }))
}
