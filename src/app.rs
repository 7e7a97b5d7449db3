//! What a running service consists of, handed to whoever answers requests.

mod freshness;

use crate::config::Config;
use crate::domain::catalogue::Catalogue;
use crate::domain::clock::{Clock, Entropy};
use crate::domain::ids::UserId;
use crate::domain::setting::Setting;
use crate::domain::viewer::Viewer;
use crate::search::{Search, SearchError, Visibility};
use crate::store::{Store, StoreError};
pub use freshness::Freshness;
use freshness::{IndexLag, OwnChanges};
use moka::sync::Cache;
use std::sync::Arc;
use std::time::Duration;

/// How many rights of viewers in projects are kept in memory (about 100 bytes each), and how long unused ones stay.
const RIGHTS: u64 = 2_000_000;
const UNUSED: Duration = Duration::from_secs(300);
/// How many passwords that were found right are remembered, and for how long: a series of requests costs one argon2.
const PASSWORDS: u64 = 10_000;
const REMEMBERED: Duration = Duration::from_secs(600);

/// The service cannot start.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// The store cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The index cannot be opened.
    #[error(transparent)]
    Search(#[from] SearchError),
}

/// A viewer, and what the search index needs to know of the viewer.
pub struct Asker {
    /// Who asks.
    pub viewer: Arc<Viewer>,
    /// The viewer's expressions, compiled for the index.
    pub visibility: Arc<Visibility>,
    /// The URL of the service by the settings `protocol` and `host_name`, if that is set.
    pub base_url: Option<String>,
}

/// A running service.
pub struct App {
    /// How it was configured.
    pub config: Config,
    /// The records.
    pub store: Arc<Store>,
    /// The index over them.
    pub search: Arc<Search>,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// Where secrets come from.
    pub entropy: Arc<dyn Entropy>,
    /// What searches wait for.
    pub own_changes: OwnChanges,
    /// What writers wait for.
    index_lag: IndexLag,
    askers: Cache<(Option<UserId>, i64), Arc<Asker>>,
    passwords: Cache<[u8; 32], UserId>,
}

impl App {
    /// Opens store and index in the configured data folder.
    pub fn open(config: &Config, clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>) -> Result<Arc<App>, AppError> {
        let store = Arc::new(Store::open(&config.data)?);
        let search = Search::open(&config.index, Arc::clone(&store))?;
        Ok(Arc::new(App {
            config: config.clone(),
            own_changes: OwnChanges::new(store.last_change()),
            index_lag: IndexLag::default(),
            store,
            search,
            clock,
            entropy,
            askers: Cache::builder().weigher(weight).max_capacity(RIGHTS).time_to_idle(UNUSED).build(),
            passwords: Cache::builder().max_capacity(PASSWORDS).time_to_live(REMEMBERED).build(),
        }))
    }

    /// The user as a viewer by this catalogue; `None` for somebody who is not logged in. Made once for every version of the
    /// catalogue, so that a change of rights counts from the next request on.
    pub fn asker(&self, catalogue: &Catalogue, user: Option<UserId>) -> Arc<Asker> {
        self.askers.get_with((user, catalogue.version), || {
            let viewer = Arc::new(Viewer::new(catalogue, user));
            let visibility = Arc::new(Visibility::of(catalogue, &viewer));
            Arc::new(Asker { viewer, visibility, base_url: base_url(catalogue) })
        })
    }

    /// Returns the URL of the service if the settings state it.
    pub fn base_url(&self) -> Option<String> {
        self.store.catalogue().ok().and_then(|catalogue| base_url(&catalogue))
    }

    /// The user whose password was found right under this fingerprint a short while ago.
    pub fn remembered(&self, fingerprint: &[u8; 32]) -> Option<UserId> {
        self.passwords.get(fingerprint)
    }

    /// Remembers a password that was found right. The fingerprint covers login, password and hash.
    pub fn remember(&self, fingerprint: [u8; 32], user: UserId) {
        self.passwords.insert(fingerprint, user);
    }

    /// Closes the store after its last write. The jobs must have been stopped before.
    pub fn close(&self) {
        self.store.close();
    }
}

fn base_url(catalogue: &Catalogue) -> Option<String> {
    let host = catalogue.setting(Setting::HostName);
    (!host.is_empty()).then(|| format!("{}://{host}", catalogue.setting(Setting::Protocol)))
}

fn weight(_: &(Option<UserId>, i64), asker: &Arc<Asker>) -> u32 {
    u32::try_from(asker.viewer.projects().count() + 1).unwrap_or(u32::MAX)
}
