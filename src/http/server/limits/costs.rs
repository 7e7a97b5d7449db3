//! How much processor time each client has used lately: for its reads, and for what its writes need
//! before and after their transaction. The thread of the writer, uploads and thumbnails are not charged;
//! they have limits of their own.

use super::client_id::ClientId;
use rustix::time::{ClockId, Timespec, clock_gettime};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Processor time that a client may use at once.
const BUDGET: Duration = Duration::from_millis(500);
/// The budget is refilled by this fraction (1/n) of the time that passes.
const REFILL_DIVISOR: u32 = 16;
/// What a client can have used at most: after a long export it has its budget back in 80 seconds.
const MAX_USED: Duration = Duration::from_secs(5);
/// Number of clients from which on those with a full budget are removed.
const SWEEP_THRESHOLD: usize = 4_096;

/// The processor time of clients.
pub struct ClientCosts {
    clients: Mutex<Clients>,
}

struct Clients {
    costs: HashMap<ClientId, Cost>,
    /// Number of clients at which the next sweep happens: twice those that the last one has left, so that
    /// sweeps are rare however many clients there are.
    sweep_at: usize,
}

/// What is missing from the budget of a client.
#[derive(Clone, Copy)]
struct Cost {
    used: Duration,
    /// The time to which `used` refers.
    at: Instant,
}

impl Cost {
    fn used_at(self, now: Instant) -> Duration {
        let regained = now.saturating_duration_since(self.at) / REFILL_DIVISOR;
        self.used.saturating_sub(regained)
    }
}

impl ClientCosts {
    /// Creates the costs of clients, none of which has used any time.
    pub fn new() -> ClientCosts {
        ClientCosts {
            clients: Mutex::new(Clients {
                costs: HashMap::new(),
                sweep_at: SWEEP_THRESHOLD,
            }),
        }
    }

    /// Whether the client has used up its budget.
    pub fn is_over_budget(&self, client: ClientId) -> bool {
        let cost = self.clients().costs.get(&client).copied();
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
        let mut clients = self.clients();
        if clients.costs.len() >= clients.sweep_at {
            clients.costs.retain(|_, cost| !cost.used_at(now).is_zero());
            clients.sweep_at = SWEEP_THRESHOLD.max(2 * clients.costs.len());
        }
        let before = clients.costs.get(&client);
        let before = before.map_or(Duration::ZERO, |cost| cost.used_at(now));
        let used = before.saturating_add(spent).min(MAX_USED);
        clients.costs.insert(client, Cost { used, at: now });
    }

    fn clients(&self) -> MutexGuard<'_, Clients> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
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
        let costs = ClientCosts::new();
        let client = ClientId::User(UserId(1));
        let now = Instant::now();
        costs.add(client, BUDGET, now);
        assert!(!costs.is_over_budget(client));
        costs.add(client, Duration::from_secs(3_600), now);
        assert!(costs.is_over_budget(client));
        assert!(!costs.is_over_budget(ClientId::User(UserId(2))));
        // However much it was.
        let later = now + MAX_USED * REFILL_DIVISOR;
        costs.add(client, Duration::ZERO, later);
        assert!(!costs.is_over_budget(client));
    }

    #[test]
    fn work_is_charged_by_its_processor_time() {
        let costs = ClientCosts::new();
        let client = ClientId::User(UserId(1));
        let time = Duration::from_millis(5);
        costs.charge(client, || {
            let start = processor_time();
            while processor_time().saturating_sub(start) < time {
                std::hint::black_box(());
            }
        });
        assert!(costs.clients().costs[&client].used >= time);
    }

    #[test]
    fn clients_with_a_full_budget_take_no_memory_and_sweeps_are_rare() {
        let costs = ClientCosts::new();
        let client = |id: usize| ClientId::User(UserId(i64::try_from(id).unwrap()));
        let now = Instant::now();
        for id in 0..2 * SWEEP_THRESHOLD {
            costs.add(client(id), Duration::ZERO, now);
        }
        assert!(costs.clients().costs.len() <= SWEEP_THRESHOLD);
        // Clients that have all used something are kept, and not looked through with each request.
        for id in 0..3 * SWEEP_THRESHOLD {
            costs.add(client(id), BUDGET, now);
        }
        let clients = costs.clients();
        assert!(clients.costs.len() >= 3 * SWEEP_THRESHOLD);
        assert!(clients.sweep_at > clients.costs.len());
    }
}
