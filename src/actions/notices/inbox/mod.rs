//! The inbox: what a person was told of and may still see, and what they do with it.
//!
//! Invariant: nothing that the person may not see now is shown or counted, whatever they could see
//! when they were told.

mod filter;
mod list;
mod reasons;
mod threads;
mod unread;

pub use filter::parse_filter;
pub use list::{Inbox, InboxEntry, list, load_texts};
pub use quarry_domain::notices::filter::{InboxFilter, InboxState};
pub use reasons::reasons;
pub use threads::{Later, ThreadChange, change, put_all_away, read_all, set_muted, update};
pub use unread::{MAX_COUNTED, count_unread, count_unread_without, has_unread, mark_opened};
