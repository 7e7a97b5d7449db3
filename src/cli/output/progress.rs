//! Progress of commands that go through many rows: a bar on a terminal, elsewhere a line every ten
//! seconds, so that logs show that the command is at work.

use indicatif::{HumanCount, ProgressBar, ProgressState, ProgressStyle};
use quarry_domain::values::text::escape_controls;
use quarry_import as import;
use quarry_store::copy;
use std::io::{IsTerminal, Write};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Time between two lines of progress.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Returns the style of a progress bar, with whole rows per second as its rate.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .with_key("rate", write_rate)
}

fn write_rate(state: &ProgressState, out: &mut dyn std::fmt::Write) {
    // Writing to a bar cannot fail; at worst the rate is missing.
    let _ = write!(out, "{}/s", HumanCount(state.per_sec() as u64));
}

/// The progress of each step, such as a table.
pub struct StepProgress {
    step: CurrentStep,
    /// Prints the lines. `None` on a terminal, which shows the bar.
    _lines: Option<ProgressLines>,
}

impl Default for StepProgress {
    fn default() -> StepProgress {
        let is_terminal = std::io::stderr().is_terminal();
        let step = CurrentStep::default();
        let lines = (!is_terminal).then(|| {
            ProgressLines::spawn(step.clone(), LINE_INTERVAL, |line| {
                // Nobody may read standard error any more.
                let _ = writeln!(std::io::stderr(), "{line}");
            })
        });
        StepProgress {
            step,
            _lines: lines,
        }
    }
}

impl StepProgress {
    /// Starts a step of this number of rows; 0 for an unknown number.
    pub fn start_step(&self, label: &str, rows: u64) {
        let bar = if rows == 0 {
            let bar = ProgressBar::no_length();
            bar.set_style(style("{msg:28} {spinner} {human_pos}"));
            bar
        } else {
            let bar = ProgressBar::new(rows);
            bar.set_style(style("{msg:28} {wide_bar} {human_pos}/{human_len} {rate}"));
            bar
        };
        bar.set_message(label.to_owned());
        *self.step.lock() = Some(bar);
    }

    /// Sets how many rows of the step are done.
    pub fn set_position(&self, rows: u64) {
        self.step
            .lock()
            .iter()
            .for_each(|bar| bar.set_position(rows));
    }

    fn advance_step(&self, rows: u64) {
        self.step.lock().iter().for_each(|bar| bar.inc(rows));
    }

    /// Ends the step.
    pub fn finish_step(&self) {
        if let Some(bar) = self.step.lock().take() {
            bar.finish_and_clear();
        }
    }
}

/// The bar of the step that is running, if there is one.
#[derive(Clone, Default)]
struct CurrentStep(Arc<Mutex<Option<ProgressBar>>>);

impl CurrentStep {
    fn lock(&self) -> MutexGuard<'_, Option<ProgressBar>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the label and how many rows are done; `None` between two steps.
    fn line(&self) -> Option<String> {
        let step = self.lock();
        let bar = step.as_ref()?;
        let message = bar.message();
        let label = escape_controls(&message);
        let position = HumanCount(bar.position());
        Some(match bar.length() {
            Some(length) => format!("{label}: {position} of {}", HumanCount(length)),
            None => format!("{label}: {position}"),
        })
    }
}

/// A thread that prints a line about the current step at each interval, until it is dropped.
struct ProgressLines {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl ProgressLines {
    fn spawn(
        step: CurrentStep,
        interval: Duration,
        print: impl Fn(String) + Send + 'static,
    ) -> ProgressLines {
        let (stop, stopped) = channel::<()>();
        let thread = thread::spawn(move || {
            while stopped.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                step.line().into_iter().for_each(&print);
            }
        });
        ProgressLines {
            stop: Some(stop),
            thread: Some(thread),
        }
    }
}

impl Drop for ProgressLines {
    fn drop(&mut self) {
        drop(self.stop.take());
        // No line follows the output of the command.
        if let Some(thread) = self.thread.take() {
            // It cannot panic.
            let _ = thread.join();
        }
    }
}

impl import::Progress for StepProgress {
    fn start(&mut self, label: &str, rows: u64) {
        self.start_step(label, rows);
    }

    fn advance(&mut self, rows: u64) {
        self.advance_step(rows);
    }

    fn finish(&mut self) {
        self.finish_step();
    }
}

impl copy::Progress for StepProgress {
    fn start(&mut self, label: &str, count: u64) {
        self.start_step(label, count);
    }

    fn advance(&mut self, count: u64) {
        self.advance_step(count);
    }

    fn finish(&mut self) {
        self.finish_step();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;

    #[test]
    fn lines_tell_the_step_and_its_rows_again_and_again_until_the_end() {
        let step = CurrentStep::default();
        let (sender, lines) = channel();
        let interval = Duration::from_millis(1);
        let progress = StepProgress {
            step: step.clone(),
            _lines: Some(ProgressLines::spawn(step, interval, move |line| {
                sender.send(line).unwrap();
            })),
        };
        progress.start_step("issues", 12_000);
        progress.advance_step(3_456);
        let line = "issues: 3,456 of 12,000";
        assert!(lines.iter().any(|printed| printed == line));
        assert_eq!(lines.recv().unwrap(), line);
        progress.finish_step();
        progress.start_step("the \u{1b} index", 0);
        progress.set_position(7);
        let line = "the \\u{1b} index: 7";
        assert!(lines.iter().any(|printed| printed == line));
        drop(progress);
        // The thread has ended, and nothing follows but what was printed before.
        assert!(lines.iter().all(|printed| printed == line));
    }
}
