//! Bounds on the work for one text.

use std::time::{Duration, Instant};

/// Maximum length of a text that is rendered, in bytes. Longer texts are shown as they are.
pub const MAX_LENGTH: usize = 512 * 1024;
/// Maximum length of the HTML before it is sanitized, in bytes.
pub const MAX_OUTPUT: usize = 2 * 1024 * 1024;
/// Maximum number of ampersands in a text that is rendered: the parser of the sanitizer takes quadratic time for them.
pub const MAX_AMPERSANDS: usize = 30_000;
/// Maximum number of elements within each other. Deeper elements are left out, their text stays.
pub const MAX_NESTING: usize = 48;
/// Maximum number of references of one text that are resolved. Further ones stay text.
pub const MAX_REFERENCES: usize = 1000;
/// How many steps are taken from one look at the clock to the next.
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
    /// A deadline that passes when the timeout has passed from now on.
    pub fn new(timeout: Duration) -> Deadline {
        Deadline { started: Instant::now(), timeout, steps: 0 }
    }

    /// Whether the deadline has passed.
    pub fn has_passed(&self) -> bool {
        self.started.elapsed() >= self.timeout
    }

    /// Counts a step, and looks at the clock once in a while.
    pub fn tick(&mut self) -> Result<(), Interrupted> {
        let look = self.steps.is_multiple_of(CHECK_INTERVAL);
        self.steps = self.steps.wrapping_add(1);
        if look && self.has_passed() { Err(Interrupted::TimedOut) } else { Ok(()) }
    }
}
