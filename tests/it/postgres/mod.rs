//! PostgreSQL as the store: clusters that the tests start in temporary folders.

mod cluster;
mod loss;
mod proxy;
mod standby;

pub use cluster::Cluster;
