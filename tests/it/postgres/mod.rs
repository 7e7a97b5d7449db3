//! PostgreSQL as the store: clusters that the tests start in temporary folders.

mod cluster;
mod statements;

pub use cluster::Cluster;
