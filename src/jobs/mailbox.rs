//! Receives the mails of the mailbox `mail_imap`, on the node that leads.
//!
//! A mail is marked as seen after it was accepted or refused. If the process is killed in between, it is
//! received again; accepted mails are recognized by their digests and change nothing. Refused mails are
//! also flagged, so that a person finds them. Invariant: a mail that could not be stored stays unseen,
//! until the store has failed for it `MAX_FAILURES` times.

use super::metrics::record_run;
use quarry_app::App;
use quarry_config::ImapServer;
use quarry_domain::administration::mail::MailboxState;
use quarry_domain::administration::setting::Setting;
use quarry_mail::imap::{Fetched, Mailbox, MailboxError, Waiting};
use quarry_mail::incoming::MAX_MAIL_SIZE;
use quarry_mailer::incoming::{self, Origin, Outcome};
use quarry_store::administration::mailbox as status;
use quarry_store::{StoreError, Write};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;

/// The name of the job in the metrics.
const JOB: &str = "mailbox";
/// Time between checks whether this node leads, and whether answers by mail are on.
const INTERVAL: Duration = Duration::from_secs(1);
/// Seconds before each further attempt after a failure; the last one repeats.
const PAUSES: [u64; 5] = [10, 30, 60, 120, 300];
/// Time after which IDLE is renewed. A server may end it after 30 minutes (RFC 2177), and routers drop
/// idle connections sooner.
const IDLE_TIME: Duration = Duration::from_secs(9 * 60);
/// Time between polls of a server without IDLE.
const POLL_INTERVAL: Duration = Duration::from_secs(60);
/// Maximum number of mails that are searched for at once.
const BATCH: usize = 50;
/// Number of times that the store may fail for a mail before it is refused.
const MAX_FAILURES: u32 = 5;

/// The results of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Number of mails that were accepted, now or before.
    pub accepted: usize,
    /// Number of mails that were refused.
    pub refused: usize,
}

/// Why mails are not received.
#[derive(Debug, thiserror::Error)]
pub enum ReceiveError {
    /// The mailbox cannot be used.
    #[error(transparent)]
    Mailbox(#[from] MailboxError),
    /// The store failed.
    #[error("a mail could not be stored: {0}")]
    Store(#[from] StoreError),
}

/// Receives mails, until the sender of `stop` is dropped.
pub fn run(app: &App, stop: &Receiver<()>) {
    let Some(server) = &app.config.mail_imap else {
        return;
    };
    let mut job = Job::new(app, server);
    let is_stopped = || stop.try_recv() != Err(TryRecvError::Empty);
    let mut failed = 0;
    let mut pause = INTERVAL;
    while stop.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
        pause = INTERVAL;
        if !app.node.is_leader() {
            job.state = MailboxState::New;
            continue;
        }
        if !job.is_on() {
            job.set_state(MailboxState::Off);
            continue;
        }
        let is_running = || !is_stopped() && app.node.is_leader();
        match job.receive(&mut failed, &is_running) {
            Ok(()) => {}
            Err(ReceiveError::Store(error)) if error.is_unavailable() => {}
            Err(_) if is_stopped() => return,
            Err(error) => {
                let seconds = PAUSES[failed.min(PAUSES.len() - 1)];
                failed += 1;
                pause = Duration::from_secs(seconds);
                job.note_failure(&error.to_string(), seconds);
            }
        }
    }
}

/// Receives all unseen mails of the mailbox. Does nothing without a mailbox, or while answers are off.
pub fn run_once(app: &App) -> Result<Report, ReceiveError> {
    let Some(server) = &app.config.mail_imap else {
        return Ok(Report::default());
    };
    let mut job = Job::new(app, server);
    let mut report = Report::default();
    if job.is_on() {
        let mut mailbox = Mailbox::open(server, &|| true)?;
        job.take_all(&mut mailbox, &|| true, &mut report)?;
        mailbox.close();
    }
    Ok(report)
}

/// The job for one mailbox.
struct Job<'a> {
    app: &'a App,
    server: &'a ImapServer,
    /// The URL of the mailbox without the password, for messages.
    name: String,
    state: MailboxState,
    /// How often the store has failed for each mail, by UID.
    failures: HashMap<u32, u32>,
}

impl<'a> Job<'a> {
    fn new(app: &'a App, server: &'a ImapServer) -> Job<'a> {
        Job {
            app,
            server,
            name: server.to_string(),
            state: MailboxState::New,
            failures: HashMap::new(),
        }
    }

    /// Whether answers by mail are on. While they are off, mails stay in the mailbox.
    fn is_on(&self) -> bool {
        let catalogue = self.app.store.catalogue();
        catalogue.is_ok_and(|catalogue| !catalogue.setting(Setting::MailReplyAddress).is_empty())
    }

    /// Receives mails over one connection, as long as it lasts.
    fn receive(
        &mut self,
        failed: &mut usize,
        is_running: &dyn Fn() -> bool,
    ) -> Result<(), ReceiveError> {
        let mut mailbox = Mailbox::open(self.server, is_running).or_else(|error| {
            // The run that could not even begin.
            record_run(self.app, JOB, || Err(error))
        })?;
        let waiting = mailbox.waiting();
        tracing::info!(mailbox = self.name, ?waiting, "receiving mails");
        while is_running() && self.is_on() {
            record_run(self.app, JOB, || {
                self.take_all(&mut mailbox, is_running, &mut Report::default())
            })?;
            *failed = 0;
            self.set_state(match waiting {
                Waiting::Idle => MailboxState::Idle,
                Waiting::Poll => MailboxState::Poll,
            });
            mailbox.wait(IDLE_TIME, POLL_INTERVAL)?;
        }
        mailbox.close();
        Ok(())
    }

    /// Accepts or refuses unseen mails, until there are none.
    fn take_all(
        &mut self,
        mailbox: &mut Mailbox<'_>,
        is_running: &dyn Fn() -> bool,
        report: &mut Report,
    ) -> Result<(), ReceiveError> {
        loop {
            let ids = mailbox.unseen(BATCH)?;
            if ids.is_empty() {
                return Ok(());
            }
            let mut problem = None;
            for id in &ids {
                if !is_running() {
                    return Ok(());
                }
                match self.take(mailbox, *id, report) {
                    Err(ReceiveError::Store(error)) if !error.is_unavailable() => {
                        self.failures
                            .entry(*id)
                            .and_modify(|n| *n += 1)
                            .or_insert(1);
                        problem = Some(error);
                    }
                    outcome => outcome?,
                }
            }
            if let Some(error) = problem {
                return Err(error.into());
            }
        }
    }

    /// Accepts or refuses a mail, and marks it.
    fn take(
        &mut self,
        mailbox: &mut Mailbox<'_>,
        id: u32,
        report: &mut Report,
    ) -> Result<(), ReceiveError> {
        let origin = Origin::Mailbox(&self.name);
        let outcome = match mailbox.fetch(id, MAX_MAIL_SIZE)? {
            Fetched::Missing => return Ok(()),
            Fetched::TooLarge => incoming::refuse("The mail is larger than 30 MiB.", origin),
            Fetched::Mail(_) if self.failures.get(&id) >= Some(&MAX_FAILURES) => {
                incoming::refuse("The store has failed for it again and again.", origin)
            }
            Fetched::Mail(mail) => self.accept(&mail)?,
        };
        let is_accepted = matches!(outcome, Outcome::Accepted(_));
        mailbox.mark_seen(id, !is_accepted)?;
        self.failures.remove(&id);
        if is_accepted {
            report.accepted += 1;
        } else {
            report.refused += 1;
        }
        self.write(move |db| status::note_received(db, is_accepted));
        Ok(())
    }

    /// Accepts or refuses a mail. One for which this panics must not stop other mails.
    fn accept(&self, mail: &[u8]) -> Result<Outcome, StoreError> {
        let origin = Origin::Mailbox(&self.name);
        let receive = || incoming::receive(self.app, mail, Vec::new(), origin);
        catch_unwind(AssertUnwindSafe(receive))
            .unwrap_or_else(|_| Ok(incoming::refuse("Receiving the mail panicked.", origin)))
    }

    fn set_state(&mut self, state: MailboxState) {
        if self.state != state {
            self.state = state;
            self.write(move |db| status::set_state(db, state));
        }
    }

    fn note_failure(&mut self, error: &str, seconds: u64) {
        tracing::warn!(
            mailbox = self.name,
            error,
            seconds,
            "no mails can be received; the next attempt follows"
        );
        self.set_state(MailboxState::Failed);
        let error = error.to_owned();
        self.write(move |db| status::note_error(db, &error));
    }

    /// Writes the state that administrators see. A failure is logged only, as mails do not depend on it.
    fn write(&self, work: impl FnOnce(&mut Write<'_>) -> Result<(), StoreError> + Send + 'static) {
        if let Err(error) = self.app.store.write_with_reserve(work) {
            tracing::warn!(error = %error, "the state of the mailbox could not be noted");
        }
    }
}
