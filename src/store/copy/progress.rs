//! The progress of a copy.

/// Receives the progress of a copy.
pub trait Progress {
    /// A table, or another step, with this number of rows or files begins.
    fn start(&mut self, label: &str, count: u64);
    /// This number of rows or files has been copied.
    fn advance(&mut self, count: u64);
    /// The step is complete.
    fn finish(&mut self);
}
