//! PostgreSQL as the store: clusters that the tests start in temporary folders.

mod cluster;

#[expect(unused_imports, reason = "for the tests of several nodes")]
pub use cluster::Cluster;
