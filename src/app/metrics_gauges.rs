//! The gauges that describe the state of the service. They are set at each scrape, except for the
//! sizes of large folders.

use super::App;
use super::metrics_exporter::MetricsExporter;
use metrics::gauge;
use quarry_store::accounts::sessions;
use quarry_store::administration::outbox;
use quarry_store::files::thumbnails;
use quarry_store::{StoreError, disk};
use std::path::Path;

/// The metric with the sizes of what is stored.
const STORAGE: &str = "quarry_storage_bytes";

impl App {
    /// Returns all metrics in Prometheus' text format; `None` if none are recorded. Blocks.
    pub fn metrics_text(&self) -> Option<String> {
        let exporter = self.metrics.as_ref()?;
        Some(exporter.render(|| self.set_gauges(exporter)))
    }

    /// Sets the gauges that describe the state of the service, but for those that
    /// [`App::measure_files`] sets.
    fn set_gauges(&self, exporter: &MetricsExporter) {
        // Without an index, all changes are missing.
        let indexed = self.search.status().indexed.unwrap_or(0);
        let lag = self.store.last_change() - indexed;
        gauge!("quarry_index_lag_changes").set(count(lag.max(0)));
        if let Ok(backups) = self.backup_status()
            && let Some(last) = backups.last
        {
            exporter.note_backup(last.created_on);
        }
        let now = self.clock.now();
        let counts = self.store.read(|db| {
            Ok::<_, StoreError>([
                ("quarry_sessions", sessions::count_valid(db, now)?),
                ("quarry_mails_waiting", outbox::count_waiting(db)?),
                ("quarry_mails_failed", outbox::count_failed(db)?),
            ])
        });
        match counts {
            Ok(counts) => {
                for (name, value) in counts {
                    gauge!(name).set(count(value));
                }
            }
            // Otherwise, old values would look current.
            Err(error) => {
                tracing::debug!(error = %error, "metrics of the store could not be read");
                for name in [
                    "quarry_sessions",
                    "quarry_mails_waiting",
                    "quarry_mails_failed",
                ] {
                    gauge!(name).set(f64::NAN);
                }
            }
        }
        let log = self.store.log_size();
        let database = self.store.size().unwrap_or(0).saturating_sub(log);
        let index = self.search.directory();
        gauge!(STORAGE, "part" => "database").set(bytes(database));
        gauge!(STORAGE, "part" => "wal").set(bytes(log));
        gauge!(STORAGE, "part" => "index").set(folder_size(index.as_deref()));
        if let Some(free) = disk::free_space(self.store.folder()) {
            gauge!("quarry_disk_free_bytes").set(bytes(free));
        }
    }

    /// Measures the folders with many files, which takes too long for each scrape. Blocks.
    pub fn measure_files(&self) {
        if let Some(folder) = self.store.files_folder() {
            gauge!(STORAGE, "part" => "files").set(folder_size(Some(folder)));
        }
        let thumbnails = thumbnails::folder(&self.store);
        gauge!(STORAGE, "part" => "thumbnails").set(folder_size(Some(&thumbnails)));
    }
}

fn folder_size(folder: Option<&Path>) -> f64 {
    let size = folder.and_then(|folder| disk::folder_size(folder).ok());
    bytes(size.unwrap_or(0))
}

fn bytes(bytes: u64) -> f64 {
    bytes as f64
}

fn count(count: i64) -> f64 {
    count as f64
}
