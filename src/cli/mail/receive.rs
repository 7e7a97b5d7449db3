//! `quarry mail receive`: passes a mail from standard input to the service, for the pipes of Postfix
//! and Exim.
//!
//! Invariant: the exit code is 0 only for a mail that the service has accepted, 65 for one that is
//! refused, and 75 in every other case, so that the mail server keeps the mail until an error in the
//! set-up is corrected. No configuration is loaded.

use crate::cli::http_client::http_post::{self, PostError};
use crate::cli::options::path_text;
use clap::Args;
use quarry_config::secret_file;
use quarry_domain::values::text::escape_controls;
use quarry_mail::incoming::MAX_MAIL_SIZE;
use std::ffi::OsString;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The mail is refused (`EX_DATAERR` of sysexits.h).
const REFUSED: u8 = 65;
/// The mail server must try again later (`EX_TEMPFAIL`).
const LATER: u8 = 75;
/// Maximum number of characters of an answer that are printed.
const MAX_PRINTED: usize = 500;

/// The arguments.
#[derive(Debug, Args)]
pub struct ReceiveOptions {
    /// Address of the service, such as <http://127.0.0.1:3000>
    #[arg(long, value_name = "URL")]
    url: String,
    /// File whose first line is the value of the setting `mail_handler_api_key`
    #[arg(long, value_name = "FILE")]
    key_file: PathBuf,
    /// File with the certificates of trusted authorities, in PEM, in place of the public ones
    #[arg(long, value_name = "FILE")]
    ca_file: Option<PathBuf>,
}

/// The result, with the text for the log of the mail server.
struct Outcome {
    code: u8,
    message: String,
}

impl Outcome {
    fn new(code: u8, message: impl Into<String>) -> Outcome {
        Outcome {
            code,
            message: message.into(),
        }
    }
}

/// Whether `receive` follows `mail` in the arguments, perhaps with options in between. They need not
/// be valid.
pub fn is_mail_receive(arguments: &[OsString]) -> bool {
    let mut after_mail = arguments.iter().skip_while(|argument| *argument != "mail");
    after_mail.any(|argument| argument == "receive")
}

/// Returns the exit code that makes the mail server keep the mail and try again.
pub fn try_again_later() -> ExitCode {
    ExitCode::from(LATER)
}

/// Passes the mail on. Returns an exit code of sysexits.h.
pub fn run(options: &ReceiveOptions) -> ExitCode {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        pass_on(options, &mut std::io::stdin().lock())
    }));
    let outcome = outcome.unwrap_or_else(|_| Outcome::new(LATER, "the command has failed"));
    if outcome.code != 0 {
        eprintln!("quarry: {}", outcome.message);
    }
    ExitCode::from(outcome.code)
}

fn pass_on(options: &ReceiveOptions, input: &mut dyn Read) -> Outcome {
    let key = match load_key(&options.key_file) {
        Ok(key) => key,
        Err(message) => return Outcome::new(LATER, message),
    };
    let mut mail = Vec::new();
    if let Err(error) = input.take(MAX_MAIL_SIZE as u64 + 1).read_to_end(&mut mail) {
        return Outcome::new(LATER, format!("the mail cannot be read: {error}"));
    }
    if mail.len() > MAX_MAIL_SIZE {
        return Outcome::new(REFUSED, "the mail is larger than 30 MiB");
    }
    let url = format!("{}/mail_handler", options.url.trim_end_matches('/'));
    let fields: [(&str, &[u8]); 2] = [("key", key.as_bytes()), ("email", &mail)];
    match http_post::post_form(&url, &fields, options.ca_file.as_deref()) {
        Ok(response) => {
            let text: String = response.text.trim().chars().take(MAX_PRINTED).collect();
            from_status(response.status, &escape_controls(&text))
        }
        Err(error @ PostError::Url(_)) => Outcome::new(LATER, error.to_string()),
        Err(error) => Outcome::new(LATER, format!("the service cannot be reached: {error}")),
    }
}

/// Returns the first line of a file.
fn load_key(path: &Path) -> Result<String, String> {
    let unusable = |problem: &str| format!("{} has no key: {problem}", path_text(path));
    let line = secret_file::load(path).map_err(|problem| unusable(&problem))?;
    match line.trim() {
        "" => Err(unusable("its first line is empty")),
        key => Ok(key.to_owned()),
    }
}

fn from_status(status: u16, text: &str) -> Outcome {
    match status {
        200 | 201 => Outcome::new(0, ""),
        // A wrong key or path is an error in the set-up, which can be corrected.
        401 | 403 => Outcome::new(LATER, text),
        404 | 405 | 408 | 429 => Outcome::new(LATER, format!("the service answers {status}")),
        400..=499 => Outcome::new(REFUSED, text),
        _ => Outcome::new(LATER, format!("the service answers {status}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_accepted_mail_gives_0() {
        let codes = [
            (201, 0),
            (200, 0),
            (204, LATER),
            (303, LATER),
            (403, LATER),
            (404, LATER),
            (413, REFUSED),
            (422, REFUSED),
            (429, LATER),
            (500, LATER),
            (503, LATER),
            (507, LATER),
        ];
        for (status, code) in codes {
            assert_eq!(from_status(status, "").code, code, "{status}");
        }
    }
}
