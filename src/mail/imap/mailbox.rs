//! A mailbox: searches for unseen mails, fetches and marks them, and waits for new ones.

use super::connect::connect;
use super::error::{CLOSED, MailboxError};
use super::session::{Ended, MAX_ANSWER, Session, TIMEOUT, run};
use async_imap::extensions::idle::IdleResponse;
use async_imap::imap_proto::{AttributeValue, Capability, MailboxDatum, Response};
use quarry_config::ImapServer;
use quarry_net::BlockingRuntime;
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// Timeout of the fetch of a mail.
const FETCH_TIMEOUT: Duration = Duration::from_secs(300);
/// Time between checks whether a step must end.
const CHECK_INTERVAL: Duration = Duration::from_millis(500);

/// How a mailbox waits for mails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// The server announces them (IDLE).
    Idle,
    /// The server is polled.
    Poll,
}

/// A mailbox that is open on a connection of its own.
pub struct Mailbox<'a> {
    runtime: BlockingRuntime,
    /// Every step ends soon after this returns `false`.
    is_running: &'a dyn Fn() -> bool,
    /// The connection; `None` after [`Mailbox::wait`] has failed.
    session: Option<Session>,
    waiting: Waiting,
    /// Whether the server has announced mails since the last search.
    has_new_mails: bool,
}

impl<'a> Mailbox<'a> {
    /// Connects, logs in and opens the mailbox for reading and writing. This and every other step ends
    /// soon after `is_running` returns `false`.
    ///
    /// # Errors
    /// If any step fails. The message has the URL of the server.
    pub fn open(
        server: &ImapServer,
        is_running: &'a dyn Fn() -> bool,
    ) -> Result<Mailbox<'a>, MailboxError> {
        let context = |error: MailboxError| MailboxError::at(&server.to_string(), &error);
        let runtime = BlockingRuntime::new().map_err(|error| context(error.into()))?;
        let opened = runtime.run(TIMEOUT, is_running, async {
            let mut session = connect(server).await?;
            let mut waiting = Waiting::Poll;
            run(&mut session, "CAPABILITY", MAX_ANSWER, TIMEOUT, |response| {
                if let Response::Capabilities(capabilities) = response {
                    let has_idle = capabilities.iter().any(|capability| {
                        matches!(capability, Capability::Atom(name) if name.eq_ignore_ascii_case("IDLE"))
                    });
                    if has_idle {
                        waiting = Waiting::Idle;
                    }
                }
            })
            .await?;
            let select = format!("SELECT {}", quoted(&server.mailbox));
            let ended = run(&mut session, &select, MAX_ANSWER, TIMEOUT, |_| {}).await?;
            if ended.is_read_only {
                return Err(MailboxError::new("the mailbox can only be read"));
            }
            Ok((session, waiting))
        });
        let (session, waiting) = opened.map_err(context)?;
        Ok(Mailbox {
            runtime,
            is_running,
            session: Some(session),
            waiting,
            has_new_mails: false,
        })
    }

    /// Returns how [`Mailbox::wait`] waits.
    pub fn waiting(&self) -> Waiting {
        self.waiting
    }

    /// Returns the UIDs of at most `limit` unseen mails, the oldest first.
    pub fn unseen(&mut self, limit: usize) -> Result<Vec<u32>, MailboxError> {
        let mut ids = Vec::new();
        self.has_new_mails = false;
        let command = "UID SEARCH UNSEEN UNDELETED";
        self.run(command, MAX_ANSWER, TIMEOUT, |response| {
            if let Response::MailboxData(MailboxDatum::Search(found)) = response {
                ids.extend_from_slice(found);
            }
        })?;
        ids.sort_unstable();
        ids.dedup();
        ids.truncate(limit);
        Ok(ids)
    }

    /// Fetches a mail of at most `max_size` bytes. Changes no flags.
    pub fn fetch(&mut self, id: u32, max_size: usize) -> Result<Fetched, MailboxError> {
        let mut size = None;
        let command = format!("UID FETCH {id} (UID RFC822.SIZE)");
        self.run(&command, MAX_ANSWER, TIMEOUT, |response| {
            size = size.or(attribute(response, id, |attribute| match attribute {
                AttributeValue::Rfc822Size(size) => Some(*size as usize),
                _ => None,
            }));
        })?;
        match size {
            None => return Ok(Fetched::Missing),
            Some(size) if size > max_size => return Ok(Fetched::TooLarge),
            Some(_) => {}
        }
        let mut mail = None;
        // The announced size may be wrong, as servers count line breaks differently: one byte more
        // than allowed shows that the mail is too large.
        let command = format!("UID FETCH {id} (UID BODY.PEEK[]<0.{}>)", max_size + 1);
        self.run(&command, max_size + MAX_ANSWER, FETCH_TIMEOUT, |response| {
            let body = attribute(response, id, |attribute| match attribute {
                AttributeValue::BodySection {
                    section: None,
                    data: Some(data),
                    ..
                } => Some(data.to_vec()),
                _ => None,
            });
            mail = mail.take().or(body);
        })?;
        Ok(match mail {
            None => Fetched::Missing,
            Some(mail) if mail.len() > max_size => Fetched::TooLarge,
            Some(mail) => Fetched::Mail(mail),
        })
    }

    /// Marks a mail as seen, and as flagged if a person should look at it.
    pub fn mark_seen(&mut self, id: u32, is_flagged: bool) -> Result<(), MailboxError> {
        let flags = if is_flagged {
            "\\Seen \\Flagged"
        } else {
            "\\Seen"
        };
        let command = format!("UID STORE {id} +FLAGS.SILENT ({flags})");
        self.run(&command, MAX_ANSWER, TIMEOUT, |_| {})
    }

    /// Waits until the server announces a change, at most for `max`. Without IDLE, waits for `poll`
    /// instead.
    pub fn wait(&mut self, max: Duration, poll: Duration) -> Result<(), MailboxError> {
        let is_running = self.is_running;
        if self.has_new_mails {
            return Ok(());
        }
        if self.waiting == Waiting::Poll {
            let end = Instant::now() + poll;
            while is_running() && Instant::now() < end {
                std::thread::sleep(CHECK_INTERVAL.min(poll));
            }
            // Servers may search only the mails that they have announced, which they do after NOOP.
            return self.run("NOOP", MAX_ANSWER, TIMEOUT, |_| {});
        }
        let mut session = self.session.take().ok_or_else(lost)?;
        session.get_mut().allow(MAX_ANSWER, max + TIMEOUT);
        // Announcements that arrive before the server confirms IDLE.
        let earlier = session.unsolicited_responses.clone();
        let mut idle = session.idle();
        self.runtime.run(TIMEOUT, is_running, async {
            Ok::<_, MailboxError>(idle.init().await?)
        })?;
        let end = Instant::now() + max;
        while is_running() && Instant::now() < end && earlier.try_recv().is_err() {
            let next = self.runtime.run(TIMEOUT, &|| true, async {
                let (next, _stop) = idle.wait_with_timeout(CHECK_INTERVAL);
                Ok::<_, MailboxError>(timeout(2 * CHECK_INTERVAL, next).await)
            })?;
            match next {
                Err(_) | Ok(Ok(IdleResponse::Timeout)) => {}
                Ok(Ok(IdleResponse::NewData(_))) => break,
                Ok(Ok(IdleResponse::ManualInterrupt)) => return Err(lost()),
                Ok(Err(error)) => return Err(error.into()),
            }
        }
        while earlier.try_recv().is_ok() {}
        let time = if is_running() {
            TIMEOUT
        } else {
            CHECK_INTERVAL
        };
        let session = self.runtime.run(time, &|| true, async {
            Ok::<_, MailboxError>(idle.done().await?)
        })?;
        self.session = Some(session);
        Ok(())
    }

    /// Logs out.
    pub fn close(mut self) {
        self.is_running = &|| true;
        // A failure does not matter, as all mails are marked.
        let _ = self.run("LOGOUT", MAX_ANSWER, CHECK_INTERVAL, |_| {});
    }

    fn run(
        &mut self,
        command: &str,
        max: usize,
        time: Duration,
        each: impl FnMut(&Response<'_>),
    ) -> Result<(), MailboxError> {
        let session = self.session.as_mut().ok_or_else(lost)?;
        let Ended { has_new_mails, .. } = self.runtime.run(
            time,
            self.is_running,
            run(session, command, max, time, each),
        )?;
        self.has_new_mails |= has_new_mails;
        Ok(())
    }
}

/// The result of a fetch.
#[derive(Clone, PartialEq, Eq)]
pub enum Fetched {
    /// There is no mail with this UID any more.
    Missing,
    /// A mail that is larger than allowed.
    TooLarge,
    /// The bytes of the mail.
    Mail(Vec<u8>),
}

fn lost() -> MailboxError {
    MailboxError::new(CLOSED)
}

/// Returns an attribute of the mail with this UID, if the response is about that mail.
fn attribute<T>(
    response: &Response<'_>,
    id: u32,
    find: impl FnMut(&AttributeValue<'_>) -> Option<T>,
) -> Option<T> {
    let Response::Fetch(_, attributes) = response else {
        return None;
    };
    let is_it = |attribute: &AttributeValue<'_>| matches!(attribute, AttributeValue::Uid(uid) if *uid == id);
    attributes
        .iter()
        .any(is_it)
        .then(|| attributes.iter().find_map(find))
        .flatten()
}

/// Returns a name as a quoted string (RFC 3501).
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}
