//! Limits on what clients may take of the service: permits to work, memory, login attempts.
//!
//! Invariant: every wait is bounded in time, and every queue in length. A client that sends many
//! requests waits for its own, and does not delay those of others.

pub mod client_id;
mod costs;
pub mod guess_counts;
pub mod guess_limits;
pub mod logins;
pub mod memory;
pub mod reads;
pub mod rendering;
pub mod scaling;
pub mod semaphore;
mod stored_guess_counts;
