//! How much text one request may render as HTML.

use crate::error::Error;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

/// Maximum total length of the texts of a page, in bytes, that are rendered without a slot for long
/// texts.
pub const MAX_WITHOUT_SLOT: usize = 64 * 1024;
/// Maximum time for rendering the texts of a page. Texts after that are shown without their markup.
const MAX_TIME: Duration = Duration::from_secs(1);

/// What happens to the texts of a page beyond [`MAX_WITHOUT_SLOT`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LongTexts {
    /// The request fails with [`Error::LongText`], and runs again when it has a slot.
    #[default]
    Yield,
    /// They are rendered, because the request has a slot.
    Render,
    /// They are shown without their markup, because the request cannot run again: it writes.
    Plain,
}

/// The length of the texts that a request has rendered, and the time that this has taken.
#[derive(Debug, Default)]
pub struct RenderBudget {
    long_texts: LongTexts,
    bytes: AtomicUsize,
    micros: AtomicU64,
}

impl RenderBudget {
    /// Creates an unspent budget.
    pub fn new(long_texts: LongTexts) -> RenderBudget {
        RenderBudget {
            long_texts,
            ..RenderBudget::default()
        }
    }

    /// Returns the time for another text of this length in bytes; zero for a text that is shown
    /// without its markup. Fails with [`Error::LongText`] when the request needs a slot for it.
    pub fn time_for(&self, length: usize) -> Result<Duration, Error> {
        let bytes = self
            .bytes
            .fetch_add(length, Ordering::Relaxed)
            .saturating_add(length);
        let left =
            MAX_TIME.saturating_sub(Duration::from_micros(self.micros.load(Ordering::Relaxed)));
        match self.long_texts {
            LongTexts::Yield if bytes > MAX_WITHOUT_SLOT => Err(Error::LongText),
            LongTexts::Plain if bytes > MAX_WITHOUT_SLOT => Ok(Duration::ZERO),
            _ => Ok(left),
        }
    }

    /// Counts texts that are compared or written in another way than as HTML. Fails with
    /// [`Error::LongText`] when the request needs a slot for them.
    pub fn admit(&self, length: usize) -> Result<(), Error> {
        self.time_for(length).map(drop)
    }

    /// Records the time that a text has taken.
    pub fn record(&self, time: Duration) {
        self.micros.fetch_add(
            u64::try_from(time.as_micros()).unwrap_or(u64::MAX),
            Ordering::Relaxed,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_a_page_count_together_as_a_long_one() {
        let budget = RenderBudget::new(LongTexts::Yield);
        assert_eq!(budget.time_for(MAX_WITHOUT_SLOT - 1).unwrap(), MAX_TIME);
        assert_eq!(budget.time_for(1).unwrap(), MAX_TIME);
        assert!(matches!(budget.time_for(1), Err(Error::LongText)));
        assert_eq!(
            RenderBudget::new(LongTexts::Plain)
                .time_for(MAX_WITHOUT_SLOT + 1)
                .unwrap(),
            Duration::ZERO
        );
        assert_eq!(
            RenderBudget::new(LongTexts::Render)
                .time_for(MAX_WITHOUT_SLOT + 1)
                .unwrap(),
            MAX_TIME
        );
    }

    #[test]
    fn texts_of_a_page_share_their_time() {
        let budget = RenderBudget::new(LongTexts::Render);
        budget.record(MAX_TIME / 4);
        assert_eq!(budget.time_for(1).unwrap(), MAX_TIME * 3 / 4);
        budget.record(MAX_TIME);
        assert_eq!(budget.time_for(1).unwrap(), Duration::ZERO);
    }
}
