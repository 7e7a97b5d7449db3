//! Passwords of mail servers.

use quarry_config::secret_file;
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
    secret_file::load(path).map_err(|problem| format!("`{key}` {}: {problem}", path.display()))
}
