//! Sends the mails of the outbox, on the node that leads.
//!
//! A mail is claimed in a transaction of its own before it is sent, and deleted after the server has
//! accepted it. A process that is killed between the two loses nothing: the next one sends the mail
//! again, with the same id of the message.

use super::metrics::record_run;
use jiff::{SignedDuration, Timestamp};
use metrics::counter;
use quarry_actions::notices::notice_mails;
use quarry_app::App;
use quarry_config::MailConfig;
use quarry_domain::administration::mail::{Mail, retry_delay};
use quarry_domain::values::mail_address::MailAddress;
use quarry_mail::outgoing::{Message, SendError, Transport};
use quarry_mailer::outgoing::{RenderError, render};
use quarry_store::administration::outbox;
use quarry_store::notices::waiting_mails;
use quarry_store::{Read, StoreError, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;

/// Time between checks for due mails.
const INTERVAL: Duration = Duration::from_secs(1);
/// Seconds before each further attempt while the server cannot be reached; the last one repeats.
const PAUSES: [u64; 5] = [10, 30, 60, 120, 300];
/// Time for which this node claims a mail.
const LEASE: SignedDuration = SignedDuration::from_mins(15);
/// Time that must be left of the lease when a mail is sent: more than its server may take for all answers.
const MIN_LEASE: SignedDuration = SignedDuration::from_mins(14);
/// Number of mails that are claimed at a time.
const BATCH: i64 = 20;

/// The results of one run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Number of mails that the server has accepted.
    pub sent: usize,
    /// Number of mails that were deleted because their recipients may or should not get them any more.
    pub skipped: usize,
    /// Number of mails that are tried again later.
    pub postponed: usize,
    /// Number of mails that have failed permanently.
    pub failed: usize,
    /// Why nothing can be sent at all.
    pub unavailable: Option<String>,
}

/// Sends mails, until the sender of `stop` is dropped.
pub fn run(app: &App, stop: &Receiver<()>) {
    let Some(config) = &app.config.mail else {
        return;
    };
    let is_running = || stop.try_recv() == Err(TryRecvError::Empty);
    let mut failures = 0;
    let mut pause = INTERVAL;
    if !app.node.is_shared()
        && let Err(error) = app.store.write_with_reserve(outbox::release_all)
    {
        tracing::warn!(error = %error, "mails of the last process are sent later");
    }
    while stop.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
        pause = INTERVAL;
        if !app.node.is_leader() {
            continue;
        }
        match record_run(app, "mail", || send_due(app, config, &is_running)) {
            Ok(Report {
                unavailable: Some(reason),
                sent,
                ..
            }) => {
                // The server could be reached until then, so the pauses start over.
                failures = if sent > 0 { 0 } else { failures };
                let seconds = PAUSES[failures.min(PAUSES.len() - 1)];
                failures += 1;
                pause = Duration::from_secs(seconds);
                tracing::warn!(
                    reason,
                    seconds,
                    "no mail can be sent; the next attempt follows"
                );
            }
            Ok(report) if report.sent > 0 => failures = 0,
            Ok(_) => {}
            Err(error) if error.is_unavailable() => {}
            Err(error) => tracing::warn!(error = %error, "the outbox could not be read"),
        }
    }
}

/// Sends all mails that are due. Does nothing while mail is off.
pub fn run_once(app: &App) -> Result<Report, StoreError> {
    match &app.config.mail {
        Some(config) => send_due(app, config, &|| true),
        None => Ok(Report::default()),
    }
}

fn send_due(
    app: &App,
    config: &MailConfig,
    is_running: &dyn Fn() -> bool,
) -> Result<Report, StoreError> {
    let mut report = Report::default();
    let mut transport = Transport::new(config);
    while is_running() && report.unavailable.is_none() {
        let now = app.clock.now();
        let next = app.store.read::<_, StoreError>(outbox::next_due)?;
        if next.is_none_or(|next| next > now) {
            // Notices become mails only when no other mail is due, so that a mail about a lost
            // password never waits behind all of them.
            if queue_notices(app)? == 0 {
                break;
            }
            continue;
        }
        let mut batch = Batch {
            app,
            from: &config.from,
            transport: &mut transport,
            lease: now.saturating_add(LEASE).unwrap_or(now),
            report: &mut report,
        };
        batch.send(now, is_running)?;
    }
    transport.close();
    Ok(report)
}

/// Puts mails about notices that are due into the outbox. Returns their number.
fn queue_notices(app: &App) -> Result<usize, StoreError> {
    let has_due_for_mail = |db: &Read<'_>| waiting_mails::has_due(db, app.clock.now());
    if app.store.read::<_, StoreError>(has_due_for_mail)? {
        app.store.write_with_reserve(notice_mails::queue)
    } else {
        Ok(0)
    }
}

/// Mails that are claimed together.
struct Batch<'a> {
    app: &'a App,
    from: &'a MailAddress,
    transport: &'a mut Transport,
    lease: Timestamp,
    report: &'a mut Report,
}

impl Batch<'_> {
    fn send(&mut self, now: Timestamp, is_running: &dyn Fn() -> bool) -> Result<(), StoreError> {
        let lease = self.lease;
        let claimed = self.write(move |db| outbox::claim(db, now, lease, BATCH))?;
        for (index, mail) in claimed.iter().enumerate() {
            let is_late = self.lease.duration_since(self.app.clock.now()) < MIN_LEASE;
            let outcome = if is_late || !is_running() {
                Ok(false)
            } else {
                self.send_one(mail, is_running)
            };
            if matches!(outcome, Ok(true)) {
                continue;
            }
            let rest: Vec<i64> = claimed[index..].iter().map(|mail| mail.id).collect();
            self.write(move |db| outbox::release(db, &rest, lease))?;
            return outcome.map(drop);
        }
        Ok(())
    }

    /// Sends a mail. Returns `false` if it and those after it must wait.
    fn send_one(&mut self, mail: &Mail, is_running: &dyn Fn() -> bool) -> Result<bool, StoreError> {
        let id = mail.id;
        let lease = self.lease;
        let message = match self.render(mail) {
            Ok(Some(message)) => message,
            Ok(None) => {
                self.write(move |db| outbox::delete_claimed(db, id, lease))?;
                self.report.skipped += 1;
                return Ok(true);
            }
            Err(RenderError::Store(error)) => return Err(error),
            Err(RenderError::Content(problem)) => {
                self.note_failure(mail, None, problem)?;
                return Ok(true);
            }
        };
        match self.transport.send_while(&message, is_running) {
            Ok(receipt) => {
                self.write(move |db| {
                    outbox::delete_claimed(db, id, lease)?;
                    outbox::note_sent(db)
                })?;
                self.report.sent += 1;
                counter!("quarry_mails_sent_total").increment(1);
                tracing::info!(
                    mail = id,
                    message_id = without_token(mail, &mail.message_id),
                    answer = without_token(mail, &receipt.answer),
                    "sent a mail"
                );
            }
            Err(SendError::Unavailable(reason)) => {
                counter!("quarry_mail_failures_total").increment(1);
                let text = reason.clone();
                self.write(move |db| outbox::note_error(db, &text))?;
                self.report.unavailable = Some(reason);
                return Ok(false);
            }
            // The mail stays in the outbox as it was, and the next process sends it.
            Err(SendError::Stopped) => return Ok(false),
            Err(SendError::Temporary(reason)) => {
                let delay = retry_delay(mail.attempts + 1);
                self.note_failure(mail, delay, reason)?;
            }
            Err(SendError::Permanent(reason)) => self.note_failure(mail, None, reason)?,
        }
        Ok(true)
    }

    /// Writes a mail. A record for which this panics must not stop other mails.
    fn render(&self, mail: &Mail) -> Result<Option<Message>, RenderError> {
        catch_unwind(AssertUnwindSafe(|| render(self.app, self.from, mail)))
            .unwrap_or_else(|_| Err(RenderError::Content("writing it panicked".to_owned())))
    }

    fn note_failure(
        &mut self,
        mail: &Mail,
        delay: Option<SignedDuration>,
        reason: String,
    ) -> Result<(), StoreError> {
        counter!("quarry_mail_failures_total").increment(1);
        let reason = without_token(mail, &reason);
        let now = self.app.clock.now();
        let retry_on = delay.and_then(|delay| now.checked_add(delay).ok());
        tracing::warn!(
            mail = mail.id,
            reason,
            final_attempt = retry_on.is_none(),
            "a mail was not accepted"
        );
        match retry_on {
            Some(_) => self.report.postponed += 1,
            None => self.report.failed += 1,
        }
        let mail = mail.clone();
        let lease = self.lease;
        self.write(move |db| {
            outbox::note_failure(db, &mail, lease, retry_on, &reason)?;
            outbox::note_error(db, &reason)
        })
    }

    fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Write<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.app.store.write_with_reserve(work)
    }
}

/// Returns a text of the log, such as the answer of a server, which may cite the `Message-ID` of the mail. The
/// beginning of the id is left out, because it may be a reply token.
fn without_token(mail: &Mail, text: &str) -> String {
    let id = &mail.message_id;
    let rest = id.split_once('.').map_or(id.as_str(), |(_, rest)| rest);
    text.replace(id, rest)
}
