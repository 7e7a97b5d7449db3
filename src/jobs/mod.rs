//! Background jobs, each in its own thread from the start of the service to its end.
//!
//! Every node follows the changes with its index, fills its caches and deletes its old files. What
//! is done in the records, such as cleaning up, is done by the node that leads.
//!
//! Invariant: a job can be stopped at any time without losing anything; unfinished work is resumed
//! at the next start. May import: everything.

pub mod backup;
pub mod cleanup;
pub mod mailbox;
mod metrics;
mod node_report;
pub mod outbox;
mod project_deletion;
pub mod reminders;

use quarry_app::App;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};

/// The jobs of a running service.
pub struct Jobs {
    app: Arc<App>,
    /// Jobs stop when their sender is dropped.
    stop_senders: Vec<Sender<()>>,
    threads: Vec<JoinHandle<()>>,
}

impl Jobs {
    /// Starts the jobs. Fails when a thread cannot be created.
    pub fn start(app: &Arc<App>) -> io::Result<Jobs> {
        let mut jobs = Jobs::start_without_mail(app)?;
        jobs.spawn_stoppable("backup", backup::run)?;
        jobs.spawn_stoppable("mail", outbox::run)?;
        jobs.spawn_stoppable("reminders", reminders::run)?;
        jobs.spawn_stoppable("mailbox", mailbox::run)?;
        Ok(jobs)
    }

    /// Starts all jobs except those that make backups or send and receive mails.
    pub fn start_without_mail(app: &Arc<App>) -> io::Result<Jobs> {
        let mut jobs = Jobs {
            app: Arc::clone(app),
            stop_senders: Vec::new(),
            threads: Vec::new(),
        };
        metrics::register_jobs(app);
        let search = Arc::clone(&app.search);
        let store = Arc::clone(&app.store);
        jobs.spawn("indexing", move || search.run_indexer())?;
        if app.node.is_shared() {
            node_report::report(app);
            jobs.spawn_stoppable("node report", node_report::run)?;
        }
        jobs.spawn_stoppable("cleanup", cleanup::run)?;
        jobs.spawn_stoppable("deletion", project_deletion::run)?;
        jobs.spawn_stoppable("metrics", metrics::run)?;
        jobs.spawn("warming", move || {
            if let Err(error) = store.warm() {
                tracing::warn!(error = %error, "the caches of lists could not be filled; the first lists fill them");
            }
        })?;
        Ok(jobs)
    }

    fn spawn(&mut self, name: &str, job: impl FnOnce() + Send + 'static) -> io::Result<()> {
        self.threads
            .push(Builder::new().name(name.to_owned()).spawn(job)?);
        Ok(())
    }

    fn spawn_stoppable(&mut self, name: &str, job: fn(&App, &Receiver<()>)) -> io::Result<()> {
        let (sender, receiver) = channel();
        let app = Arc::clone(&self.app);
        self.spawn(name, move || job(&app, &receiver))?;
        self.stop_senders.push(sender);
        Ok(())
    }

    /// Stops the jobs and waits until they have ended.
    pub fn stop(self) {
        self.app.search.stop();
        drop(self.stop_senders);
        for thread in self.threads {
            if thread.join().is_err() {
                tracing::error!("a background job panicked");
            }
        }
        self.app.leave_nodes();
    }
}
