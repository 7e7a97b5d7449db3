//! Everyday tasks, with the number of clicks that they take.

mod add_relation;
mod bulk_edit;
mod change_fact;
mod copy_issue;
mod delete_issue;
mod export;
mod filter_list;
mod move_issue;
mod save_query;

use super::driver::Chromium;

/// A browser whose clicks are counted.
struct Counted<'c> {
    chromium: &'c Chromium,
    clicks: std::cell::Cell<usize>,
}

impl<'c> Counted<'c> {
    fn new(chromium: &'c Chromium) -> Counted<'c> {
        Counted {
            chromium,
            clicks: std::cell::Cell::new(0),
        }
    }

    fn click(&self, selector: &str) {
        self.clicks.set(self.clicks.get() + 1);
        self.chromium.click(selector);
    }

    /// Clicks, and waits until the condition holds.
    fn click_until(&self, selector: &str, what: &str, script: &str) {
        self.click(selector);
        self.chromium.wait_until(what, script);
    }
}
