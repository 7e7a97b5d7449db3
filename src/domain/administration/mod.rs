//! What administrators configure: trackers, statuses, workflow, enumerations, custom fields and
//! settings.

pub mod custom_field;
pub mod setting;
pub mod trusted_proxies;
pub mod update_rules;
pub mod workdays;
pub mod workflow;
