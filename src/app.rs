//! Stand-in.
#![allow(missing_docs)]
use crate::config::Config;
use crate::domain::clock::{Clock, Entropy};
use crate::store::{Store, StoreError};
use std::sync::Arc;

pub struct App {
    pub config: Config,
    pub store: Arc<Store>,
}

impl App {
    pub fn open(config: &Config, _: Arc<dyn Clock>, _: Arc<dyn Entropy>) -> Result<Arc<App>, StoreError> {
        Ok(Arc::new(App { config: config.clone(), store: Arc::new(Store::open(&config.data)?) }))
    }

    pub fn close(&self) {
        self.store.close();
    }
}
