//! Passwords of mail servers.

use std::fs;
use std::path::Path;

/// Returns the password of the URL, or else the first line of `file`, the value of the configuration key
/// `key`; empty without both. Fails with a message.
pub fn load(in_url: Option<&str>, file: Option<&Path>, key: &str) -> Result<String, String> {
    if let Some(password) = in_url {
        return Ok(password.to_owned());
    }
    let Some(path) = file else {
        return Ok(String::new());
    };
    let problem = |problem: String| format!("`{key}` {}: {problem}", path.display());
    let text = fs::read_to_string(path).map_err(|error| problem(error.to_string()))?;
    match text.lines().next() {
        Some(line) if !line.is_empty() => Ok(line.to_owned()),
        _ => Err(problem("the first line is empty".to_owned())),
    }
}
