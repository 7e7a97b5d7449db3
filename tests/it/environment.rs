//! Environment variables that repeat a test with other random data.

/// Returns the number in a variable.
pub fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}
