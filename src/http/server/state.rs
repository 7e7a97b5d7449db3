//! The state that all handlers share: the running service and the limits on its clients.

use super::limits::client_id::ClientId;
use super::limits::guess_counts::GuessCounts;
use super::limits::logins::LoginThrottle;
use super::limits::memory::MemoryBudget;
use super::limits::reads::ReadLimiter;
use super::limits::rendering::RenderLimiter;
use super::limits::scaling::ScalingLimiter;
use super::limits::semaphore::{BoundedSemaphore, KeyedPermit, KeyedSemaphores};
use super::transfer_limit::TransferLimit;
use crate::error::Error;
use metrics::gauge;
use quarry_app::App;
use quarry_config::Limit;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Maximum number of requests that write at once; the store has one writer anyway.
const MAX_WRITES: usize = 64;
/// Maximum number of concurrent writes of one client.
const MAX_WRITES_PER_CLIENT: usize = 16;
/// Maximum number of concurrent uploads of one client.
const MAX_UPLOADS_PER_CLIENT: usize = 4;
/// Maximum number of streamed responses at once.
const MAX_STREAMS: usize = 64;

/// The state that all handlers share. All limits but those on guesses are of this node.
pub struct HttpState {
    /// The running service.
    pub app: Arc<App>,
    /// Permits for reads.
    pub reads: Arc<ReadLimiter>,
    /// Slots for rendering long texts.
    pub rendering: RenderLimiter,
    /// The slot for scaling images.
    pub scaling: ScalingLimiter,
    /// Permits for uploads, by client.
    pub uploads_of_client: KeyedSemaphores<ClientId>,
    /// Limits on login attempts.
    pub logins: Arc<LoginThrottle>,
    /// How fast bodies must arrive; `None` when that is not limited.
    pub transfer: Option<TransferLimit>,
    /// One permit for each streamed response.
    pub streams: Arc<Semaphore>,
    /// Memory for request bodies.
    pub body_memory: Arc<MemoryBudget>,
    /// Memory for responses that are being sent.
    pub reply_memory: Arc<MemoryBudget>,
    writes: BoundedSemaphore,
    writes_of_client: KeyedSemaphores<ClientId>,
}

impl HttpState {
    /// Creates the state with the configured limits.
    pub fn new(app: Arc<App>) -> Arc<HttpState> {
        let cpus = std::thread::available_parallelism().map_or(2, usize::from);
        let limits = &app.config.limits;
        let queue = limits.count(Limit::QueueLength);
        let wait = limits.duration(Limit::QueueTimeout);
        let guesses = if app.store.is_shared() {
            GuessCounts::in_store(Arc::clone(&app.store), Arc::clone(&app.clock))
        } else {
            GuessCounts::in_memory(Arc::clone(&app.clock))
        };
        let state = Arc::new(HttpState {
            reads: Arc::new(ReadLimiter::new(cpus, limits)),
            rendering: RenderLimiter::new(cpus, limits),
            scaling: ScalingLimiter::new(limits),
            writes: BoundedSemaphore::new(MAX_WRITES, queue, wait),
            writes_of_client: KeyedSemaphores::new(move || {
                BoundedSemaphore::new(MAX_WRITES_PER_CLIENT, queue, wait)
            }),
            uploads_of_client: KeyedSemaphores::new(move || {
                BoundedSemaphore::new(MAX_UPLOADS_PER_CLIENT, queue, wait)
            }),
            logins: Arc::new(LoginThrottle::new(cpus, limits, guesses)),
            transfer: TransferLimit::new(limits),
            streams: Arc::new(Semaphore::new(
                limits.queue_length(MAX_STREAMS).min(Semaphore::MAX_PERMITS),
            )),
            body_memory: MemoryBudget::new(limits.count(Limit::BodyMemory), wait),
            reply_memory: MemoryBudget::new(limits.count(Limit::ReplyMemory), wait),
            app,
        });
        if let Some(metrics) = &state.app.metrics {
            let state = Arc::downgrade(&state);
            metrics.add_collector(move || {
                if let Some(state) = state.upgrade() {
                    state.set_gauges();
                }
            });
        }
        state
    }

    /// Sets the gauges of the requests that wait, by limit.
    pub fn set_gauges(&self) {
        let (reads, slow_reads) = self.reads.waiting();
        let waiting = [
            ("reads", reads),
            ("slow_reads", slow_reads),
            (
                "writes",
                self.writes.waiting() + self.writes_of_client.waiting(),
            ),
            ("uploads", self.uploads_of_client.waiting()),
            ("long_texts", self.rendering.waiting()),
            ("thumbnails", self.scaling.waiting()),
            ("passwords", self.logins.waiting()),
            ("body_memory", self.body_memory.waiting()),
        ];
        for (limit, count) in waiting {
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            gauge!("quarry_http_requests_waiting", "limit" => limit).set(count);
        }
    }

    /// Waits for a permit to write.
    pub async fn write_permit(
        &self,
        client: ClientId,
    ) -> Result<(KeyedPermit, OwnedSemaphorePermit), Error> {
        Ok((
            self.writes_of_client.acquire(client).await?,
            self.writes.acquire().await?,
        ))
    }
}
