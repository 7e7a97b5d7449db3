//! Everyday tasks, with the number of clicks and keys that they take.

mod add_relation;
mod board;
mod bulk_edit;
mod change_fact;
mod check_boxes;
mod comment;
mod copy_issue;
mod create_issue;
mod delete_issue;
mod documents;
mod draft;
mod editor;
mod export;
mod filter_list;
mod forums;
mod log_time;
mod mention;
mod move_dates;
mod move_issue;
mod news;
mod palette;
mod paste_picture;
mod plan;
mod save_query;
mod save_search;
mod search_to_comment;
mod wiki;

use super::driver::Chromium;

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const DOWN: &str = "\u{e015}";
/// Control and Enter.
const SAVE: &str = "\u{e009}\u{e007}";

/// A browser whose clicks and keys are counted.
struct Counted<'c> {
    chromium: &'c Chromium,
    clicks: std::cell::Cell<usize>,
    keys: std::cell::Cell<usize>,
}

impl<'c> Counted<'c> {
    fn new(chromium: &'c Chromium) -> Counted<'c> {
        Counted {
            chromium,
            clicks: std::cell::Cell::new(0),
            keys: std::cell::Cell::new(0),
        }
    }

    fn click(&self, selector: &str) {
        self.clicks.set(self.clicks.get() + 1);
        self.chromium.click(selector);
    }

    /// Presses a key, or keys together, in whatever has the focus.
    fn press(&self, key: &str) {
        self.keys.set(self.keys.get() + 1);
        self.chromium.type_keys(key);
    }

    /// Clicks, and waits until the condition holds.
    fn click_until(&self, selector: &str, what: &str, script: &str) {
        self.click(selector);
        self.chromium.wait_until(what, script);
    }
}
