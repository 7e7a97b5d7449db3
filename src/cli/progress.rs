//! Progress bars of commands that go through many rows.

use indicatif::{HumanCount, ProgressBar, ProgressState, ProgressStyle};
use quarry_import as import;
use quarry_store::copy;

/// Returns the style of a progress bar, with whole rows per second as its rate.
pub fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .with_key("rate", write_rate)
}

fn write_rate(state: &ProgressState, out: &mut dyn std::fmt::Write) {
    // Writing to a bar cannot fail; at worst the rate is missing.
    let _ = write!(out, "{}/s", HumanCount(state.per_sec() as u64));
}

/// A progress bar for each step, such as a table. It is drawn only on a terminal.
#[derive(Default)]
pub struct StepProgress(Option<ProgressBar>);

impl StepProgress {
    fn start_bar(&mut self, label: &str, rows: u64) {
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
        self.0 = Some(bar);
    }

    fn advance_bar(&self, rows: u64) {
        self.0.iter().for_each(|bar| bar.inc(rows));
    }

    fn finish_bar(&mut self) {
        if let Some(bar) = self.0.take() {
            bar.finish_and_clear();
        }
    }
}

impl import::Progress for StepProgress {
    fn start(&mut self, label: &str, rows: u64) {
        self.start_bar(label, rows);
    }

    fn advance(&mut self, rows: u64) {
        self.advance_bar(rows);
    }

    fn finish(&mut self) {
        self.finish_bar();
    }
}

impl copy::Progress for StepProgress {
    fn start(&mut self, label: &str, count: u64) {
        self.start_bar(label, count);
    }

    fn advance(&mut self, count: u64) {
        self.advance_bar(count);
    }

    fn finish(&mut self) {
        self.finish_bar();
    }
}
