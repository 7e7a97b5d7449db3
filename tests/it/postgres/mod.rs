//! PostgreSQL as the store: clusters that the tests start in temporary folders.

mod cluster;
mod comparison;
mod plans;
mod statements;

pub use cluster::Cluster;
