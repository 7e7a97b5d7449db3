//! Connections to other servers.
//!
//! Invariant: no server can exhaust the memory or hold a thread. What it sends is read through a
//! [`BoundedStream`], and every step of a conversation runs in a [`Conversation`], which ends at a
//! deadline or when the service stops. May import: nothing.

mod bounded_stream;
mod conversation;
pub mod tls;

pub use bounded_stream::{BoundedStream, Bounds, Stream};
pub use conversation::{Conversation, Interruption, connect};
