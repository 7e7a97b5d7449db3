//! Requests of commands to the service on this machine, without an HTTP library: each with one deadline.

pub(crate) mod health;
pub(crate) mod health_target;
pub(crate) mod http_post;
mod timed_stream;
mod unverified_tls;
