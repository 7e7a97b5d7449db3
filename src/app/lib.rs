//! The running service: configuration, store, index and caches that requests share.
//!
//! May import: `config`, `domain`, `store`, `search`.

pub mod backups;
mod freshness;
pub mod import_state;
mod latency;
mod metric_descriptions;
mod metrics_exporter;
mod metrics_gauges;
mod node;
mod node_report;
mod repeated_events;
mod server_clock;
mod service_state;
mod setup;
pub mod store_location;
mod test_mails;

pub use freshness::Freshness;
use freshness::{IndexLag, OwnChanges};
use import_state::ImportState;
use jiff::Timestamp;
pub use latency::{LatencyHistory, LatencySummary};
pub use metric_descriptions::{METRICS, MetricDescription, MetricType};
pub use metrics_exporter::{MetricsError, MetricsExporter, seconds};
use moka::sync::Cache;
pub use node::ThisNode;
use quarry_config::{Config, Limit};
use quarry_domain::access::viewer::Viewer;
use quarry_domain::accounts::oauth::Scopes;
use quarry_domain::administration::setting::Setting;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::clock::{AdjustedClock, Clock, Entropy};
use quarry_domain::ids::UserId;
use quarry_search::{Search, SearchError, Visibility, with_request_deadline};
use quarry_store::administration::outbox;
use quarry_store::data_folder::file_mode;
use quarry_store::data_folder::folder_lock::FolderLock;
use quarry_store::{Read, ReadWork, Store, StoreError};
pub use repeated_events::{RepeatedEvents, Repetition};
pub use service_state::ServiceState;
pub use setup::Setup;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
pub use test_mails::{MAX_TEST_MAILS, TestMails};

/// Maximum number of cached rights of viewers in projects, of about 100 bytes each.
const MAX_CACHED_RIGHTS: u64 = 2_000_000;
/// Time after which the rights of an idle viewer are dropped.
const RIGHTS_IDLE_TIME: Duration = Duration::from_secs(300);
/// Maximum number of cached logins. They save an argon2 hash for each request of a series.
const MAX_CACHED_LOGINS: u64 = 10_000;
/// Time after which a password is hashed again.
const LOGIN_TTL: Duration = Duration::from_secs(600);

/// Why the service cannot start.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// Another process serves the data folder.
    #[error(
        "another service uses it; stop that service first, or specify another folder with --data"
    )]
    InUse,
    /// The data folder cannot be locked.
    #[error("it cannot be locked: {0}")]
    Lock(std::io::Error),
    /// The store cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The index cannot be opened.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The metrics cannot be served.
    #[error(transparent)]
    Metrics(#[from] MetricsError),
}

/// A viewer, and what is derived from the viewer's rights.
pub struct ViewerContext {
    /// The user or anonymous, with rights.
    pub viewer: Arc<Viewer>,
    /// The visibility rules of the viewer, compiled for the index.
    pub visibility: Arc<Visibility>,
    /// The URL of the service from the settings `protocol` and `host_name`, if they are set.
    pub base_url: Option<String>,
}

/// A running service.
pub struct App {
    /// The configuration.
    pub config: Config,
    /// The records.
    pub store: Arc<Store>,
    /// The index.
    pub search: Arc<Search>,
    /// The metrics of this process; `None` if the configuration serves none.
    pub metrics: Option<MetricsExporter>,
    /// The clock for all times in records.
    pub clock: Arc<dyn Clock>,
    /// The source of random secrets.
    pub entropy: Arc<dyn Entropy>,
    /// The last change that each user made on this node, which the next search of that user must see.
    pub own_changes: OwnChanges,
    /// How long searches of this node took in the last hour.
    pub search_latency: LatencyHistory,
    /// The set-up of a new installation.
    pub setup: Setup,
    /// The import that was started in the browser of this node.
    pub import: ImportState,
    /// The limit on test mails of this node.
    pub test_mails: TestMails,
    /// The refused logins of this node, for the audit log.
    pub refused_logins: RepeatedEvents,
    /// The switches of administrators to other users on this node, for the audit log.
    pub user_switches: RepeatedEvents,
    /// The API keys that this node has shown to administrators, for the audit log.
    pub shown_keys: RepeatedEvents,
    /// This process among those that serve the same records.
    pub node: ThisNode,
    /// The clock, set to the time of the database server.
    adjusted_clock: Arc<AdjustedClock>,
    /// When the service was started.
    started_on: Timestamp,
    /// The lag of the index, which writers wait for.
    index_lag: IndexLag,
    /// The lock of the data folder, until the store is closed.
    lock: Mutex<Option<FolderLock>>,
    /// Rights by version of the catalogue, which every request reads: another node that takes rights
    /// away changes the version.
    viewers: Cache<(Option<UserId>, Option<Scopes>, i64), Arc<ViewerContext>>,
    /// Logins that this node has verified, by a fingerprint that covers the stored hash: a password
    /// that was changed on another node has another one.
    logins: Cache<[u8; 32], UserId>,
}

impl App {
    /// Opens store and index in the configured data folder. Fails before anything is read or
    /// written if another process serves it.
    pub fn open(
        config: &Config,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Arc<App>, AppError> {
        App::open_locked(config, clock, entropy, lock_data_folder(&config.data)?)
    }

    /// Like [`App::open`], with the lock of the data folder, which is held until [`App::close`].
    pub fn open_locked(
        config: &Config,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        lock: FolderLock,
    ) -> Result<Arc<App>, AppError> {
        // First, so that the metrics of the store are recorded from the start.
        let metrics = if config.monitoring.has_metrics() {
            Some(MetricsExporter::start(&config.monitoring)?)
        } else {
            None
        };
        let adjusted_clock = Arc::new(AdjustedClock::new(clock));
        let clock: Arc<dyn Clock> = adjusted_clock.clone();
        let store = Arc::new(Store::open_with(
            store_location::configured(config)?,
            Arc::clone(&clock),
            Arc::clone(&entropy),
        )?);
        server_clock::adjust_clock(&adjusted_clock, &store)?;
        note_whether_mail_is_on(&store, config.mail.is_some());
        let search = Search::open(&config.index, Arc::clone(&store))?;
        Ok(Arc::new(App {
            config: config.clone(),
            adjusted_clock,
            own_changes: OwnChanges::default(),
            node: ThisNode::new(store.is_shared(), entropy.as_ref()),
            search_latency: LatencyHistory::default(),
            setup: Setup::default(),
            import: ImportState::default(),
            test_mails: TestMails::default(),
            refused_logins: RepeatedEvents::default(),
            user_switches: RepeatedEvents::default(),
            shown_keys: RepeatedEvents::default(),
            started_on: clock.now(),
            index_lag: IndexLag::default(),
            metrics,
            lock: Mutex::new(Some(lock)),
            store,
            search,
            clock,
            entropy,
            viewers: Cache::builder()
                .weigher(weight)
                .max_capacity(MAX_CACHED_RIGHTS)
                .time_to_idle(RIGHTS_IDLE_TIME)
                .build(),
            logins: Cache::builder()
                .max_capacity(MAX_CACHED_LOGINS)
                .time_to_live(LOGIN_TTL)
                .build(),
        }))
    }

    /// Runs `work` on one snapshot of the records, on behalf of a request: statements and searches
    /// that still run when `read_timeout` has passed fail, see [`StoreError::is_timeout`]. Work of
    /// the service itself, such as the indexer's, uses [`Store::read`], which has no deadline.
    pub fn read<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&Read<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.read_until(self.read_deadline(), work)
    }

    fn read_deadline(&self) -> Option<Instant> {
        let timeout = self.config.limits.duration(Limit::ReadTimeout)?;
        Instant::now().checked_add(timeout)
    }

    /// Like [`App::read`], with this deadline.
    pub fn read_until<T, E: From<StoreError>>(
        &self,
        deadline: Option<Instant>,
        work: impl FnOnce(&Read<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut outcome = None;
        self.run_read(deadline, Box::new(|db| outcome = Some(work(db))))?;
        outcome.unwrap_or_else(|| Err(E::from(StoreError::Closed)))
    }

    /// See [`App::read_until`]; compiled once for all its callers.
    fn run_read(&self, deadline: Option<Instant>, work: ReadWork<'_>) -> Result<(), StoreError> {
        let work: ReadWork<'_> = Box::new(|db| with_request_deadline(deadline, || work(db)));
        self.store.run_read(deadline, work)
    }

    /// Returns the context of a user, or of anonymous, limited to the scopes of an access token if
    /// there is one. It is cached for one version of the catalogue, so that a change of rights
    /// takes effect with the next request.
    pub fn viewer_context(
        &self,
        catalogue: &Catalogue,
        user: Option<UserId>,
        scopes: Option<Scopes>,
    ) -> Arc<ViewerContext> {
        self.viewers
            .get_with((user, scopes, catalogue.version), || {
                let viewer = Arc::new(Viewer::with_scopes(catalogue, user, scopes));
                let visibility = Arc::new(Visibility::for_viewer(catalogue, &viewer));
                Arc::new(ViewerContext {
                    viewer,
                    visibility,
                    base_url: base_url(&self.config, catalogue),
                })
            })
    }

    /// Returns the URL of the service for links in mails: from the settings, or else the address at
    /// which it listens.
    pub fn mail_base_url(&self, catalogue: &Catalogue) -> String {
        base_url(&self.config, catalogue).unwrap_or_else(|| self.config.local_url())
    }

    /// Returns the URL of the service if the settings state it.
    pub fn base_url(&self) -> Result<Option<String>, StoreError> {
        Ok(base_url(&self.config, &*self.store.catalogue()?))
    }

    /// Whether every page leads to the set-up. Costs nothing unless the process has started on an
    /// empty folder.
    pub fn needs_setup(&self) -> Result<bool, StoreError> {
        Ok(self.setup.may_be_pending() && self.setup.is_pending(&*self.store.catalogue()?))
    }

    /// Whether an import is under way on any node, or has failed and can be continued. Costs nothing
    /// unless the process has started on an empty folder.
    pub fn is_importing(&self) -> Result<bool, StoreError> {
        Ok(self.setup.may_be_pending() && self.store.catalogue()?.is_importing)
    }

    /// Returns the user whose login was verified recently with this fingerprint.
    pub fn cached_login(&self, fingerprint: &[u8; 32]) -> Option<UserId> {
        self.logins.get(fingerprint)
    }

    /// Caches a verified login. The fingerprint covers login, password and hash.
    pub fn cache_login(&self, fingerprint: [u8; 32], user: UserId) {
        self.logins.insert(fingerprint, user);
    }

    /// Delays a write briefly while the index is behind. Blocks; call it before a write.
    pub fn wait_before_write(&self) {
        self.index_lag
            .wait_before_write(&self.search, self.store.last_change());
    }

    /// Returns the freshness of the index for a search of this viewer that has waited for `waited`
    /// for the changes up to `last`.
    pub fn freshness(&self, last: i64, viewer: Option<UserId>, waited: Duration) -> Freshness {
        // What another node has answered may be the viewer's own. This search waits for what was seen
        // when it began, not for what others add meanwhile.
        let others = self.store.others_change().min(last);
        let own_last = self.own_changes.last(viewer).max(others);
        freshness::freshness(&self.search, last, own_last, waited)
    }

    /// Closes the store after its last write, and releases the data folder. The jobs must have been
    /// stopped before.
    pub fn close(&self) {
        self.store.close();
        self.lock
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
    }
}

/// Tells actions, which do not know the configuration, whether mails are sent. A store that cannot be
/// written is noticed elsewhere.
fn note_whether_mail_is_on(store: &Store, is_on: bool) {
    let noted = store.read(outbox::status).and_then(|status| {
        if status.is_on == is_on {
            return Ok(());
        }
        store.write(move |db| outbox::set_on(db, is_on))
    });
    if let Err(error) = noted {
        tracing::warn!(error = %error, "the store does not know whether mail is on");
    }
}

/// Locks the data folder, which is created if it is missing. Fails if another process serves it.
pub fn lock_data_folder(folder: &Path) -> Result<FolderLock, AppError> {
    file_mode::create_dir(folder)
        .map_err(|error| StoreError::Folder(folder.display().to_string(), error))?;
    FolderLock::acquire(folder)
        .map_err(AppError::Lock)?
        .ok_or(AppError::InUse)
}

fn base_url(config: &Config, catalogue: &Catalogue) -> Option<String> {
    let host = catalogue.setting(Setting::HostName);
    let protocol = catalogue.setting(Setting::Protocol);
    let url = (!host.is_empty()).then(|| format!("{protocol}://{host}"));
    url.map(|url| config.base_path.append_to(url))
}

fn weight(_: &(Option<UserId>, Option<Scopes>, i64), viewer_context: &Arc<ViewerContext>) -> u32 {
    u32::try_from(viewer_context.viewer.projects().count() + 1).unwrap_or(u32::MAX)
}
