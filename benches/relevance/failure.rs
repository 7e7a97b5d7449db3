//! Whatever ends the bench.

/// An error of a library, or a sentence.
pub type Failure = Box<dyn std::error::Error>;
