//! How much processor time each client has used lately.

use super::client_id::ClientId;
use rustix::time::{ClockId, Timespec, clock_gettime};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Processor time that a client may use at once.
const BUDGET: Duration = Duration::from_millis(500);
/// The budget grows again by this share (1/n) of the time that passes.
const SHARE: u32 = 16;
/// Number of clients from which on those with a full budget are removed.
const SWEEP_THRESHOLD: usize = 4_096;

/// The processor time of clients.
#[derive(Default)]
pub struct ClientCosts {
    by_client: Mutex<HashMap<ClientId, Cost>>,
}

/// What is missing from the budget of a client.
#[derive(Clone, Copy)]
struct Cost {
    used: Duration,
    at: Instant,
}

impl Cost {
    fn used_at(self, now: Instant) -> Duration {
        let regained = now.saturating_duration_since(self.at) / SHARE;
        self.used.saturating_sub(regained)
    }
}

impl ClientCosts {
    /// Whether the client has used up its budget.
    pub fn exceeds_share(&self, client: ClientId) -> bool {
        let by_client = self
            .by_client
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let cost = by_client.get(&client);
        cost.is_some_and(|cost| cost.used_at(Instant::now()) > BUDGET)
    }

    /// Runs work of a client and charges the processor time of this thread to it.
    pub fn charge<T>(&self, client: ClientId, work: impl FnOnce() -> T) -> T {
        let start = processor_time();
        let outcome = work();
        let spent = processor_time().saturating_sub(start);
        self.add(client, spent, Instant::now());
        outcome
    }

    fn add(&self, client: ClientId, spent: Duration, now: Instant) {
        let mut by_client = self
            .by_client
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if by_client.len() >= SWEEP_THRESHOLD {
            by_client.retain(|_, cost| !cost.used_at(now).is_zero());
        }
        let before = by_client.get(&client);
        let before = before.map_or(Duration::ZERO, |cost| cost.used_at(now));
        let used = before.saturating_add(spent);
        by_client.insert(client, Cost { used, at: now });
    }
}

/// Returns the processor time that this thread has used.
fn processor_time() -> Duration {
    let Timespec { tv_sec, tv_nsec } = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(tv_sec).unwrap_or(0);
    Duration::new(seconds, u32::try_from(tv_nsec).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_domain::ids::UserId;

    #[test]
    fn budget_is_used_up_and_grows_again() {
        let costs = ClientCosts::default();
        let client = ClientId::User(UserId(1));
        let now = Instant::now();
        costs.add(client, BUDGET, now);
        assert!(!costs.exceeds_share(client));
        costs.add(client, Duration::from_secs(60), now);
        assert!(costs.exceeds_share(client));
        assert!(!costs.exceeds_share(ClientId::User(UserId(2))));
        let later = now + Duration::from_secs(60) * SHARE;
        costs.add(client, Duration::ZERO, later);
        assert!(!costs.exceeds_share(client));
    }

    #[test]
    fn work_is_charged_by_its_processor_time() {
        let costs = ClientCosts::default();
        let client = ClientId::User(UserId(1));
        let time = Duration::from_millis(5);
        costs.charge(client, || {
            let start = processor_time();
            while processor_time().saturating_sub(start) < time {
                std::hint::black_box(());
            }
        });
        let by_client = costs.by_client.lock().unwrap();
        assert!(by_client[&client].used >= time);
    }

    #[test]
    fn clients_with_a_full_budget_take_no_memory() {
        let costs = ClientCosts::default();
        let now = Instant::now();
        let ids = 0..2 * SWEEP_THRESHOLD;
        for id in ids.map(|id| i64::try_from(id).unwrap()) {
            costs.add(ClientId::User(UserId(id)), Duration::ZERO, now);
        }
        assert!(costs.by_client.lock().unwrap().len() <= SWEEP_THRESHOLD);
    }
}
