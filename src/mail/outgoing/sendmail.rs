//! The program of `sendmail:`, which takes a message on its standard input.

use super::error::SendError;
use super::receipt::Receipt;
use crate::one_line::one_line;
use lettre::address::Envelope;
use std::cell::Cell;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Time between looks whether the program has ended.
const POLL: Duration = Duration::from_millis(10);
/// Maximum number of bytes of its error output that are read.
const MAX_OUTPUT: u64 = 4096;

/// Exit codes of sysexits.h for a message that will never be accepted: invalid data, an unknown user,
/// an unknown host.
const PERMANENT: [i32; 3] = [65, 67, 68];

/// Gives a message to the program, which is killed after `timeout`, and when `is_running` returns false.
pub fn send(
    program: &Path,
    envelope: &Envelope,
    message: &[u8],
    timeout: Duration,
    is_running: &dyn Fn() -> bool,
) -> Result<Receipt, SendError> {
    let unavailable = |problem: std::io::Error| {
        SendError::Unavailable(one_line(&format!("{}: {problem}", program.display())))
    };
    let mut command = Command::new(program);
    command.arg("-i");
    if let Some(from) = envelope.from() {
        command.arg("-f").arg(from);
    }
    command.arg("--");
    command.args(envelope.to());
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(unavailable)?;
    let input = child.stdin.take();
    let errors = child.stderr.take();
    let message = message.to_owned();
    // Threads of their own: a program that reads or writes nothing must not block this one.
    let writer = thread::spawn(move || {
        // A program that ends early says why by its exit code.
        input.is_some_and(|mut input| input.write_all(&message).is_ok())
    });
    let reader = thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(errors) = errors {
            // What could be read is enough.
            let _ = errors.take(MAX_OUTPUT).read_to_end(&mut text);
        }
        String::from_utf8_lossy(&text).into_owned()
    });
    let is_stopped = Cell::new(false);
    let keeps_waiting = || {
        is_stopped.set(!is_running());
        !is_stopped.get()
    };
    let Some(status) = wait(&mut child, timeout, &keeps_waiting).map_err(unavailable)? else {
        if is_stopped.get() {
            return Err(SendError::Stopped);
        }
        return Err(SendError::Temporary(format!(
            "{} did not end in time",
            program.display()
        )));
    };
    let is_complete = writer.join().unwrap_or(false);
    if status.success() && is_complete {
        return Ok(Receipt {
            server: program.display().to_string(),
            answer: "accepted".to_owned(),
        });
    }
    let words = one_line(&format!(
        "{}: {status}: {}",
        program.display(),
        reader.join().unwrap_or_default()
    ));
    Err(match status.code() {
        Some(code) if PERMANENT.contains(&code) => SendError::Permanent(words),
        _ => SendError::Temporary(words),
    })
}

/// Waits for the end of the program; `None` if it had to be killed.
fn wait(
    child: &mut Child,
    timeout: Duration,
    keeps_waiting: &dyn Fn() -> bool,
) -> std::io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > timeout || !keeps_waiting() {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(POLL);
    }
}
