//! Sessions of browsers: log in, log out, and what ends a session.
//!
//! Invariant: a session authenticates its user only when it is complete, has not expired, and the
//! user is active. Changes of the password, of the second factor and of the status delete all
//! sessions of the user in their transaction, see `store::users`. So does an import of a new
//! password. Times are not compared, because the clock may have been wrong.

mod end;
mod find;
mod start;
mod steps;

pub use end::{end, end_one, end_others};
pub use find::{find, idle_timeout, list};
pub use start::{NewSession, start};
pub use steps::next_step;
