//! Progress of an import, as its caller displays it.

/// Receives how far the import has come.
pub trait Progress {
    /// Starts a step that processes this number of rows.
    fn start(&mut self, label: &str, rows: u64);
    /// Adds rows that were processed.
    fn advance(&mut self, rows: u64);
    /// Ends the step.
    fn finish(&mut self);
    /// Whether the import shall stop. It is asked after each batch of rows.
    fn is_cancelled(&self) -> bool {
        false
    }
}
