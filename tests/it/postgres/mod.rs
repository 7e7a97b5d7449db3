//! PostgreSQL as the store: clusters that the tests start in temporary folders.

mod cluster;
mod commands;
mod copy;
mod files;
mod load;
mod loss;
mod nodes;
mod proxy;
mod site;
mod standby;

pub use cluster::Cluster;
