//! Connections to other servers.
//!
//! Invariant: no server can exhaust the memory or hold a thread of the clients that are built on this
//! module: SMTP, IMAP, and imports from PostgreSQL. They read through a [`BoundedStream`], and each step
//! runs in a [`BlockingRuntime`], which ends at a deadline or when the service stops.
//!
//! Other clients have bounds of their own. ACME, imports from MySQL and the store in PostgreSQL use
//! libraries that open their sockets themselves; `quarry mail receive` has deadlines of its own, and
//! reads 64 KiB of a response. May import: nothing.

mod blocking_runtime;
mod bounded_stream;
pub mod tls;

pub use blocking_runtime::{BlockingRuntime, Interruption, connect};
pub use bounded_stream::{BoundedStream, Bounds, Stream};
