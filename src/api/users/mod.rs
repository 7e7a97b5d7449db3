//! Users.

mod show;
mod view;

pub use show::current;
