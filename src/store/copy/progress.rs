//! The progress of a copy.

/// Receives the progress of a copy. A step whose size is not known has the count 0.
pub trait Progress {
    /// Starts a step, such as a table, of this number of rows or files.
    fn start(&mut self, label: &str, count: u64);
    /// Counts rows or files that were copied or compared.
    fn advance(&mut self, count: u64);
    /// Ends the step.
    fn finish(&mut self);
    /// Whether to go on: a service that stops does not wait for a long step.
    fn should_continue(&self) -> bool {
        true
    }
}
