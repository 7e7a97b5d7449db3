//! Memory budgets for request bodies and responses.

use super::client_id::ClientId;
use crate::error::Error;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::timeout;

/// One client can have this fraction (1/n) of a budget.
const CLIENT_SHARE: usize = 4;

/// A number of bytes shared by all clients. Each client can have a quarter of it.
pub struct MemoryBudget {
    total: usize,
    max_wait: Duration,
    used: Mutex<Used>,
    released: Notify,
    /// Number of reservations that wait.
    waiting: AtomicUsize,
}

#[derive(Default)]
struct Used {
    total: usize,
    by_client: HashMap<ClientId, usize>,
}

/// A reserved part of a budget, released when it is dropped.
pub struct Charge {
    budget: Arc<MemoryBudget>,
    client: ClientId,
    bytes: usize,
}

impl MemoryBudget {
    /// Creates a budget in bytes. A reservation waits up to `max_wait` for others to be released.
    pub fn new(total: usize, max_wait: Option<Duration>) -> Arc<MemoryBudget> {
        let max_wait = max_wait.unwrap_or(Duration::from_secs(24 * 3600));
        Arc::new(MemoryBudget {
            total,
            max_wait,
            used: Mutex::default(),
            released: Notify::new(),
            waiting: AtomicUsize::new(0),
        })
    }

    /// Returns an empty reservation, see [`Charge::reserve`].
    pub fn reservation(self: &Arc<Self>, client: ClientId) -> Charge {
        Charge {
            budget: Arc::clone(self),
            client,
            bytes: 0,
        }
    }

    /// Returns how many reservations wait.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    fn used(&self) -> MutexGuard<'_, Used> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the bytes if they are available. When nothing is in use, a client gets any amount,
    /// even more than the budget.
    fn try_take(&self, client: ClientId, bytes: usize) -> bool {
        if bytes == 0 {
            return true;
        }
        let mut used = self.used();
        let own = used.by_client.get(&client).copied().unwrap_or(0);
        let fits_client = own == 0 || own.saturating_add(bytes) <= self.total / CLIENT_SHARE;
        let fits = used.total == 0 || used.total.saturating_add(bytes) <= self.total;
        if fits_client && fits {
            used.total += bytes;
            *used.by_client.entry(client).or_default() += bytes;
        }
        fits_client && fits
    }
}

impl Charge {
    /// Reserves more bytes. Fails with [`Error::Overloaded`] when they are not available now.
    pub fn try_reserve(&mut self, bytes: usize) -> Result<(), Error> {
        if !self.budget.try_take(self.client, bytes) {
            return Err(Error::Overloaded);
        }
        self.bytes += bytes;
        Ok(())
    }

    /// Reserves more bytes. Fails with [`Error::Overloaded`] when they do not become available in
    /// time.
    pub async fn reserve(&mut self, bytes: usize) -> Result<(), Error> {
        let take = async {
            let mut waiting = None;
            loop {
                let released = self.budget.released.notified();
                if self.budget.try_take(self.client, bytes) {
                    return;
                }
                waiting.get_or_insert_with(|| Waiting::new(&self.budget.waiting));
                released.await;
            }
        };
        timeout(self.budget.max_wait, take)
            .await
            .map_err(|_| Error::Overloaded)?;
        self.bytes += bytes;
        Ok(())
    }
}

/// A reservation that waits; counted until it is dropped.
struct Waiting<'b>(&'b AtomicUsize);

impl<'b> Waiting<'b> {
    fn new(count: &'b AtomicUsize) -> Waiting<'b> {
        count.fetch_add(1, Ordering::Relaxed);
        Waiting(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        if self.bytes == 0 {
            return;
        }
        let mut used = self.budget.used();
        used.total -= self.bytes;
        if let Some(own) = used.by_client.get_mut(&self.client) {
            *own -= self.bytes;
            if *own == 0 {
                used.by_client.remove(&self.client);
            }
        }
        drop(used);
        self.budget.released.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_domain::ids::UserId;

    fn client(id: i64) -> ClientId {
        ClientId::User(UserId(id))
    }

    #[tokio::test]
    async fn one_client_can_reserve_a_quarter_of_the_budget() {
        let budget = MemoryBudget::new(400, Some(Duration::from_millis(10)));
        let mut charges: Vec<Charge> = (0..4).map(|id| budget.reservation(client(id))).collect();
        for charge in &mut charges {
            charge.reserve(60).await.unwrap();
            assert!(charge.reserve(60).await.is_err(), "more than a quarter");
            charge.reserve(40).await.unwrap();
        }
        assert!(
            budget.reservation(client(9)).reserve(1).await.is_err(),
            "nothing is left"
        );
        charges.pop();
        assert!(budget.reservation(client(9)).reserve(100).await.is_ok());
        charges.clear();
        assert!(budget.used().by_client.is_empty() && budget.used().total == 0);
    }

    #[tokio::test]
    async fn reservation_waits_until_enough_is_released() {
        let budget = MemoryBudget::new(400, None);
        let mut first = budget.reservation(client(1));
        first.reserve(100).await.unwrap();
        let mut second = budget.reservation(client(1));
        let (_, waited) = tokio::join!(async { drop(first) }, second.reserve(100));
        assert!(waited.is_ok());
    }

    #[tokio::test]
    async fn reservation_beyond_the_budget_succeeds_when_nothing_is_in_use() {
        let budget = MemoryBudget::new(10, Some(Duration::from_millis(10)));
        let mut first = budget.reservation(client(1));
        first.reserve(1000).await.unwrap();
        assert!(budget.reservation(client(2)).reserve(1).await.is_err());
    }
}
