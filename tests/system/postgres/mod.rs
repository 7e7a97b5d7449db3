//! PostgreSQL as the store: clusters that the tests start in temporary folders.

mod cluster;
mod commands;
mod comparison;
mod copy;
mod files;
mod load;
mod loss;
mod nodes;
mod plans;
mod proxy;
pub mod site;
mod statements;
