//! PostgreSQL as the store: clusters that the tests start in temporary folders.

mod cluster;
mod nodes;

pub use cluster::Cluster;
