//! `PUT /settings/:name` and `PUT /settings`, for administrators (compatibility 14).

use super::show::setting_reply;
use super::{fields, list};
use crate::actions::settings;
use crate::domain::setting::Setting;
use crate::http::{Error, Reply, RequestContext, audit_setting};

/// Sets a setting: 200 with its new state.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    request.require_admin()?;
    let setting = fields::setting(request)?;
    save(request, fields::parse_value(request, setting)?)?;
    request.app.read(|db| setting_reply(db, setting))
}

/// Sets several settings, all or none: 200 with all settings.
pub fn update_all(request: &RequestContext) -> Result<Reply, Error> {
    request.require_admin()?;
    save(request, fields::parse_values(request)?)?;
    request.app.read(|db| list::list(request, db))
}

fn save(request: &RequestContext, values: Vec<(Setting, String)>) -> Result<(), Error> {
    for change in request.write(move |db, viewer| settings::update_all(db, viewer, &values))? {
        audit_setting(request, &change);
    }
    Ok(())
}
