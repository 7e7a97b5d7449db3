//! Bounds on the work for one text.

use std::time::{Duration, Instant};

/// Maximum length of a text that is rendered, in bytes. Longer texts are shown as they are.
pub const MAX_LENGTH: usize = 512 * 1024;
/// Maximum length of the HTML before it is sanitized, in bytes.
pub const MAX_OUTPUT: usize = 2 * 1024 * 1024;
/// Maximum number of ampersands in a text that is rendered: the parser of the sanitizer takes
/// quadratic time for them.
pub const MAX_AMPERSANDS: usize = 30_000;
/// Maximum number of elements and of character references in one piece of HTML, which is sanitized
/// at once, without a check of the clock.
pub const MAX_PIECE_ITEMS: usize = 100_000;
/// Approximate time for sanitizing one of these items.
pub const TIME_PER_ITEM: Duration = Duration::from_micros(1);
/// Pieces of HTML that are at least this long, in bytes, are sanitized while the rest of the text
/// is rendered.
pub const MIN_PIECE: usize = 32 * 1024;
/// Maximum depth of nested elements. Deeper elements are left out, their text stays.
pub const MAX_NESTING: usize = 48;
/// Maximum number of references of one text that are resolved. Further ones stay text.
pub const MAX_REFERENCES: usize = 1000;
/// Number of steps between two checks of the clock.
const CHECK_INTERVAL: u32 = 64;

/// Why a text is shown as it is instead of being rendered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Interrupted {
    /// Rendering took too long.
    #[error("rendering exceeded its time limit")]
    TimedOut,
    /// The text or its HTML is too long.
    #[error("the text or its HTML is too long")]
    TooLong,
    /// The renderer failed.
    #[error("the renderer panicked")]
    Panicked,
}

/// When rendering a text must end.
#[derive(Debug)]
pub(super) struct Deadline {
    started: Instant,
    timeout: Duration,
    steps: u32,
}

impl Deadline {
    /// Creates a deadline that passes after this time from now.
    pub fn new(timeout: Duration) -> Deadline {
        Deadline {
            started: Instant::now(),
            timeout,
            steps: 0,
        }
    }

    /// Whether half of the time has passed: parsing must leave the rest for writing and sanitizing.
    pub fn is_half_over(&self) -> bool {
        self.started.elapsed() >= self.timeout / 2
    }

    /// Whether the deadline has passed.
    pub fn has_passed(&self) -> bool {
        !self.leaves(Duration::ZERO)
    }

    /// Whether more than this time is left.
    pub fn leaves(&self, time: Duration) -> bool {
        self.started.elapsed().saturating_add(time) < self.timeout
    }

    /// Counts a step. Fails when the deadline has passed, which is checked every [`CHECK_INTERVAL`]
    /// steps.
    pub fn tick(&mut self) -> Result<(), Interrupted> {
        let is_check_due = self.steps.is_multiple_of(CHECK_INTERVAL);
        self.steps = self.steps.wrapping_add(1);
        if is_check_due && self.has_passed() {
            Err(Interrupted::TimedOut)
        } else {
            Ok(())
        }
    }
}
