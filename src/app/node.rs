//! This process as one of the nodes that serve the same records.
//!
//! With PostgreSQL, each node reports every few seconds. The node that joined first is the leader:
//! it alone runs the jobs that must run only once. The others measure the silence of a node with
//! their own clocks; they delete one that stops reporting, and the next one becomes the leader.
//! With SQLite, the only process is the leader.

use jiff::Timestamp;
use quarry_domain::administration::node::Node;
use quarry_domain::clock::Entropy;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time without a report after which the others delete a node.
const MAX_SILENCE: Duration = Duration::from_secs(20);
/// How long a node is the leader after a report. Less than [`MAX_SILENCE`], so that a leader that
/// is cut off stops before another node takes over.
const LEASE_TIME: Duration = Duration::from_secs(15);

/// This process.
pub struct ThisNode {
    /// A random id, generated at startup.
    pub id: String,
    /// Whether other processes may serve the same records.
    is_shared: bool,
    is_importing: AtomicBool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Until when this node is the leader.
    lease_end: Option<Instant>,
    /// The last report of each other node, and when this node first saw it.
    reports: HashMap<String, (Timestamp, Instant)>,
}

impl ThisNode {
    /// Creates the node with a random id.
    pub fn new(is_shared: bool, entropy: &dyn Entropy) -> ThisNode {
        let mut id = [0u8; 8];
        entropy.fill(&mut id);
        ThisNode {
            id: id.iter().map(|byte| format!("{byte:02x}")).collect(),
            is_shared,
            is_importing: AtomicBool::new(false),
            state: Mutex::default(),
        }
    }

    /// Whether other processes may serve the same records.
    pub fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// Whether this node runs the jobs that must run only once.
    #[allow(
        clippy::disallowed_methods,
        reason = "who leads depends on real time, not the time of records"
    )]
    pub fn is_leader(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        !self.is_shared || state.lease_end.is_some_and(|end| Instant::now() < end)
    }

    /// Whether this node runs an import that was started in the browser.
    pub fn is_importing(&self) -> bool {
        self.is_importing.load(Ordering::Acquire)
    }

    /// Sets whether this node runs an import that was started in the browser.
    pub fn set_importing(&self, is_importing: bool) {
        self.is_importing.store(is_importing, Ordering::Release);
    }

    /// Returns the other nodes that have not reported for [`MAX_SILENCE`], with their last report.
    pub(crate) fn find_silent(&self, nodes: &[Node], now: Instant) -> Vec<(String, Timestamp)> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let others = nodes.iter().filter(|node| node.id != self.id);
        let mut reports = HashMap::new();
        for node in others {
            let previous = state.reports.get(&node.id);
            let since = previous
                .filter(|(seen_on, _)| *seen_on == node.seen_on)
                .map_or(now, |(_, since)| *since);
            reports.insert(node.id.clone(), (node.seen_on, since));
        }
        let silent = reports
            .iter()
            .filter(|(_, (_, since))| now.duration_since(*since) > MAX_SILENCE)
            .map(|(id, (seen_on, _))| (id.clone(), *seen_on))
            .collect();
        state.reports = reports;
        silent
    }

    /// Renews or ends the lease of this node, after its report at this time; the first node is the
    /// leader. Returns whether this node has just become the leader.
    pub(crate) fn update_leader(&self, nodes: &[Node], reported: Instant) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let was_leader = state.lease_end.is_some();
        let is_leader = nodes.first().is_some_and(|first| first.id == self.id);
        state.lease_end = is_leader.then(|| reported + LEASE_TIME);
        is_leader && !was_leader
    }
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "in a test a panic is the message; real time is what is measured"
)]
mod tests {
    use super::*;
    use quarry_domain::clock::SystemEntropy;

    fn node(id: &str, seen_on: i64) -> Node {
        Node {
            id: id.to_owned(),
            address: String::new(),
            version: String::new(),
            joined_on: Timestamp::UNIX_EPOCH,
            seen_on: Timestamp::new(seen_on, 0).unwrap(),
            indexed_change: None,
            is_importing: false,
        }
    }

    #[test]
    fn node_is_silent_when_its_report_has_not_changed_independent_of_its_clock() {
        let this = ThisNode::new(true, &SystemEntropy);
        let start = Instant::now();
        let later = start + MAX_SILENCE + Duration::from_secs(1);
        let nodes = |alive| [node("alive", alive), node("dead", 9), node(&this.id, 1)];
        assert_eq!(this.find_silent(&nodes(-5), start), []);
        assert_eq!(
            this.find_silent(&nodes(-6), later),
            [("dead".to_owned(), Timestamp::new(9, 0).unwrap())]
        );
    }

    #[test]
    fn first_node_is_leader_until_its_lease_ends() {
        let this = ThisNode::new(true, &SystemEntropy);
        assert!(!this.is_leader() && ThisNode::new(false, &SystemEntropy).is_leader());
        let own = node(&this.id, 1);
        assert!(this.update_leader(&[own.clone(), node("other", 1)], Instant::now()));
        assert!(this.is_leader());
        assert!(!this.update_leader(std::slice::from_ref(&own), Instant::now() - LEASE_TIME));
        assert!(!this.is_leader(), "it could not report");
        this.update_leader(&[node("other", 1), own], Instant::now());
        assert!(!this.is_leader());
    }
}
