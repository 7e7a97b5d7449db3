//! The secret of the data folder. API keys are encrypted with it and looked up by a keyed digest,
//! so that the database alone does not reveal them.

use crate::StoreError;
use chacha20poly1305::aead::Aead;
use chacha20poly1305::{KeyInit, XChaCha20Poly1305};
use hmac::{Hmac, Mac};
use quarry_domain::clock::{Entropy, SystemEntropy};
use quarry_domain::content::reply_token::SIGNATURE_LENGTH;
use sha2::Sha256;
use std::path::{Path, PathBuf};

/// The name of the file with the secret in the data folder.
pub const FILE: &str = "secret";
/// Length of a nonce in bytes.
const NONCE: usize = 24;

/// The secret of a data folder.
pub struct Secrets {
    encryption_key: [u8; 32],
    digest_key: [u8; 32],
    reply_key: [u8; 32],
    unsubscribe_key: [u8; 32],
}

impl Secrets {
    /// Loads the secret from the file `secret`. Fails when it is missing, because the API keys
    /// cannot be decrypted without it.
    pub fn load(folder: &Path) -> Result<Secrets, StoreError> {
        Self::find(folder)?.ok_or_else(|| StoreError::NoSecret(path(folder).display().to_string()))
    }

    /// Like [`Secrets::load`], but creates a missing file; for a folder without records.
    pub fn load_or_create(folder: &Path) -> Result<Secrets, StoreError> {
        if let Some(secrets) = Self::find(folder)? {
            return Ok(secrets);
        }
        Self::create(folder)?;
        Self::load(folder)
    }

    /// Creates the file with a random secret, readable by its owner only. Fails when it exists.
    pub fn create(folder: &Path) -> Result<(), StoreError> {
        let mut root = [0u8; 32];
        SystemEntropy.fill(&mut root);
        let path = path(folder);
        write_private(&path, &hex::encode(root)).map_err(|error| invalid(&path, error))
    }

    /// Loads the secret; `None` when the file is missing.
    pub(crate) fn find(folder: &Path) -> Result<Option<Secrets>, StoreError> {
        let path = path(folder);
        match std::fs::read_to_string(&path) {
            Ok(text) => {
                let mut root = [0u8; 32];
                hex::decode_to_slice(text.trim(), &mut root)
                    .map_err(|error| invalid(&path, error))?;
                Ok(Some(Self::from_root(&root)))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(invalid(&path, error)),
        }
    }

    fn from_root(root: &[u8; 32]) -> Secrets {
        Secrets {
            encryption_key: digest(root, b"seal api keys"),
            digest_key: digest(root, b"look up api keys"),
            reply_key: digest(root, b"sign reply tokens of mails"),
            unsubscribe_key: digest(root, b"sign links that end mails"),
        }
    }

    /// Returns the digest that an API key is looked up by.
    pub fn digest(&self, key: &str) -> String {
        hex::encode(digest(&self.digest_key, key.as_bytes()))
    }

    /// Returns a digest for caches in memory, such as of verified passwords.
    pub fn fingerprint(&self, parts: &[&str]) -> [u8; 32] {
        let mut joined = Vec::new();
        for part in parts {
            joined.extend_from_slice(&part.len().to_le_bytes());
            joined.extend_from_slice(part.as_bytes());
        }
        digest(&self.digest_key, &joined)
    }

    /// Returns the digest by which the store recognizes the secret of its nodes.
    pub(crate) fn node_fingerprint(&self) -> String {
        hex::encode(self.fingerprint(&["secret of the nodes"]))
    }

    /// Returns the signature of a reply token, see
    /// [`ReplyToken::encode`](quarry_domain::content::reply_token::ReplyToken::encode).
    pub fn sign_reply(&self, bytes: &[u8]) -> [u8; SIGNATURE_LENGTH] {
        let mut signature = [0; SIGNATURE_LENGTH];
        signature.copy_from_slice(&digest(&self.reply_key, bytes)[..SIGNATURE_LENGTH]);
        signature
    }

    /// Whether this is the signature of a reply token. Compares in constant time.
    pub fn verify_reply(&self, bytes: &[u8], signature: &[u8]) -> bool {
        use hmac::digest::KeyInit as _;
        let Ok(mut mac) = <Hmac<Sha256>>::new_from_slice(&self.reply_key) else {
            unreachable!("HMAC takes keys of any length")
        };
        mac.update(bytes);
        signature.len() == SIGNATURE_LENGTH && mac.verify_truncated_left(signature).is_ok()
    }

    /// Returns the signature of a link that ends the mails about a thread.
    pub fn sign_unsubscribe(&self, link: &str) -> String {
        hex::encode(&digest(&self.unsubscribe_key, link.as_bytes())[..SIGNATURE_LENGTH])
    }

    /// Whether this is the signature of such a link. Compares in constant time.
    pub fn verify_unsubscribe(&self, link: &str, signature: &str) -> bool {
        use hmac::digest::KeyInit as _;
        let Ok(mut mac) = <Hmac<Sha256>>::new_from_slice(&self.unsubscribe_key) else {
            unreachable!("HMAC takes keys of any length")
        };
        mac.update(link.as_bytes());
        hex::decode(signature).is_ok_and(|signature| {
            signature.len() == SIGNATURE_LENGTH && mac.verify_truncated_left(&signature).is_ok()
        })
    }

    /// Encrypts a key.
    pub fn seal(&self, key: &str, entropy: &dyn Entropy) -> Result<String, StoreError> {
        let mut nonce = [0u8; NONCE];
        entropy.fill(&mut nonce);
        let sealed = XChaCha20Poly1305::new(&self.encryption_key.into())
            .encrypt(&nonce.into(), key.as_bytes());
        let sealed =
            sealed.map_err(|_| StoreError::Secret("a key cannot be encrypted".to_owned()))?;
        Ok(hex::encode(nonce) + &hex::encode(sealed))
    }

    /// Decrypts a key; `None` when it was encrypted with another secret.
    pub fn unseal(&self, sealed: &str) -> Option<String> {
        let bytes = hex::decode(sealed).ok()?;
        let (nonce, sealed) = bytes.split_at_checked(NONCE)?;
        let nonce: [u8; NONCE] = nonce.try_into().ok()?;
        let key = XChaCha20Poly1305::new(&self.encryption_key.into())
            .decrypt(&nonce.into(), sealed)
            .ok()?;
        String::from_utf8(key).ok()
    }
}

fn invalid(path: &Path, problem: impl std::fmt::Display) -> StoreError {
    StoreError::Secret(format!("{}: {problem}", path.display()))
}

/// Returns the file with the secret of a folder.
pub(crate) fn path(folder: &Path) -> PathBuf {
    folder.join(FILE)
}

fn digest(key: &[u8; 32], bytes: &[u8]) -> [u8; 32] {
    use hmac::digest::KeyInit as _;
    let Ok(mut mac) = <Hmac<Sha256>>::new_from_slice(key) else {
        unreachable!("HMAC takes keys of any length")
    };
    mac.update(bytes);
    mac.finalize().into_bytes().into()
}

pub(crate) fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    // The database is synced with its folder; after a power failure the secret must exist too.
    #[cfg(unix)]
    path.parent()
        .map_or(Ok(()), |folder| std::fs::File::open(folder)?.sync_all())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_is_decrypted_only_with_its_own_secret() {
        let ours = Secrets::from_root(&[1; 32]);
        let theirs = Secrets::from_root(&[2; 32]);
        let sealed = ours.seal("a key", &SystemEntropy).unwrap();
        assert_eq!(ours.unseal(&sealed).as_deref(), Some("a key"));
        assert_eq!(theirs.unseal(&sealed), None);
        assert_ne!(ours.digest("a key"), theirs.digest("a key"));
    }

    #[test]
    fn reply_signature_is_verified_only_with_its_own_secret() {
        let ours = Secrets::from_root(&[1; 32]);
        let signature = ours.sign_reply(b"payload");
        assert!(ours.verify_reply(b"payload", &signature));
        assert!(!ours.verify_reply(b"payloae", &signature));
        assert!(!ours.verify_reply(b"payload", &signature[..15]));
        assert!(!Secrets::from_root(&[2; 32]).verify_reply(b"payload", &signature));
    }

    #[test]
    fn secret_is_created_once_and_readable_by_its_owner_only() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(
            Secrets::load(folder.path()),
            Err(StoreError::NoSecret(_))
        ));
        let first = Secrets::load_or_create(folder.path()).unwrap().digest("x");
        assert_eq!(
            Secrets::load_or_create(folder.path()).unwrap().digest("x"),
            first
        );
        assert_eq!(Secrets::load(folder.path()).unwrap().digest("x"), first);
        assert!(
            Secrets::create(folder.path()).is_err(),
            "an existing secret is not replaced"
        );
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(folder.path().join("secret"))
                .unwrap()
                .permissions()
                .mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }
}
