//! `quarry serve`, and the part of `quarry demo` after its data is loaded.

use super::data_folder::{self, FolderState};
use super::first_start;
use super::shutdown::ShutdownSignals;
use super::usage_error::UsageError;
use crate::jobs::Jobs;
use anyhow::Context;
use quarry_app::App;
use quarry_config::{Config, Environment};
use quarry_domain::administration::setting::Setting;
use quarry_domain::clock::{SystemClock, SystemEntropy};
use quarry_http as http;
use std::io::Write;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

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
    let listener = bind(&config.listen)?;
    run(config, listener, out, |app, address, out| {
        first_start::initialize(&app.store, &app.setup, environment, address, out)
    })
}

/// Binds the port. This comes first, so that a port in use is noticed before anything is loaded.
pub fn bind(listen: &str) -> anyhow::Result<TcpListener> {
    let listener =
        TcpListener::bind(listen).with_context(|| format!("cannot listen on {listen}"))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// Opens the data folder, runs `prepare`, prints the address, and serves requests until shutdown.
/// Then pending requests are finished, and index and store are closed.
pub fn run(
    config: &Config,
    listener: TcpListener,
    out: &mut dyn Write,
    prepare: impl FnOnce(&App, SocketAddr, &mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let address = listener.local_addr()?;
    // The actual port if it was 0, and the address of a host name.
    let config = &Config {
        listen: address.to_string(),
        ..config.clone()
    };
    let app = App::open(config, Arc::new(SystemClock), Arc::new(SystemEntropy))
        .with_context(|| format!("the data folder {} cannot be opened", config.data.display()))?;
    app.store.reserve_space();
    let jobs = Jobs::start(&app)?;
    let outcome =
        prepare(&app, address, out).and_then(|()| serve_requests(&app, listener, address, out));
    jobs.stop();
    app.close();
    tracing::info!("closed");
    outcome
}

fn serve_requests(
    app: &Arc<App>,
    listener: TcpListener,
    address: SocketAddr,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let outcome = runtime.block_on(async {
        let mut signals = ShutdownSignals::listen()?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        if address.ip().is_unspecified() && app.store.catalogue()?.setting(Setting::HostName).is_empty() {
            tracing::warn!("absolute links use the address of each connection; set the setting host_name to use another one");
        }
        writeln!(out, "listening on http://{address}")?;
        out.flush()?;
        let (stop_sender, stop_receiver) = tokio::sync::oneshot::channel::<()>();
        let serving = http::serve(listener, crate::server(Arc::clone(app)), &app.config.limits, async {
            // A dropped sender stops the server too.
            let _ = stop_receiver.await;
        });
        tokio::pin!(serving);
        tokio::select! {
            ended = &mut serving => return Ok(ended?),
            () = signals.recv() => {}
        }
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
