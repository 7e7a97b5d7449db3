//! What this node tells the others: that it is running, and that it stops.

use super::App;
use super::server_clock::adjust_clock;
use quarry_domain::administration::node::Node;
use quarry_store::StoreError;
use quarry_store::administration::nodes;
use std::time::Instant;

impl App {
    /// Reports that this node is running, and deletes those that have stopped reporting. Blocks.
    /// Does nothing with SQLite.
    #[allow(
        clippy::disallowed_methods,
        reason = "the silence of a node is real time, not the time of records"
    )]
    pub fn report_node(&self) -> Result<(), StoreError> {
        if !self.node.is_shared() {
            return Ok(());
        }
        adjust_clock(&self.adjusted_clock, &self.store)?;
        let now = Instant::now();
        let silent = self.node.find_silent(&self.store.read(nodes::list)?, now);
        let node = Node {
            id: self.node.id.clone(),
            address: format!("{}, {}", host_name(), self.config.listen),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            joined_on: self.clock.now(),
            seen_on: self.clock.now(),
            indexed_change: self.search.status().indexed,
            is_importing: self.node.is_importing(),
        };
        let nodes = self.store.write_with_reserve(move |db| {
            let mut deleted = Vec::new();
            for (id, seen_on) in silent {
                if nodes::delete_silent(db, &id, seen_on)? {
                    deleted.push(id);
                }
            }
            nodes::report(db, &node)?;
            Ok::<_, StoreError>((deleted, nodes::list(db)?))
        });
        let (deleted, nodes) = nodes?;
        for id in deleted {
            tracing::warn!(
                node.id = id,
                "a node has stopped reporting; it was removed from the list of nodes"
            );
        }
        if self.node.update_leader(&nodes, now) {
            tracing::info!(
                node.id = self.node.id,
                "this node leads: it runs the jobs that must run only once"
            );
        }
        Ok(())
    }

    /// Tells the other nodes that this one stops. Blocks.
    pub fn leave_nodes(&self) {
        if !self.node.is_shared() {
            return;
        }
        let id = self.node.id.clone();
        if let Err(error) = self.store.write(move |db| nodes::delete(db, &id)) {
            tracing::warn!(error = %error, "this node could not tell the others that it stops; they will notice within half a minute");
        }
    }
}

/// Returns the name of the machine: many nodes listen at the same address, such as `0.0.0.0:3000`.
#[cfg(unix)]
fn host_name() -> String {
    let system = rustix::system::uname();
    system.nodename().to_string_lossy().into_owned()
}

#[cfg(not(unix))]
fn host_name() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}
