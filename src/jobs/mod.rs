//! What happens by itself?
//!
//! Work that no request asks for, each in a thread of its own, from the start of the service to its end. Invariant: a job can
//! be stopped at any moment and loses nothing by it; what it had not finished is done after the next start.
//! May import: everything.

mod passwords;
mod removal;
pub mod tidy;

use crate::app::App;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;

/// The jobs of a running service.
pub struct Jobs {
    app: Arc<App>,
    /// Whoever waits at the other ends stops when these are dropped.
    working: [Sender<()>; 3],
    threads: Vec<JoinHandle<()>>,
}

impl Jobs {
    /// Starts them. Fails when the system gives no thread.
    pub fn start(app: &Arc<App>) -> std::io::Result<Jobs> {
        let search = Arc::clone(&app.search);
        let indexing = std::thread::Builder::new().name("indexing".to_owned()).spawn(move || search.follow())?;
        let (tidying, end) = channel();
        let tidied = Arc::clone(app);
        let tidy = std::thread::Builder::new().name("tidying".to_owned()).spawn(move || tidy::follow(&tidied, &end))?;
        let (removing, end) = channel();
        let removed = Arc::clone(app);
        let remove = std::thread::Builder::new().name("removing".to_owned()).spawn(move || removal::finish(&removed, &end))?;
        let (wrapping, end) = channel();
        let wrapped = Arc::clone(app);
        let wrap = std::thread::Builder::new().name("passwords".to_owned()).spawn(move || passwords::wrap(&wrapped, &end))?;
        let store = Arc::clone(&app.store);
        let warm = std::thread::Builder::new().name("warming".to_owned()).spawn(move || {
            if let Err(error) = store.warm() {
                tracing::warn!(error = %error, "what lists need could not be read into memory; the first of them reads it");
            }
        })?;
        Ok(Jobs { app: Arc::clone(app), working: [tidying, removing, wrapping], threads: vec![indexing, tidy, remove, wrap, warm] })
    }

    /// Asks them to end and waits until they have.
    pub fn stop(self) {
        self.app.search.stop();
        drop(self.working);
        for thread in self.threads {
            if thread.join().is_err() {
                tracing::error!("a job had broken down");
            }
        }
    }
}
