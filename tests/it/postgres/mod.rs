//! PostgreSQL as the store: clusters that the tests start in temporary folders.

mod cluster;
mod comparison;
mod statements;

pub use cluster::Cluster;
