//! The damages.

use super::folder::{Folder, make_old, now};
use quarry_world::ports::free_port;
use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};

/// A damage, and what the doctor says.
pub struct Damage {
    pub title: &'static str,
    /// The name of the only finding.
    pub finding: &'static str,
    /// Whether `--fix` mends it.
    pub is_fixed: bool,
    pub plant: fn(&Folder),
}

const fn left(title: &'static str, finding: &'static str, plant: fn(&Folder)) -> Damage {
    Damage {
        title,
        finding,
        is_fixed: false,
        plant,
    }
}

const fn fixed(title: &'static str, finding: &'static str, plant: fn(&Folder)) -> Damage {
    Damage {
        title,
        finding,
        is_fixed: true,
        plant,
    }
}

/// A user who is no member of anything.
const STRANGER: &str = "INSERT INTO users (id, type, login, lastname, status, created_on, updated_on) \
                        SELECT 9002, 'User', 'stranger', 'S', 3, 0, 0 WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = 9002);";

/// All damages.
pub const DAMAGES: &[Damage] = &[
    left("a page of the database", "store-damaged", |folder| {
        let root =
            folder.number("SELECT rootpage FROM sqlite_schema WHERE name = 'issues_by_created_on'");
        let size = folder.number("SELECT page_size FROM pragma_page_size");
        let mut file = fs::File::options()
            .write(true)
            .open(folder.path("quarry.sqlite3"))
            .unwrap();
        file.seek(SeekFrom::Start((root - 1) * size)).unwrap();
        file.write_all(&vec![0xAB; usize::try_from(size).unwrap()])
            .unwrap();
    }),
    left("records of a later version", "schema-newer", |folder| {
        folder.sql("PRAGMA user_version = 99")
    }),
    left("records of an earlier version", "schema-older", |folder| {
        folder.sql("PRAGMA user_version = 3")
    }),
    left("a missing table", "schema-incomplete", |folder| {
        folder.sql("DROP TABLE reminder_days")
    }),
    left("a missing column", "schema-incomplete", |folder| {
        folder.sql("ALTER TABLE roles DROP COLUMN settings_json")
    }),
    fixed(
        "a missing index of the database",
        "database-indexes-missing",
        |folder| folder.sql("DROP INDEX IF EXISTS issues_by_parent"),
    ),
    left(
        "a bookmark of a missing project",
        "foreign-keys",
        |folder| {
            folder.sql("INSERT INTO bookmarks (user_id, project_id) VALUES (1, 99999)");
        },
    ),
    left("bytes in a column of text", "wrong-types", |folder| {
        folder.sql("UPDATE issues SET subject = x'00ff' WHERE id = (SELECT MIN(id) FROM issues)");
    }),
    left("text in a column of integers", "wrong-types", |folder| {
        folder.sql("UPDATE issues SET done_ratio = 'much' WHERE id = (SELECT MIN(id) FROM issues)");
    }),
    left("text that is not UTF-8", "wrong-types", |folder| {
        folder.sql(
            "UPDATE users SET lastname = CAST(x'c328' AS TEXT) WHERE id = (SELECT MAX(id) FROM users)",
        );
    }),
    left("bytes in a setting", "wrong-types", |folder| {
        folder.sql("INSERT INTO settings (name, value) VALUES ('host_name', x'ff')");
    }),
    fixed("a watcher of a missing issue", "orphans", |folder| {
        folder.sql("INSERT INTO watchers (watchable_type, watchable_id, user_id) VALUES ('Issue', 999999, 1)");
    }),
    fixed("a reaction to a missing note", "orphans", |folder| {
        folder.sql("INSERT INTO reactions (reactable_type, reactable_id, user_id, created_on) VALUES ('Journal', 999999, 1, 0)");
    }),
    fixed("a custom value of a missing issue", "orphans", |folder| {
        folder.sql("INSERT INTO custom_fields (id, type, name, field_format) SELECT 9001, 'IssueCustomField', 'Platform', 'string' \
                    WHERE NOT EXISTS (SELECT 1 FROM custom_fields WHERE id = 9001); \
                    INSERT INTO custom_values (customized_type, customized_id, custom_field_id, value) VALUES ('Issue', 999999, 9001, 'x')");
    }),
    left(
        "an attachment of a missing issue",
        "orphaned-attachments",
        |folder| {
            folder.sql("INSERT INTO attachments (container_type, container_id, filename, author_id, created_on) VALUES ('Version', 999999, 'lost.txt', 1, 0)");
        },
    ),
    fixed(
        "a value of a custom field that is gone",
        "custom-values-without-field",
        |folder| {
            folder.sql("INSERT INTO custom_values (customized_type, customized_id, custom_field_id, value) VALUES ('Principal', 1, 99999, 'x')");
        },
    ),
    fixed("a missing counter", "counters", |folder| {
        folder.sql("DELETE FROM counters WHERE name = 'catalogue'")
    }),
    fixed("a sequence behind", "sequences", |folder| {
        folder.sql("UPDATE sqlite_sequence SET seq = 1 WHERE name = 'issues'")
    }),
    fixed("a sequence that is text", "sequences", |folder| {
        folder.sql("UPDATE sqlite_sequence SET seq = 'x' WHERE name = 'issues'")
    }),
    fixed("a missing built-in role", "builtin-roles", |folder| {
        folder.sql(
            "DELETE FROM role_permissions WHERE role_id = (SELECT id FROM roles WHERE builtin = 2); \
             DELETE FROM roles WHERE builtin = 2",
        );
    }),
    left("a date that does not exist", "invalid-values", |folder| {
        folder.sql(
            "UPDATE issues SET due_date = '2026-02-31' WHERE id = (SELECT MIN(id) FROM issues)",
        );
    }),
    left("a project that is its own parent", "cycles", |folder| {
        folder.sql("UPDATE projects SET parent_id = id WHERE id = (SELECT MIN(id) FROM projects)");
    }),
    left(
        "two values that are each other's parent",
        "cycles",
        |folder| {
            folder.sql("UPDATE enumerations SET parent_id = (SELECT MAX(e.id) FROM enumerations e) WHERE id = (SELECT MIN(id) FROM enumerations); \
                    UPDATE enumerations SET parent_id = (SELECT MIN(e.id) FROM enumerations e) WHERE id = (SELECT MAX(id) FROM enumerations)");
        },
    ),
    fixed(
        "a missing membership of a member of a group",
        "memberships",
        |folder| {
            folder.sql(&format!("{STRANGER} \
            INSERT INTO users (id, type, lastname, status, created_on, updated_on) VALUES (9001, 'Group', 'G', 1, 0, 0); \
            INSERT INTO group_users (group_id, user_id) VALUES (9001, 9002); \
            INSERT INTO members (id, project_id, user_id, created_on) SELECT 9001, MIN(id), 9001, 0 FROM projects; \
            INSERT INTO member_roles (member_id, role_id, position) SELECT 9001, MIN(id), 9001 FROM roles WHERE builtin = 0"));
        },
    ),
    fixed("a membership without a role", "memberships", |folder| {
        folder.sql(&format!("{STRANGER} \
            INSERT INTO members (project_id, user_id, created_on) SELECT MAX(id), 9002, 0 FROM projects"));
    }),
    fixed("an invalid setting", "settings", |folder| {
        folder.sql("INSERT INTO settings (name, value) VALUES ('twofa', '7')")
    }),
    left("no administrator", "no-administrator", |folder| {
        folder.sql("UPDATE users SET admin = 0")
    }),
    left("times of the future", "future-times", |folder| {
        folder.sql("INSERT INTO audit_events (created_on, address, record, record_id, change) VALUES (4102444800000000, '', 'user', 1, 'updated')");
    }),
    left("an interrupted import", "import-incomplete", |folder| {
        folder.sql("INSERT OR REPLACE INTO counters (name, value) VALUES ('incomplete_import', 1)")
    }),
    left("a missing file", "files-missing", |folder| {
        fs::remove_file(folder.blob()).unwrap()
    }),
    left("a changed file", "files-changed", |folder| {
        fs::write(folder.blob(), "the content of an uploaD").unwrap()
    }),
    left("a link in place of a file", "files-unreadable", |folder| {
        let target = folder.path("elsewhere");
        fs::rename(folder.blob(), &target).unwrap();
        std::os::unix::fs::symlink(target, folder.blob()).unwrap();
    }),
    left(
        "a folder in place of a file",
        "files-unreadable",
        |folder| {
            fs::remove_file(folder.blob()).unwrap();
            fs::create_dir(folder.blob()).unwrap();
        },
    ),
    left(
        "a file in place of the folder of a file",
        "files-unreadable",
        |folder| {
            let blob = folder.blob();
            let parent = blob.parent().unwrap();
            fs::remove_dir_all(parent).unwrap();
            fs::write(parent, "x").unwrap();
        },
    ),
    fixed("an unknown file", "files-unknown", |folder| {
        let path = folder.path(&format!("files/aa/{}", "a".repeat(64)));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "whose?").unwrap();
        make_old(&path);
    }),
    fixed("permissions of others", "permissions", |folder| {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(folder.path("secret"), fs::Permissions::from_mode(0o644)).unwrap();
        fs::set_permissions(folder.root(), fs::Permissions::from_mode(0o755)).unwrap();
    }),
    left("another secret", "secret-mismatch", |folder| {
        let path = folder.path("secret");
        let text = fs::read_to_string(&path).unwrap();
        let other: String = text
            .chars()
            .map(|digit| match digit {
                '\n' => '\n',
                '0' => '1',
                _ => '0',
            })
            .collect();
        assert_ne!(text, other);
        fs::write(&path, other).unwrap();
    }),
    left("no secret", "secret-missing", |folder| {
        fs::remove_file(folder.path("secret")).unwrap()
    }),
    fixed("a truncated file of the index", "index-damaged", |folder| {
        let largest = files_below(&folder.path("index"))
            .into_iter()
            .max_by_key(|path| fs::metadata(path).unwrap().len());
        let path = largest.unwrap();
        let length = fs::metadata(&path).unwrap().len();
        fs::File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_len(length / 2)
            .unwrap();
    }),
    fixed(
        "altered bytes in positions of the index",
        "index-damaged",
        |folder| alter_positions(&folder.path("index")),
    ),
    fixed("a broken commit of the index", "index-damaged", |folder| {
        for path in files_below(&folder.path("index")) {
            if path.ends_with("meta.json") {
                let text = fs::read_to_string(&path).unwrap();
                fs::write(&path, format!("{{{text}")).unwrap();
            }
        }
    }),
    fixed("a record that the index lacks", "index-differs", |folder| {
        folder.sql("INSERT INTO news (project_id, author_id, title, created_on) SELECT MIN(id), 1, 'unindexed', 0 FROM projects");
    }),
    fixed("no search index", "index-missing", |folder| {
        fs::remove_dir_all(folder.path("index")).unwrap()
    }),
    left(
        "links that begin with https without a proxy",
        "https-without-proxy",
        |folder| {
            folder.sql("INSERT INTO settings (name, value) VALUES ('host_name', 'quarry.example.org'), ('protocol', 'https')");
        },
    ),
    left(
        "links that begin with http behind a proxy",
        "http-behind-proxy",
        |folder| {
            folder.configure("trusted_proxies = \"10.0.0.1\"");
            folder.sql(
                "INSERT INTO settings (name, value) VALUES ('host_name', 'quarry.example.org')",
            );
        },
    ),
    left(
        "a host name of this machine behind a proxy",
        "host-name-loopback",
        |folder| {
            folder.configure("trusted_proxies = \"10.0.0.1\"");
            folder.sql("INSERT INTO settings (name, value) VALUES ('host_name', 'localhost:3000')");
        },
    ),
    fixed(
        "a host name that is a URL with spaces",
        "settings",
        |folder| {
            folder
                .sql("INSERT INTO settings (name, value) VALUES ('host_name', 'https://foo bar')");
        },
    ),
    left(
        "links that begin with http with an own certificate",
        "http-with-tls",
        |folder| {
            own_certificate(folder, true);
            folder.sql(
                "INSERT INTO settings (name, value) VALUES ('host_name', 'quarry.example.org')",
            );
        },
    ),
    left(
        "a certificate with the key of another",
        "certificate-key",
        |folder| own_certificate(folder, false),
    ),
    left("a missing key", "certificate-key", |folder| {
        own_certificate(folder, true);
        fs::remove_file(folder.path("key.pem")).unwrap();
    }),
    left(
        "a missing token for the metrics",
        "metrics-token",
        |folder| {
            folder.configure("metrics_token_file = \"no-token\"");
        },
    ),
    left(
        "a missing passphrase of backups",
        "backup-passphrase",
        |folder| {
            folder.configure("backup = \"../backups\"\nbackup_passphrase_file = \"none\"");
        },
    ),
    left("backups below a file", "backup-folder", |folder| {
        folder.configure("backup = \"secret/backups\"");
    }),
    left("a path only in the host name", "base-path", |folder| {
        folder.sql("INSERT INTO settings (name, value) VALUES ('host_name', 'example.org/quarry')");
    }),
    left("everybody is a proxy", "trusted-proxies", |folder| {
        folder.configure("trusted_proxies = \"0.0.0.0/0\"")
    }),
    left("mail without a host name", "host-name", |folder| {
        folder.configure("mail = \"sendmail:/bin/true\"\nmail_from = \"quarry@example.org\"");
    }),
    left(
        "a mail server that cannot be reached",
        "mail-unreachable",
        |folder| {
            let port = free_port();
            folder.configure(&format!(
                "mail = \"smtp://127.0.0.1:{port}\"\nmail_from = \"quarry@example.org\""
            ));
            folder.sql(
                "INSERT INTO settings (name, value) VALUES ('host_name', 'quarry.example.org')",
            );
        },
    ),
    left("a missing mail program", "mail-program", |folder| {
        folder
            .configure("mail = \"sendmail:/nowhere/sendmail\"\nmail_from = \"quarry@example.org\"");
        folder.sql("INSERT INTO settings (name, value) VALUES ('host_name', 'quarry.example.org')");
    }),
    left(
        "confirmations without mail",
        "registration-without-mail",
        |folder| {
            folder.sql("INSERT INTO settings (name, value) VALUES ('self_registration', '1')");
        },
    ),
    left(
        "mails without a key",
        "mail-handler-without-key",
        |folder| {
            folder
                .sql("INSERT INTO settings (name, value) VALUES ('mail_handler_api_enabled', '1')");
        },
    ),
    left("an expired certificate", "certificate-expired", |folder| {
        certificate(folder, (2020, 12, 31))
    }),
    left(
        "a certificate that ends soon",
        "certificate-ends",
        |folder| {
            let end = i64::try_from(now().as_secs()).unwrap() + 10 * 24 * 3600;
            let end = jiff::Timestamp::from_second(end).unwrap();
            let end = end.to_zoned(jiff::tz::TimeZone::UTC).date();
            certificate(folder, (i32::from(end.year()), end.month(), end.day()));
        },
    ),
    left(
        "a file without a certificate",
        "certificate-unusable",
        |folder| {
            certificate(folder, (2090, 12, 31));
            fs::write(folder.path("ca.pem"), "not a certificate").unwrap();
        },
    ),
];

/// Configures a mailbox that can be reached, with a certificate that ends on this day.
fn certificate(folder: &Folder, (year, month, day): (i32, i8, i8)) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    // Connections stay in the queue of the system; the test process holds it to its end.
    std::mem::forget(listener);
    let mut parameters = rcgen::CertificateParams::new(vec!["ca.example.org".to_owned()]).unwrap();
    parameters.not_before = rcgen::date_time_ymd(2019, 1, 1);
    parameters.not_after = rcgen::date_time_ymd(year, month.unsigned_abs(), day.unsigned_abs());
    let key = rcgen::KeyPair::generate().unwrap();
    let certificate = parameters.self_signed(&key).unwrap();
    fs::write(folder.path("ca.pem"), certificate.pem()).unwrap();
    fs::write(folder.path("password"), "secret\n").unwrap();
    folder.configure(&format!(
        "mail_imap = \"imaps://robot@127.0.0.1:{port}\"\nmail_imap_ca_file = \"ca.pem\"\nmail_imap_password_file = \"password\""
    ));
}

/// Configures a certificate of the service, with its own key or with another one.
fn own_certificate(folder: &Folder, has_own_key: bool) {
    let mut parameters =
        rcgen::CertificateParams::new(vec!["quarry.example.org".to_owned()]).unwrap();
    parameters.not_after = rcgen::date_time_ymd(2090, 12, 31);
    let key = rcgen::KeyPair::generate().unwrap();
    let certificate = parameters.self_signed(&key).unwrap();
    let key = if has_own_key {
        key
    } else {
        rcgen::KeyPair::generate().unwrap()
    };
    fs::write(folder.path("certificate.pem"), certificate.pem()).unwrap();
    fs::write(folder.path("key.pem"), key.serialize_pem()).unwrap();
    folder.configure("tls_certificate = \"certificate.pem\"\ntls_key = \"key.pem\"");
}

/// Overwrites a few bytes in the middle of the largest file with positions of words.
pub fn alter_positions(index: &Path) {
    let files = files_below(index).into_iter();
    let files = files.filter(|path| path.extension().is_some_and(|kind| kind == "pos"));
    let largest = files.max_by_key(|path| fs::metadata(path).unwrap().len());
    let path = largest.unwrap();
    let length = fs::metadata(&path).unwrap().len();
    let mut file = fs::File::options().write(true).open(&path).unwrap();
    file.seek(SeekFrom::Start(length / 2)).unwrap();
    file.write_all(&[0xAB; 9]).unwrap();
}

/// Returns the files in a folder and the folders in it.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| {
            if path.is_dir() {
                files_below(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}
