//! The secret in a backup, and files that may have passwords: left out, unencrypted, or encrypted with
//! a passphrase.
//!
//! The key is derived with Argon2id. Its parameters and salt are in the encrypted file, and
//! XChaCha20-Poly1305 authenticates them.

use super::error::{BackupError, damaged};
use super::files;
use argon2::{Algorithm, Argon2, Params, Version};
use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{KeyInit, XChaCha20Poly1305};
use quarry_domain::clock::{Entropy, SystemEntropy};
use std::path::Path;

/// First line of an encrypted file.
const HEADER: &str = "quarry encrypted file 1";
/// Memory of Argon2id in KiB, passes and lanes: the second recommendation of RFC 9106.
const ARGON2_PARAMETERS: [u32; 3] = [64 * 1024, 3, 4];
/// Maximum accepted values of [`ARGON2_PARAMETERS`], so that a hostile file cannot exhaust the memory.
const MAX_ARGON2_PARAMETERS: [u32; 3] = [1024 * 1024, 16, 16];
/// Length of the salt in bytes.
const SALT: usize = 16;
/// Length of the nonce in bytes.
const NONCE: usize = 24;
/// Maximum size in bytes of a file with a passphrase.
const MAX_PASSPHRASE_FILE: u64 = 64 << 10;
/// Minimum length of a passphrase in characters.
const MIN_LENGTH: usize = 12;

/// A passphrase.
#[derive(Clone)]
pub struct Passphrase(String);

impl std::fmt::Debug for Passphrase {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Passphrase")
    }
}

impl Passphrase {
    /// Reads the first line of a file, without a byte order mark and the end of the line.
    ///
    /// # Errors
    /// When the file cannot be read, or the line is blank or shorter than twelve characters.
    pub fn from_file(path: &Path) -> Result<Passphrase, BackupError> {
        let unusable = |problem: String| BackupError::PassphraseFile {
            path: path.display().to_string(),
            problem,
        };
        let bytes = files::read_any(path, MAX_PASSPHRASE_FILE)
            .map_err(|error| unusable(error.to_string()))?;
        let text = String::from_utf8(bytes)
            .map_err(|_| unusable("it is not a text in UTF-8".to_owned()))?;
        // Editors of Windows add a byte order mark, and end lines with CR and LF.
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let line = text.split('\n').next().unwrap_or_default();
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.trim().is_empty() {
            return Err(unusable("its first line is blank".to_owned()));
        }
        if line.chars().count() < MIN_LENGTH {
            return Err(unusable(format!(
                "its first line must have at least {MIN_LENGTH} characters"
            )));
        }
        Ok(Passphrase(line.to_owned()))
    }

    /// Encrypts bytes.
    pub(super) fn encrypt(&self, bytes: &[u8]) -> Result<Vec<u8>, BackupError> {
        let mut salt = [0; SALT];
        let mut nonce = [0; NONCE];
        SystemEntropy.fill(&mut salt);
        SystemEntropy.fill(&mut nonce);
        let [memory, passes, lanes] = ARGON2_PARAMETERS;
        let head = format!(
            "{HEADER}\nargon2id {memory} {passes} {lanes} {}\n{}\n",
            hex::encode(salt),
            hex::encode(nonce)
        );
        let payload = Payload {
            msg: bytes,
            aad: head.as_bytes(),
        };
        let encrypted = self
            .cipher(ARGON2_PARAMETERS, &salt)
            .and_then(|cipher| cipher.encrypt(&nonce.into(), payload).ok());
        let encrypted = encrypted.ok_or_else(|| {
            BackupError::Verification("the secret cannot be encrypted".to_owned())
        })?;
        Ok(format!("{head}{}\n", hex::encode(encrypted)).into_bytes())
    }

    /// Decrypts the bytes of a file.
    pub(super) fn decrypt(&self, bytes: &[u8], path: &Path) -> Result<Vec<u8>, BackupError> {
        let parts = Encrypted::parse(bytes)
            .ok_or_else(|| damaged(path, "it is not an encrypted file of Quarry"))?;
        let payload = Payload {
            msg: &parts.encrypted,
            aad: parts.head.as_bytes(),
        };
        self.cipher(parts.parameters, &parts.salt)
            .and_then(|cipher| cipher.decrypt(&parts.nonce.into(), payload).ok())
            .ok_or_else(|| BackupError::WrongPassphrase(path.display().to_string()))
    }

    fn cipher(&self, [memory, passes, lanes]: [u32; 3], salt: &[u8]) -> Option<XChaCha20Poly1305> {
        let params = Params::new(memory, passes, lanes, None).ok()?;
        let mut key = [0; 32];
        Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
            .hash_password_into(self.0.as_bytes(), salt, &mut key)
            .ok()?;
        Some(XChaCha20Poly1305::new(&key.into()))
    }
}

/// The parts of an encrypted file.
struct Encrypted<'b> {
    head: &'b str,
    parameters: [u32; 3],
    salt: [u8; SALT],
    nonce: [u8; NONCE],
    encrypted: Vec<u8>,
}

impl Encrypted<'_> {
    fn parse(bytes: &[u8]) -> Option<Encrypted<'_>> {
        let text = std::str::from_utf8(bytes).ok()?.strip_suffix('\n')?;
        let (_, encrypted) = text.rsplit_once('\n')?;
        let head = &text[..text.len() - encrypted.len()];
        let mut lines = head.lines();
        if lines.next()? != HEADER {
            return None;
        }
        let mut words = lines.next()?.split(' ');
        if words.next()? != "argon2id" {
            return None;
        }
        let mut parameters = [0; 3];
        for (value, max) in parameters.iter_mut().zip(MAX_ARGON2_PARAMETERS) {
            *value = words.next()?.parse().ok().filter(|value| *value <= max)?;
        }
        let mut parts = Encrypted {
            head,
            parameters,
            salt: [0; SALT],
            nonce: [0; NONCE],
            encrypted: hex::decode(encrypted).ok()?,
        };
        hex::decode_to_slice(words.next()?, &mut parts.salt).ok()?;
        hex::decode_to_slice(lines.next()?, &mut parts.nonce).ok()?;
        (words.next().is_none() && lines.next().is_none()).then_some(parts)
    }
}

/// How the secret, and a configuration file with passwords, are backed up.
#[derive(Clone, Debug)]
pub enum SecretCopy {
    /// They are left out.
    Omit,
    /// They are copied as they are.
    Plain,
    /// They are encrypted.
    Encrypt(Passphrase),
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;

    fn passphrase(text: &str) -> Result<Passphrase, BackupError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("passphrase");
        std::fs::write(&path, text).unwrap();
        Passphrase::from_file(&path)
    }

    #[test]
    fn encrypted_file_is_decrypted_only_with_its_passphrase_and_unaltered() {
        let ours = passphrase("correct horse battery\nignored\n").unwrap();
        let theirs = passphrase("correct horse batterz").unwrap();
        let path = Path::new("secret");
        let encrypted = ours.encrypt(b"the secret").unwrap();
        assert!(!String::from_utf8_lossy(&encrypted).contains("the secret"));
        assert_ne!(encrypted, ours.encrypt(b"the secret").unwrap());
        assert_eq!(ours.decrypt(&encrypted, path).unwrap(), b"the secret");
        assert!(matches!(
            theirs.decrypt(&encrypted, path),
            Err(BackupError::WrongPassphrase(_))
        ));
        let text = String::from_utf8(encrypted).unwrap();
        for hostile in [
            text.replace("65536", "4294967295"),
            text.replace("65536 3", "65536 99"),
            text.replace("argon2id", "argon2i"),
            text.replace("file 1", "file 2"),
            text.trim_end().to_owned(),
            String::new(),
        ] {
            assert!(
                matches!(
                    ours.decrypt(hostile.as_bytes(), path),
                    Err(BackupError::Damaged { .. })
                ),
                "{hostile}"
            );
        }
        let cheaper = text.replace("65536 3 4", "1024 3 4");
        assert!(ours.decrypt(cheaper.as_bytes(), path).is_err());
    }

    #[test]
    fn passphrase_is_the_same_with_the_line_ends_and_the_mark_of_windows() {
        let encrypted = passphrase("correct horse battery")
            .unwrap()
            .encrypt(b"the secret")
            .unwrap();
        for text in [
            "correct horse battery\n",
            "correct horse battery\r\n",
            "correct horse battery\r",
            "\u{feff}correct horse battery\r\nignored\r\n",
        ] {
            let passphrase = passphrase(text).unwrap();
            let decrypted = passphrase.decrypt(&encrypted, Path::new("secret"));
            assert_eq!(decrypted.unwrap(), b"the secret", "{text:?}");
        }
    }

    #[test]
    fn blank_passphrase_is_refused() {
        for text in [
            " ".repeat(20),
            "\t".repeat(20),
            format!("\u{feff}{}\r\n", " ".repeat(20)),
            format!("{}\nsecond line is long", "\u{a0}".repeat(20)),
        ] {
            let error = passphrase(&text).unwrap_err().to_string();
            assert!(error.ends_with("its first line is blank"), "{error}");
        }
        assert!(passphrase(&"x".repeat(1 << 20)).is_err());
    }

    #[test]
    fn short_or_missing_passphrase_is_refused_and_none_is_shown() {
        for text in ["", "\n", "short", "elevenchars", "\nsecond line is long"] {
            assert!(passphrase(text).is_err(), "{text:?}");
        }
        assert!(Passphrase::from_file(Path::new("/nowhere/passphrase")).is_err());
        assert!(Passphrase::from_file(Path::new("/dev/zero")).is_err());
        let shown = format!("{:?}", passphrase("correct horse battery").unwrap());
        assert!(!shown.contains("horse"));
    }
}
