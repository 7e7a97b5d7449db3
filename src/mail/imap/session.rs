//! Runs IMAP commands and checks their results.

use super::error::{CLOSED, MailboxError};
use async_imap::imap_proto::{MailboxDatum, Response, ResponseCode, Status};
use quarry_net::{BoundedStream, Stream};
use std::time::Duration;

/// A connection that is logged in.
pub type Session = async_imap::Session<BoundedStream<Box<dyn Stream>>>;

/// Maximum number of bytes of a response without a mail: enough for the UIDs of 100,000 unseen mails.
pub const MAX_ANSWER: usize = 1024 * 1024;

/// Timeout of a command other than the fetch of a mail.
pub const TIMEOUT: Duration = Duration::from_secs(30);

/// The result of a successful command.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ended {
    /// Whether the mailbox was opened read-only.
    pub is_read_only: bool,
    /// Whether the server has announced new mails meanwhile.
    pub has_new_mails: bool,
}

/// Runs a command, and passes each response to `each`. All responses together have at most `max` bytes,
/// and arrive within `time`.
pub async fn run(
    session: &mut Session,
    command: &str,
    max: usize,
    time: Duration,
    mut each: impl FnMut(&Response<'_>),
) -> Result<Ended, MailboxError> {
    session.get_mut().allow(max, time);
    let id = session.run_command(command).await?;
    let verb = command.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let mut ended = Ended::default();
    loop {
        let Some(response) = session.read_response().await? else {
            return Err(MailboxError::new(CLOSED));
        };
        match response.parsed() {
            Response::Done {
                tag,
                status,
                outcome,
            } if *tag == id => {
                let text = outcome.information.as_deref().unwrap_or_default();
                ended.is_read_only = matches!(outcome.code, Some(ResponseCode::ReadOnly));
                return match status {
                    Status::Ok => Ok(ended),
                    _ => Err(MailboxError::at(
                        &format!("the server refuses {verb}"),
                        &text,
                    )),
                };
            }
            Response::Data {
                status: Status::Bye,
                outcome,
            } => {
                let text = outcome.information.as_deref().unwrap_or_default();
                return Err(MailboxError::at(CLOSED, &text));
            }
            Response::MailboxData(MailboxDatum::Exists(_)) => ended.has_new_mails = true,
            response => each(response),
        }
    }
}
