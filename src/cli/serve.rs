//! `quarry serve`, and the part of `quarry demo` after its data is loaded.

pub(crate) mod acme;
pub(crate) mod certificates;
mod encryption;
mod first_start;
pub(crate) mod listen;
mod metrics_address;
mod passed_socket;
mod shutdown;
mod supervision;
pub(crate) mod unix_socket;

use super::data_folder::{self, FolderState};
use super::http_client::health_target::HealthTarget;
use super::output::usage_error::UsageError;
use encryption::Encryption;

use crate::jobs::Jobs;
use anyhow::Context;
use listen::BoundAddress;
use metrics_address::MetricsAddress;
use quarry_app::App;
use quarry_config::{Config, Environment};
use quarry_domain::administration::setting::Setting;
use quarry_domain::clock::{SystemClock, SystemEntropy};
use quarry_http as http;
use quarry_store::backup::check_separate;
use quarry_store::data_folder::folder_lock::FolderLock;
use shutdown::ShutdownSignals;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;
use supervision::Supervision;

/// Maximum time to finish pending requests at shutdown.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum time for background tasks after that.
const RUNTIME_SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);

/// Serves a data folder until shutdown.
pub fn serve(
    config: &Config,
    environment: &Environment,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    match data_folder::state(&config.data)? {
        _ if config.server.is_some() => {}
        FolderState::Empty | FolderState::Initialized => {}
        FolderState::Foreign(file) => {
            return Err(data_folder::foreign_error(&config.data, &file).into());
        }
        FolderState::PartialDemo => {
            let message = format!(
                "{} contains incomplete demonstration data; complete it with `quarry demo`",
                config.data.display()
            );
            return Err(UsageError(message).into());
        }
    }
    let (listener, lock) = BoundAddress::bind(config)?;
    run(config, listener, lock, out, |app, url, out| {
        first_start::initialize(&app.store, &app.setup, environment, url, out)
    })
}

/// Opens the locked data folder, runs `prepare`, prints the address, and serves requests until shutdown.
/// Then pending requests are finished, and index and store are closed.
pub fn run(
    config: &Config,
    listener: BoundAddress,
    lock: FolderLock,
    out: &mut dyn Write,
    prepare: impl FnOnce(&App, &str, &mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    if let Some(backup) = &config.backup {
        check_separate(&config.data, &backup.folder)
            .map_err(|error| UsageError(format!("`backup` cannot be used: {error}")))?;
    }
    let metrics = MetricsAddress::bind(config)?;
    // The actual port if it was 0, and the address of a host name.
    let config = &Config {
        listen: listener.address()?,
        ..config.clone()
    };
    let clock = Arc::new(SystemClock);
    let app = App::open_locked(config, clock, Arc::new(SystemEntropy), lock)
        .with_context(|| format!("the data folder {} cannot be opened", config.data.display()))?;
    app.store.reserve_space();
    let encryption = Encryption::prepare(config).inspect_err(|_| app.close())?;
    let jobs = Jobs::start(&app)?;
    let outcome = prepare(&app, &config.local_url(), out)
        .and_then(|()| serve_requests(&app, listener, encryption, metrics, out));
    jobs.stop();
    app.close();
    tracing::info!("closed");
    outcome
}

fn serve_requests(
    app: &Arc<App>,
    listener: BoundAddress,
    encryption: Option<Encryption>,
    metrics: Option<MetricsAddress>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let outcome = runtime.block_on(async {
        let mut signals = ShutdownSignals::listen()?;
        let is_unspecified = listener.is_unspecified();
        let tls = encryption.map(|encryption| encryption.start(app)).transpose()?;
        let (listener, _socket) = listener.into_listener(tls)?;
        if let Some(metrics) = metrics {
            metrics.spawn(app, out)?;
        }
        if is_unspecified && app.store.catalogue()?.setting(Setting::HostName).is_empty() {
            tracing::warn!("absolute links use the address of each connection; set the setting host_name to use another one");
        }
        writeln!(out, "listening on {}", listening_on(&app.config))?;
        out.flush()?;
        let (stop_sender, stop_receiver) = tokio::sync::oneshot::channel::<()>();
        let serving = http::serve(listener, "service", crate::server(Arc::clone(app)), &app.config.limits, async {
            // A dropped sender stops the server too.
            let _ = stop_receiver.await;
        });
        tokio::pin!(serving);
        let supervision = Supervision::start(HealthTarget::from_config(&app.config)?)?;
        tokio::select! {
            ended = &mut serving => return Ok(ended?),
            () = signals.recv() => {}
        }
        supervision.stop();
        tracing::info!("shutting down after pending requests");
        let _ = stop_sender.send(());
        tokio::select! {
            ended = &mut serving => ended?,
            () = tokio::time::sleep(SHUTDOWN_TIMEOUT) => tracing::warn!(seconds = SHUTDOWN_TIMEOUT.as_secs(), "some requests were not finished in time"),
            () = signals.recv() => tracing::warn!("received a second signal; some requests were not finished"),
        }
        anyhow::Ok(())
    });
    runtime.shutdown_timeout(RUNTIME_SHUTDOWN_TIMEOUT);
    outcome
}

/// Returns the address that the service prints when it listens.
fn listening_on(config: &Config) -> String {
    let listen = &config.listen;
    let base = config.base_path.as_str();
    match (config.is_on_socket(), config.tls.is_some()) {
        (true, _) => listen.clone(),
        (false, true) => format!("https://{listen}{base}"),
        (false, false) => format!("http://{listen}{base}"),
    }
}
