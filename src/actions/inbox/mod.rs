//! The inbox: what a person was told of and may still see, and what they do with it.
//!
//! Invariant: nothing that the person may not see now is shown or counted, whatever they could see
//! when they were told.

mod list;
mod threads;
mod unread;

pub use list::{Inbox, InboxEntry, InboxFilter, InboxState, MAX_NOTICES, find_entry, list};
pub use threads::{Later, ThreadChange, put_all_away, read_all, set_muted, update};
pub use unread::{MAX_COUNTED, count_unread, mark_opened};
