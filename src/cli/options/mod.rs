//! Options that several commands share.

pub(crate) mod global_options;
mod monitoring_options;
pub(crate) mod service_options;
pub(crate) mod tls_options;
