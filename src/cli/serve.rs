//! `quarry serve`, and what `quarry demo` does once its world is there.

use super::first_start;
use super::folder::{self, State};
use super::misuse::Misuse;
use super::stop::Stop;
use crate::app::App;
use crate::config::{Config, Environment};
use crate::domain::clock::{SystemClock, SystemEntropy};
use crate::domain::setting::Setting;
use crate::http;
use crate::jobs::Jobs;
use anyhow::Context;
use std::io::Write;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

/// How long requests under way may take when the process is asked to end.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long work in the background may take after that.
const LAST_PATIENCE: Duration = Duration::from_secs(2);

/// Serves a data folder until the process is asked to end.
pub fn serve(config: &Config, environment: &Environment, out: &mut dyn Write) -> anyhow::Result<()> {
    match folder::state(&config.data)? {
        State::Fresh | State::Ours => {}
        State::Foreign(file) => return Err(folder::foreign(&config.data, &file).into()),
        State::HalfLoaded => {
            let problem = format!("{} holds half of the demonstration world: finish it with `quarry demo`", config.data.display());
            return Err(Misuse(problem).into());
        }
    }
    let listener = bind(&config.listen)?;
    run(config, listener, out, |app, _, out| first_start::install(&app.store, environment, out))
}

/// Takes the port first, so that a port that is taken is noticed before anything is loaded.
pub fn bind(listen: &str) -> anyhow::Result<TcpListener> {
    let listener = TcpListener::bind(listen).with_context(|| format!("cannot listen on {listen}"))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// Opens the folder, lets `greet` do what comes before the first request, says the address and answers until the process is
/// asked to end; then requests under way are finished, and index and store are closed.
pub fn run(
    config: &Config,
    listener: TcpListener,
    out: &mut dyn Write,
    greet: impl FnOnce(&App, SocketAddr, &mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let address = listener.local_addr()?;
    // With the port that was given out, and the address behind a name.
    let config = &Config { listen: address.to_string(), ..config.clone() };
    let app = App::open(config, Arc::new(SystemClock), Arc::new(SystemEntropy))
        .with_context(|| format!("the data folder {} cannot be opened", config.data.display()))?;
    let jobs = Jobs::start(&app)?;
    let outcome = greet(&app, address, out).and_then(|()| answer(&app, listener, address, out));
    jobs.stop();
    app.close();
    tracing::info!("closed");
    outcome
}

fn answer(app: &Arc<App>, listener: TcpListener, address: SocketAddr, out: &mut dyn Write) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let outcome = runtime.block_on(async {
        let mut stop = Stop::heard()?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        if address.ip().is_unspecified() && app.store.catalogue()?.setting(Setting::HostName).is_empty() {
            tracing::warn!("absolute links name the address at which each connection arrives; the setting host_name says what else");
        }
        writeln!(out, "listening on http://{address}")?;
        out.flush()?;
        let (finish, finishing) = tokio::sync::oneshot::channel::<()>();
        let serving = http::serve(listener, crate::server(Arc::clone(app)), &app.config.limits, async {
            // A sender that is gone means the same.
            let _ = finishing.await;
        });
        tokio::pin!(serving);
        tokio::select! {
            ended = &mut serving => return Ok(ended?),
            () = stop.asked() => {}
        }
        tracing::info!("asked to end, finishing the requests under way");
        let _ = finish.send(());
        tokio::select! {
            ended = &mut serving => ended?,
            () = tokio::time::sleep(PATIENCE) => tracing::warn!(seconds = PATIENCE.as_secs(), "some requests were not finished in time"),
            () = stop.asked() => tracing::warn!("asked to end again, some requests were not finished"),
        }
        anyhow::Ok(())
    });
    runtime.shutdown_timeout(LAST_PATIENCE);
    outcome
}
