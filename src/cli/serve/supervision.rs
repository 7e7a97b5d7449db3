//! Notifies systemd, or another service manager with its protocol (`sd_notify`), when the service is
//! ready, alive or stopping.
//!
//! Each ready and alive message follows a response to a request over the socket of the service. The
//! request is sent from a thread that shares nothing with the threads that respond. A service that
//! hangs sends no message, and is restarted.

use crate::cli::http_client::health;
use crate::cli::http_client::health_target::HealthTarget;
use sd_notify::NotifyState;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// Path of the request. Its response needs the store, and takes no permit that other requests hold.
/// Any status counts: a restart helps neither an index that is behind nor an unreachable database.
const PATH: &str = "/readyz";
/// Timeout of each request until the first response.
const FIRST_TIMEOUT: Duration = Duration::from_secs(30);
/// Time between requests until the first response.
const FIRST_INTERVAL: Duration = Duration::from_millis(100);

/// The thread that sends the messages.
pub struct Supervision {
    /// The thread ends when the sender is dropped.
    stop_sender: Sender<()>,
    thread: Option<JoinHandle<()>>,
}

impl Supervision {
    /// Starts the thread if a service manager expects messages (`NOTIFY_SOCKET`).
    pub fn start(target: HealthTarget) -> io::Result<Supervision> {
        let (stop_sender, stop) = channel();
        let is_supervised = std::env::var_os("NOTIFY_SOCKET").is_some();
        let thread = is_supervised.then(|| {
            Builder::new()
                .name("supervision".to_owned())
                .spawn(move || run(&target, &stop))
        });
        Ok(Supervision {
            stop_sender,
            thread: thread.transpose()?,
        })
    }

    /// Announces the end of the service, and ends the thread. Does not wait for a request in progress.
    pub fn stop(self) {
        drop(self.stop_sender);
        if self.thread.is_some() {
            notify(&[NotifyState::Stopping, NotifyState::Status("stopping")]);
        }
    }
}

fn run(target: &HealthTarget, stop: &Receiver<()>) {
    while let Err(error) = send_request(target, FIRST_TIMEOUT) {
        tracing::warn!(address = %target, error = %error, "the service cannot connect to itself");
        if is_stopped(stop, FIRST_INTERVAL) {
            return;
        }
    }
    if is_stopped(stop, Duration::ZERO) {
        return;
    }
    let status = format!("listening on {target}");
    notify(&[NotifyState::Ready, NotifyState::Status(&status)]);
    let Some(limit) = sd_notify::watchdog_enabled().filter(|limit| !limit.is_zero()) else {
        return;
    };
    // Two requests fit into the limit, even if the first one times out.
    let timeout = limit / 3;
    let interval = limit / 4;
    loop {
        let start = Instant::now();
        let answer = send_request(target, timeout);
        let rest = interval.saturating_sub(start.elapsed());
        match answer {
            Ok(()) => notify(&[NotifyState::Watchdog]),
            Err(error) => {
                tracing::error!(error = %error, "the service does not answer, and the watchdog is not told that it is alive");
            }
        }
        if is_stopped(stop, rest) {
            return;
        }
    }
}

/// Sends the request. Until an authority has issued the first certificate, a service with TLS answers
/// with an alert.
fn send_request(target: &HealthTarget, timeout: Duration) -> io::Result<()> {
    let answer = health::get(target, PATH, timeout).map(drop);
    answer.or_else(|error| {
        let tls = error.get_ref().and_then(|cause| cause.downcast_ref());
        match tls {
            Some(rustls::Error::AlertReceived(_)) => Ok(()),
            _ => Err(error),
        }
    })
}

/// Waits for an interval, or until the service stops.
fn is_stopped(stop: &Receiver<()>, interval: Duration) -> bool {
    stop.recv_timeout(interval) == Err(RecvTimeoutError::Disconnected)
}

fn notify(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!(error = %error, "the program that supervises the service cannot be told its state");
    }
}
