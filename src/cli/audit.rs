//! The audit log of commands: the same events as those of the pages and the API, with `origin` in
//! place of user and address.

pub(crate) mod audit_events;

use quarry_actions::accounts::users::RightsChange;
use quarry_domain::administration::setting::Setting;
use quarry_domain::ids::UserId;

/// Where the changes come from.
const ORIGIN: &str = "command line";

/// Logs changes of the rights of a user, one event each.
pub fn log_user_changes(user: UserId, login: &str, changes: &[RightsChange]) {
    for change in changes {
        log_user(user, login, change.name());
    }
}

/// Logs a new API key of a user.
pub fn log_new_key(user: UserId, login: &str) {
    log_user(user, login, "api key");
}

fn log_user(user: UserId, login: &str, change: &str) {
    tracing::info!(
        target: "audit",
        { origin = ORIGIN, account.id = user.0, account.login = login, account.change = change },
        "changed a user"
    );
}

/// Logs a setting that was changed.
pub fn log_setting(setting: Setting, value: &str) {
    let value = setting.loggable(value);
    let name = setting.name();
    tracing::info!(target: "audit", { origin = ORIGIN, setting.name = name, setting.value = value }, "changed a setting");
}

/// Logs a change of an OAuth application: `created` or `deleted`.
pub fn log_application(client_id: &str, change: &str) {
    tracing::info!(target: "audit", { origin = ORIGIN, oauth.client = client_id, oauth.change = change }, "changed an OAuth application");
}

/// Logs a new secret of the data folder, with which existing API keys stop working.
pub fn log_new_secret() {
    tracing::info!(target: "audit", { origin = ORIGIN }, "created a new secret");
}
