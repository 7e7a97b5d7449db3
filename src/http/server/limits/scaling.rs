//! Limit on the scaling of images: one at a time, so that requests do not multiply the memory for
//! pixels or occupy all CPUs.
//!
//! Clients take turns: one request of each client waits for the slot, and its other requests wait
//! for that one.

use super::client_id::ClientId;
use super::semaphore::{BoundedSemaphore, KeyedPermit, KeyedSemaphores};
use crate::error::Error;
use quarry_config::{Limit, Limits};
use tokio::sync::OwnedSemaphorePermit;

/// Number of images that are scaled at a time.
const SLOTS: usize = 1;
/// Maximum number of waiting requests of one client. A proxy may request all images of a page at
/// once.
const MAX_QUEUE_PER_CLIENT: usize = 64;

/// The slot for scaling, and a queue per client.
pub struct ScalingLimiter {
    slots: BoundedSemaphore,
    of_client: KeyedSemaphores<ClientId>,
}

/// The right to scale an image, released when it is dropped.
pub struct ScalingSlot {
    _slot: OwnedSemaphorePermit,
    _of_client: KeyedPermit,
}

impl ScalingLimiter {
    /// Creates a limiter.
    pub fn new(limits: &Limits) -> ScalingLimiter {
        let queue = limits.count(Limit::QueueLength);
        let wait = limits.duration(Limit::QueueTimeout);
        let queue_per_client = limits.queue_length(MAX_QUEUE_PER_CLIENT);
        ScalingLimiter {
            slots: BoundedSemaphore::new(SLOTS, queue, wait),
            of_client: KeyedSemaphores::new(move || {
                BoundedSemaphore::new(1, queue_per_client, wait)
            }),
        }
    }

    /// Returns how many requests wait.
    pub fn waiting(&self) -> usize {
        self.slots.waiting() + self.of_client.waiting()
    }

    /// Waits for the slot. Fails with [`Error::Overloaded`] when too many requests wait, or the
    /// wait takes too long.
    pub async fn acquire(&self, client: ClientId) -> Result<ScalingSlot, Error> {
        let of_client = self.of_client.acquire(client).await?;
        let slot = self.slots.acquire().await?;
        Ok(ScalingSlot {
            _slot: slot,
            _of_client: of_client,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use quarry_domain::ids::UserId;

    fn client(id: i64) -> ClientId {
        ClientId::User(UserId(id))
    }

    #[tokio::test]
    async fn clients_take_turns() {
        let limiter = ScalingLimiter::new(&Limits::default());
        let slot = limiter.acquire(client(1)).await.unwrap();
        let mut again: Vec<_> = (0..3)
            .map(|_| Box::pin(limiter.acquire(client(1))))
            .collect();
        assert!(
            again
                .iter_mut()
                .all(|request| request.now_or_never().is_none())
        );
        let mut other = Box::pin(limiter.acquire(client(2)));
        assert!((&mut other).now_or_never().is_none(), "one image at a time");
        drop(slot);
        assert!(
            again
                .iter_mut()
                .all(|request| request.now_or_never().is_none()),
            "the other client is next"
        );
        let other = other.now_or_never().unwrap().unwrap();
        drop(other);
        assert!(
            again
                .iter_mut()
                .any(|request| request.now_or_never().is_some())
        );
    }

    #[tokio::test]
    async fn each_client_has_its_own_bounded_queue() {
        let limiter = ScalingLimiter::new(&Limits::default().with(Limit::QueueLength, 2));
        let _slot = limiter.acquire(client(1)).await.unwrap();
        let mut waiting: Vec<_> = (0..2)
            .map(|_| Box::pin(limiter.acquire(client(1))))
            .collect();
        assert!(
            waiting
                .iter_mut()
                .all(|request| request.now_or_never().is_none())
        );
        assert!(matches!(
            limiter.acquire(client(1)).await,
            Err(Error::Overloaded)
        ));
        assert!(
            limiter.acquire(client(2)).now_or_never().is_none(),
            "another client waits"
        );
    }
}
