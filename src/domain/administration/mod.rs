//! What administrators define: custom fields, enumerations, statuses, trackers, the workflow,
//! settings and what they mean.

pub mod audit;
pub mod backup;
pub mod custom_field;
pub mod enumeration;
pub mod issue_status;
pub mod mail;
pub mod node;
pub mod setting;
pub mod time_zone;
pub mod tracker;
pub mod week_start;
pub mod workdays;
pub mod workflow;
pub mod workflow_effects;
pub mod workflow_plan;
