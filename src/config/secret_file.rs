//! Files that hold one secret, such as a password, in their first line.

use super::regular_file;
use std::path::Path;

/// Maximum size of such a file in bytes. A larger file is not a secret.
const MAX_SIZE: u64 = 64 * 1024;

/// Returns the first line of a file. The error says what is wrong with the file, and never shows its
/// content.
pub fn load(path: &Path) -> Result<String, String> {
    let bytes = regular_file::read(path, MAX_SIZE).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|_| "it is not valid UTF-8".to_owned())?;
    match text.lines().next() {
        Some(line) if !line.is_empty() => Ok(line.to_owned()),
        _ => Err("its first line is empty".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_line_is_the_secret() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("password");
        for (content, secret) in [
            ("one", "one"),
            ("one\n", "one"),
            ("one\r\ntwo\n", "one"),
            (" spaces count ", " spaces count "),
        ] {
            std::fs::write(&path, content).unwrap();
            assert_eq!(load(&path).as_deref(), Ok(secret), "{content:?}");
        }
    }

    #[test]
    fn unusable_files_are_described_without_their_content() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("password");
        let large = vec![b'x'; MAX_SIZE as usize + 1];
        for (content, problem) in [
            (&b""[..], "its first line is empty"),
            (b"\nsecond", "its first line is empty"),
            (b"\xff\xfe", "it is not valid UTF-8"),
            (&large, "it is larger than 64 KiB"),
        ] {
            std::fs::write(&path, content).unwrap();
            assert_eq!(load(&path), Err(problem.to_owned()));
        }
        assert_eq!(
            load(folder.path()),
            Err("it is not a regular file".to_owned())
        );
        assert!(
            load(&folder.path().join("none"))
                .unwrap_err()
                .starts_with("No such file")
        );
    }
}
