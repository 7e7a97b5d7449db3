//! PostgreSQL as the store: clusters that the tests start in temporary folders.

mod cluster;

pub use cluster::Cluster;
