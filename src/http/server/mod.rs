//! The server: accepts connections, and limits what clients may take of the service.
//!
//! Invariant: every wait is bounded in time, and every queue in length.
//! May import: `http::error` and everything below `http`, not the other submodules of `http`.

pub mod blocking;
pub mod connections;
mod framing;
pub mod health;
pub mod limits;
pub mod listener;
pub mod log;
pub mod metrics;
mod open_files;
pub mod request_scope;
pub mod serve;
pub mod state;
pub mod stream;
pub mod tls;
mod trace_context;
pub mod transfer_limit;
