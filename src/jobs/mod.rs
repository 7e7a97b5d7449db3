//! What happens by itself?
//!
//! Work that no request asks for, each in a thread of its own, from the start of the service to its end. Invariant: a job can
//! be stopped at any moment and loses nothing by it; what it had not finished is done after the next start.
//! May import: everything.

use crate::app::App;
use std::sync::Arc;
use std::thread::JoinHandle;

/// The jobs of a running service.
pub struct Jobs {
    app: Arc<App>,
    threads: Vec<JoinHandle<()>>,
}

impl Jobs {
    /// Starts them. Fails when the system gives no thread.
    pub fn start(app: &Arc<App>) -> std::io::Result<Jobs> {
        let search = Arc::clone(&app.search);
        let indexing = std::thread::Builder::new().name("indexing".to_owned()).spawn(move || search.follow())?;
        Ok(Jobs { app: Arc::clone(app), threads: vec![indexing] })
    }

    /// Asks them to end and waits until they have.
    pub fn stop(self) {
        self.app.search.stop();
        for thread in self.threads {
            if thread.join().is_err() {
                tracing::error!("a job had broken down");
            }
        }
    }
}
