//! The manifest of a backup: `manifest.json`, and its SHA-256 and those of the files that it lists in
//! `manifest.json.sha256`.

use super::error::{BackupError, damaged};
use super::files::{self, Fingerprint};
use indexmap::IndexMap;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::error::Category;
use std::path::Path;

/// The name of the manifest.
pub const MANIFEST: &str = "manifest.json";
/// The name of the file with the digests of the manifest and of the files that it lists, in the format
/// of `sha256sum`.
const DIGEST: &str = "manifest.json.sha256";
/// Maximum size of the manifest in bytes; 200,000 missing files fit in it.
const MAX_SIZE: u64 = 16 << 20;
/// Maximum size of the file of digests in bytes.
const MAX_DIGESTS: u64 = 4096;
/// Maximum number of characters of JSON that begin a value. A value takes up to 100 bytes of memory.
const MAX_VALUES: usize = 500_000;
/// Maximum length in bytes of the texts that are printed.
const MAX_TEXT: usize = 1000;
/// The format that this program writes.
const FORMAT: u64 = 1;

/// The database, in SQLite.
pub const DATABASE: &str = "quarry.sqlite3";
/// The database, as written by `pg_dump`.
pub const DUMP: &str = "database.dump";
/// The secret.
pub const SECRET: &str = "secret";
/// The secret, encrypted with a passphrase.
pub const ENCRYPTED_SECRET: &str = "secret.encrypted";
/// The configuration.
pub const CONFIGURATION: &str = "quarry.toml";
/// The configuration, encrypted with a passphrase.
pub const ENCRYPTED_CONFIGURATION: &str = "quarry.toml.encrypted";
/// A configuration that is not in the data folder.
pub const OTHER_CONFIGURATION: &str = "configuration.toml";
/// A configuration that is not in the data folder, encrypted with a passphrase.
pub const ENCRYPTED_OTHER_CONFIGURATION: &str = "configuration.toml.encrypted";
/// The digests of the contents of attachments, in the format of `sha256sum`.
pub const CONTENTS: &str = "contents.sha256";
/// The name of the records in the list of what was left out.
pub const RECORDS: &str = "records";
/// All files that a backup may have.
const FILES: [&str; 9] = [
    DATABASE,
    DUMP,
    SECRET,
    ENCRYPTED_SECRET,
    CONFIGURATION,
    ENCRYPTED_CONFIGURATION,
    OTHER_CONFIGURATION,
    ENCRYPTED_OTHER_CONFIGURATION,
    CONTENTS,
];

/// A description of a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The time of the backup.
    pub created_on: Timestamp,
    /// The version of the program that made it.
    pub program: String,
    /// The version of the schema.
    pub schema: i64,
    /// The id of the store.
    pub store_id: String,
    /// A digest of the secret, to recognize a wrong one; `None` if there was no secret.
    pub secret_fingerprint: Option<String>,
    /// What was left out, and why.
    pub left_out: IndexMap<String, String>,
    /// The files of this backup, with their names.
    pub files: IndexMap<String, Fingerprint>,
    /// The contents of attachments.
    pub contents: ContentsSummary,
    /// The number of rows of each table; empty if the records were left out.
    pub tables: IndexMap<String, u64>,
}

/// The contents of attachments that a backup has or lacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContentsSummary {
    /// Number of contents.
    pub count: u64,
    /// Their size in bytes.
    pub size: u64,
    /// The SHA-256 of contents that the store lacked.
    pub missing: Vec<String>,
    /// The SHA-256 of contents that were damaged in the store.
    pub damaged: Vec<String>,
}

/// What is written.
#[derive(Serialize)]
struct Document<'m> {
    format: u64,
    #[serde(flatten)]
    manifest: &'m Manifest,
}

/// The format of a manifest.
#[derive(Deserialize)]
struct Format {
    #[serde(default)]
    format: u64,
}

impl Manifest {
    /// Returns the file with this name.
    pub fn file(&self, name: &str) -> Option<&Fingerprint> {
        self.files.get(name)
    }

    /// Whether the schema is that of this program.
    pub fn has_current_schema(&self) -> bool {
        self.schema == crate::migrations::supported_version()
    }

    /// Returns the size of the backup in bytes, with the contents that it shares with others.
    pub fn size(&self) -> u64 {
        let sizes = self.files.values().map(|file| file.size);
        sizes.fold(self.contents.size, u64::saturating_add)
    }

    /// Returns the number of rows of all tables.
    pub fn rows(&self) -> u64 {
        self.tables.values().copied().fold(0, u64::saturating_add)
    }

    /// Returns the number of contents that the store lacked or that were damaged there.
    pub fn problems(&self) -> u64 {
        (self.contents.missing.len() + self.contents.damaged.len()) as u64
    }

    /// Writes the manifest and its digest into the folder of a backup, and syncs them.
    pub fn write(&self, folder: &Path) -> Result<(), BackupError> {
        let document = Document {
            format: FORMAT,
            manifest: self,
        };
        let mut text = serde_json::to_string_pretty(&document).map_err(|error| {
            BackupError::Verification(format!("the manifest cannot be written: {error}"))
        })?;
        text.push('\n');
        if text.len() as u64 > MAX_SIZE {
            return Err(BackupError::Verification(format!(
                "{} files of attachments are missing or damaged in the store, too many for the manifest: `quarry doctor` names them",
                self.problems()
            )));
        }
        let written = files::write_private(&folder.join(MANIFEST), text.as_bytes())?;
        let digests = self.digests(&written.sha256);
        files::write_private(&folder.join(DIGEST), digests.as_bytes())?;
        files::sync(folder)
    }

    /// Loads the manifest of a backup. Fails if it does not match its digest.
    pub fn load(folder: &Path) -> Result<Manifest, BackupError> {
        let path = folder.join(MANIFEST);
        let bytes = files::read(&path, MAX_SIZE)?;
        let digest_path = folder.join(DIGEST);
        let digests = files::read(&digest_path, MAX_DIGESTS)?;
        let sha256 = files::fingerprint_of(&bytes).sha256;
        let wrong_digest = || damaged(&path, format!("its digest is not that in {DIGEST}"));
        let own = digest_line(&sha256, MANIFEST);
        if !digests.starts_with(own.as_bytes()) {
            return Err(wrong_digest());
        }
        if bytes.iter().filter(|byte| b",:[{".contains(byte)).count() > MAX_VALUES {
            return Err(damaged(&path, "it has too many values"));
        }
        let invalid_value = || damaged(&path, "a value is missing or invalid");
        let invalid = |error: serde_json::Error| match error.classify() {
            // The message has the value, which may be long.
            Category::Data => invalid_value(),
            _ => damaged(&path, error.to_string()),
        };
        let format: Format = serde_json::from_slice(&bytes).map_err(invalid)?;
        if format.format > FORMAT {
            return Err(BackupError::NewerFormat(folder.display().to_string()));
        }
        let manifest: Manifest = serde_json::from_slice(&bytes).map_err(invalid)?;
        if !manifest.is_valid() {
            return Err(invalid_value());
        }
        // Earlier versions wrote the first line alone.
        if digests != own.as_bytes() && digests != manifest.digests(&sha256).as_bytes() {
            return Err(wrong_digest());
        }
        match manifest.missing_part() {
            Some(part) => Err(damaged(&path, format!("it names no {part}"))),
            None => Ok(manifest),
        }
    }

    /// Returns the digest of the manifest and those of the files of the backup, as `sha256sum` prints them.
    fn digests(&self, sha256: &str) -> String {
        let files = self.files.iter();
        let lines = files.map(|(name, file)| digest_line(&file.sha256, name));
        digest_line(sha256, MANIFEST) + &lines.collect::<String>()
    }

    /// Returns what every backup has, and this one has not.
    fn missing_part(&self) -> Option<&'static str> {
        let has_records = [DATABASE, DUMP]
            .iter()
            .any(|name| self.file(name).is_some());
        let are_left_out = self.left_out.contains_key(RECORDS);
        if self.file(CONTENTS).is_none() {
            Some("list of files")
        } else if !has_records && !are_left_out {
            Some("records")
        } else {
            None
        }
    }

    /// Whether the values can be printed, and lead to no other file.
    fn is_valid(&self) -> bool {
        let names = self.tables.keys().chain(self.left_out.keys());
        let texts = names
            .chain(self.left_out.values())
            .chain([&self.program, &self.store_id])
            .chain(&self.secret_fingerprint);
        // Control characters could change what a terminal shows.
        let mut texts =
            texts.map(|text| text.len() <= MAX_TEXT && !text.contains(char::is_control));
        let digests = self.files.values().map(|file| &file.sha256);
        let mut digests = digests
            .chain(&self.contents.missing)
            .chain(&self.contents.damaged);
        let sizes = self.files.values().map(|file| file.size);
        texts.all(|is_printable| is_printable)
            && digests.all(|sha256| is_digest(sha256))
            // A path could point outside of the folder.
            && self.files.keys().all(|name| FILES.contains(&name.as_str()))
            && checked_sum(sizes.chain([self.contents.size])).is_some()
            && checked_sum(self.tables.values().copied()).is_some()
    }
}

fn digest_line(sha256: &str, name: &str) -> String {
    format!("{sha256}  {name}\n")
}

fn checked_sum(mut values: impl Iterator<Item = u64>) -> Option<u64> {
    values.try_fold(0, u64::checked_add)
}

/// Whether this is a SHA-256 as backups write it.
pub fn is_digest(text: &str) -> bool {
    text.len() == 64
        && text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;
    use serde_json::json;

    fn manifest() -> Manifest {
        let fingerprint = Fingerprint {
            sha256: "ab".repeat(32),
            size: 7,
        };
        Manifest {
            created_on: "2026-11-27T03:00:00.5Z".parse().unwrap(),
            program: "0.1.0".to_owned(),
            schema: 15,
            store_id: "0".repeat(32),
            secret_fingerprint: Some("1".repeat(64)),
            left_out: [("index".to_owned(), "it is rebuilt".to_owned())].into(),
            files: IndexMap::from([
                (CONTENTS.to_owned(), fingerprint.clone()),
                (DATABASE.to_owned(), fingerprint),
            ]),
            contents: ContentsSummary {
                count: 2,
                size: 9,
                missing: vec!["cd".repeat(32)],
                damaged: Vec::new(),
            },
            tables: [("issues".to_owned(), 3)].into(),
        }
    }

    #[test]
    fn manifest_is_loaded_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        manifest().write(folder.path()).unwrap();
        let loaded = Manifest::load(folder.path()).unwrap();
        assert_eq!(loaded, manifest());
        assert_eq!((loaded.size(), loaded.problems()), (23, 1));
        let text = std::fs::read_to_string(folder.path().join(MANIFEST)).unwrap();
        let digest = "ab".repeat(32);
        let expected = json!({
            "format": 1,
            "created_on": "2026-11-27T03:00:00.5Z",
            "program": "0.1.0",
            "schema": 15,
            "store_id": "0".repeat(32),
            "secret_fingerprint": "1".repeat(64),
            "left_out": {"index": "it is rebuilt"},
            "files": {
                "contents.sha256": {"size": 7, "sha256": digest},
                "quarry.sqlite3": {"size": 7, "sha256": digest},
            },
            "contents": {"count": 2, "size": 9, "missing": ["cd".repeat(32)], "damaged": []},
            "tables": {"issues": 3},
        });
        assert_eq!(text, format!("{expected:#}\n"));
    }

    #[test]
    fn hostile_manifests_are_refused() {
        let sha256 = "ab".repeat(32);
        for (from, to) in [
            ("\"quarry.sqlite3\"", "\"../../etc/passwd\""),
            ("\"quarry.sqlite3\"", "\"/etc/passwd\""),
            ("\"quarry.sqlite3\"", "\"manifest.json\""),
            (sha256.as_str(), "../../../../etc/passwd"),
            ("\"size\": 7", "\"size\": -7"),
            ("\"schema\": 15", "\"schema\": \"15\""),
            ("\"schema\": 15", "\"schema\": \"a hostile text\""),
            ("2026-11-27T03:00:00.5Z", "a hostile text"),
            ("\"count\": 2,", ""),
            ("\"contents.sha256\"", "\"secret\""),
            ("\"quarry.sqlite3\"", "\"secret\""),
            ("\"size\": 7", "\"size\": 18446744073709551615"),
            ("\"size\": 9", "\"size\": 18446744073709551615"),
            (
                "\"issues\": 3",
                "\"issues\": 18446744073709551615, \"more\": 1",
            ),
            ("\"issues\"", "\"\\u001b[2Jissues\""),
            ("\"0.1.0\"", "\"0.1.0\\n\""),
            ("\"it is rebuilt\"", "\"\\u0007\""),
            ("{", "["),
        ] {
            let folder = tempfile::tempdir().unwrap();
            manifest().write(folder.path()).unwrap();
            let path = folder.path().join(MANIFEST);
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(text.contains(from), "{from}");
            std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
            let digest = files::fingerprint(&path, &mut |_| true).unwrap().sha256;
            std::fs::write(folder.path().join(DIGEST), digest_line(&digest, MANIFEST)).unwrap();
            let refused = Manifest::load(folder.path());
            assert!(
                matches!(refused, Err(BackupError::Damaged { .. })),
                "{from} {refused:?}"
            );
            let message = refused.unwrap_err().to_string();
            assert!(!message.contains("a hostile text"), "{message}");
        }
    }

    #[test]
    fn manifest_that_would_take_much_memory_is_refused() {
        for text in [
            format!("[{}0]", "0,".repeat(MAX_VALUES)),
            " ".repeat(usize::try_from(MAX_SIZE).unwrap() + 1),
            "[".repeat(100_000),
        ] {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join(MANIFEST), &text).unwrap();
            let digest = files::fingerprint_of(text.as_bytes()).sha256;
            std::fs::write(folder.path().join(DIGEST), digest_line(&digest, MANIFEST)).unwrap();
            assert!(Manifest::load(folder.path()).is_err());
        }
    }

    #[test]
    fn newer_format_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(MANIFEST);
        std::fs::write(&path, "{\"format\": 2}").unwrap();
        let digest = files::fingerprint(&path, &mut |_| true).unwrap().sha256;
        std::fs::write(folder.path().join(DIGEST), digest_line(&digest, MANIFEST)).unwrap();
        let refused = Manifest::load(folder.path());
        assert!(matches!(refused, Err(BackupError::NewerFormat(_))));
    }
}
