//! Tests of the sources, their precedence and their errors.

use super::*;
use std::path::Path;

/// Returns an environment with these variables.
pub fn environment(variables: &[(&str, &str)]) -> Environment {
    Environment::from_variables(
        variables
            .iter()
            .map(|(name, value)| (name.into(), value.into())),
    )
    .unwrap()
}

/// Returns these flags.
pub fn flags(values: &[(Key, &str)]) -> Flags {
    Flags {
        config: None,
        values: values
            .iter()
            .map(|(key, value)| (*key, (*value).to_owned()))
            .collect(),
    }
}

/// Returns the message about an invalid configuration.
pub fn load_error(flags: &Flags, environment: &Environment) -> String {
    Config::load(flags, environment, "nowhere")
        .unwrap_err()
        .to_string()
}

#[test]
fn defaults_apply_without_sources() {
    let config = Config::load(&flags(&[]), &environment(&[]), "nowhere").unwrap();
    let expected = Config {
        data: "nowhere".into(),
        server: None,
        index: "nowhere/index".into(),
        listen: "127.0.0.1:3000".to_owned(),
        base_path: BasePath::default(),
        socket_mode: 0o660,
        tls: None,
        body_limit: 6 * 1024 * 1024,
        trusted_proxies: TrustedProxies::default(),
        mail: None,
        mail_imap: None,
        monitoring: Monitoring::default(),
        backup: None,
        backs_up_before_upgrade: true,
        file: None,
        log: "info".to_owned(),
        log_format: LogFormat::Text,
        limits: Limits::default(),
    };
    assert_eq!(config, expected);
}

#[test]
fn flags_precede_the_environment_and_that_precedes_the_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join(FILE),
        "listen = \"1.1.1.1:1\"\nbody_limit = 1\nlog = \"error\"\n",
    )
    .unwrap();
    let data = folder.path().display().to_string();
    let environment = environment(&[
        ("QUARRY_DATA", &data),
        ("QUARRY_LISTEN", "2.2.2.2:2"),
        ("QUARRY_BODY_LIMIT", "2"),
        ("PATH", "/"),
    ]);
    let config = Config::load(
        &flags(&[(Key::Listen, "3.3.3.3:3")]),
        &environment,
        "nowhere",
    )
    .unwrap();
    assert_eq!(config.listen, "3.3.3.3:3");
    assert_eq!(config.body_limit, 2);
    assert_eq!(config.log, "error");
    assert_eq!(config.data, folder.path());
}

#[test]
fn paths_in_a_file_are_relative_to_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    std::fs::write(&file, "data = \"records\"\nindex = \"/var/index\"\n").unwrap();
    let config = Config::load(
        &Flags {
            config: Some(file),
            values: Vec::new(),
        },
        &environment(&[]),
        "nowhere",
    )
    .unwrap();
    assert_eq!(config.data, folder.path().join("records"));
    assert_eq!(config.index, Path::new("/var/index"));
}

#[test]
fn unknown_key_is_reported_with_the_most_similar_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    std::fs::write(&file, "lisen = \"1.1.1.1:1\"\n").unwrap();
    let with_file = Flags {
        config: Some(file.clone()),
        values: Vec::new(),
    };
    assert_eq!(
        load_error(&with_file, &environment(&[])),
        format!(
            "`lisen` in {} is not known, did you mean `listen`?",
            file.display()
        )
    );
    let unknown = Environment::from_variables([("QUARRY_LISTNE".into(), "x".into())]).unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "the environment variable QUARRY_LISTNE is not known, did you mean QUARRY_LISTEN?"
    );
    let unknown =
        Environment::from_variables([("QUARRY_COLOUR".into(), String::new().into())]).unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "the environment variable QUARRY_COLOUR is not known"
    );
}

#[test]
fn invalid_value_is_reported_with_its_origin() {
    let wrong = flags(&[(Key::Listen, "3000")]);
    assert_eq!(
        load_error(&wrong, &environment(&[])),
        "--listen is \"3000\", but must be an address and a port, such as 127.0.0.1:3000, or unix: and the absolute path of a socket"
    );
    let set = environment(&[("QUARRY_LOG_FORMAT", "xml")]);
    assert_eq!(
        load_error(&flags(&[]), &set),
        "QUARRY_LOG_FORMAT is \"xml\", but must be text or json"
    );
}

#[test]
fn malformed_file_is_reported_with_the_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    std::fs::write(&file, "log = \"info\"\nlisten = \n").unwrap();
    let with_file = Flags {
        config: Some(file.clone()),
        values: Vec::new(),
    };
    let error = load_error(&with_file, &environment(&[]));
    assert!(
        error.starts_with(&format!(
            "the configuration file {} cannot be read: line 2: ",
            file.display()
        )),
        "{error}"
    );
}

#[test]
fn file_in_the_data_folder_cannot_set_the_data_folder() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(FILE), "data = \"elsewhere\"\n").unwrap();
    let data = folder.path().display().to_string();
    assert!(
        load_error(&flags(&[(Key::Data, &data)]), &environment(&[])).contains("cannot set `data`")
    );
}

#[test]
fn sizes_are_bytes_or_have_a_binary_unit() {
    assert_eq!(parse_bytes("6000000"), Some(6_000_000));
    assert_eq!(parse_bytes("512KiB"), Some(512 * 1024));
    assert_eq!(parse_bytes("6 MiB"), Some(6 * 1024 * 1024));
    for wrong in [
        "",
        "0",
        "-1",
        "6MB",
        "MiB",
        "99999999999999999999",
        "9999999999999GiB",
    ] {
        assert_eq!(parse_bytes(wrong), None, "{wrong}");
    }
}

#[test]
fn key_has_a_name_for_each_source() {
    assert_eq!(Key::BodyLimit.name(), "body_limit");
    assert_eq!(Key::BodyLimit.variable(), "QUARRY_BODY_LIMIT");
    assert_eq!(Key::BodyLimit.flag(), "--body-limit");
}

#[test]
fn limits_are_loaded_from_all_sources_and_invalid_ones_reported() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join(FILE),
        "max_connections = 50\nbody_memory = \"1MiB\"\nheader_timeout = 0\n",
    )
    .unwrap();
    let data = folder.path().display().to_string();
    let environment = environment(&[("QUARRY_DATA", &data), ("QUARRY_MAX_CONNECTIONS", "60")]);
    let limits = Config::load(
        &flags(&[(Key::Limit(Limit::QueueLength), "7")]),
        &environment,
        "nowhere",
    )
    .unwrap()
    .limits;
    assert_eq!(
        (
            limits.count(Limit::MaxConnections),
            limits.count(Limit::QueueLength)
        ),
        (60, 7)
    );
    assert_eq!(
        (
            limits.count(Limit::BodyMemory),
            limits.duration(Limit::HeaderTimeout)
        ),
        (1024 * 1024, None)
    );
    let wrong = load_error(
        &flags(&[(Key::Limit(Limit::HeaderTimeout), "soon")]),
        &environment,
    );
    assert_eq!(
        wrong,
        "--limit header_timeout is \"soon\", but must be a whole number of seconds, or 0 for no limit"
    );
}

#[test]
fn shared_folder_for_files_needs_a_database() {
    let files = (Key::Files, "/shared");
    let message = load_error(&flags(&[files]), &environment(&[]));
    assert!(message.contains("`files` needs `store`"), "{message}");
    let store = (Key::Store, "postgres://a@b/c");
    let config = Config::load(&flags(&[files, store]), &environment(&[]), "nowhere").unwrap();
    assert_eq!(config.server.unwrap().files, Some("/shared".into()));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(FILE);
    std::fs::write(&file, "store = \"postgres://a@b/c\"\nfiles = \"shared\"\n").unwrap();
    let from_file = Flags {
        config: Some(file),
        values: Vec::new(),
    };
    let config = Config::load(&from_file, &environment(&[]), "nowhere").unwrap();
    assert_eq!(
        config.server.unwrap().files,
        Some(folder.path().join("shared"))
    );
}

#[test]
fn mail_needs_a_sender_and_a_password_for_its_user() {
    let mail = (Key::Mail, "smtp://me@example.org");
    let from = (Key::MailFrom, "Quarry <quarry@example.org>");
    let none = environment(&[]);
    let message = load_error(&flags(&[(Key::Mail, "sendmail:")]), &none);
    assert!(message.contains("`mail` needs `mail_from`"), "{message}");
    let config = Config::load(&flags(&[mail, from]), &none, "nowhere").unwrap();
    let message = config.check_passwords().unwrap_err().to_string();
    assert!(message.contains("`mail_password_file`"), "{message}");
    let secret = environment(&[("QUARRY_MAIL", "smpt://me:secret@example.org")]);
    let message = load_error(&flags(&[from]), &secret);
    assert!(
        message.starts_with("QUARRY_MAIL must be smtp://") && !message.contains("secret"),
        "{message}"
    );
    let wrong = flags(&[mail, (Key::MailFrom, "quarry")]);
    let message = load_error(&wrong, &none);
    assert!(message.starts_with("--mail-from is \"quarry\", but must be a mail address"));
    let secret = environment(&[("QUARRY_MAIL", "smtp://me:secret@example.org")]);
    let config = Config::load(&flags(&[from]), &secret, "nowhere").unwrap();
    config.check_passwords().unwrap();
    assert!(!format!("{config:?}").contains("secret"));
    assert_eq!(config.mail.unwrap().from.domain(), "example.org");
    let off = flags(&[(Key::Mail, "off")]);
    assert_eq!(Config::load(&off, &secret, "nowhere").unwrap().mail, None);
}

#[test]
fn password_file_of_mail_is_relative_to_the_configuration_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(FILE);
    let text =
        "mail = \"smtp://me@example.org\"\nmail_from = \"a@b\"\nmail_password_file = \"p\"\n";
    std::fs::write(&file, text).unwrap();
    let from_file = Flags {
        config: Some(file),
        values: Vec::new(),
    };
    let config = Config::load(&from_file, &environment(&[]), "nowhere").unwrap();
    let Some(MailServer::Smtp(server)) = config.mail.map(|mail| mail.server) else {
        panic!("no server");
    };
    assert_eq!(server.password_file, Some(folder.path().join("p")));
}

#[test]
fn backups_are_configured_by_their_folder() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("quarry.toml");
    let load = |text: &str| {
        std::fs::write(&file, text).unwrap();
        let flags = Flags {
            config: Some(file.clone()),
            values: Vec::new(),
        };
        Config::load(&flags, &environment(&[]), "nowhere")
    };
    let backup = load("backup = \"b\"").unwrap().backup.unwrap();
    assert_eq!(backup.folder, folder.path().join("b"));
    assert_eq!(backup.secret, BackupSecret::Omit);
    assert!(load("backup = \"off\"").unwrap().backup.is_none());
    let text = "backup = \"/b\"\nbackup_passphrase_file = \"p\"\nbackup_before_upgrade = \"off\"";
    let config = load(text).unwrap();
    let secret = config.backup.unwrap().secret;
    assert_eq!(secret, BackupSecret::Encrypt(folder.path().join("p")));
    assert!(!config.backs_up_before_upgrade);
    for text in [
        "backup_at = \"3\"",
        "backup_keep = \"7\"",
        "backup_secret = \"yes\"",
        "backup_before_upgrade = \"1\"",
        "backup_secret = \"include\"\nbackup_passphrase_file = \"p\"",
    ] {
        assert!(load(text).is_err(), "{text}");
    }
}

#[test]
fn configuration_file_with_a_password_is_recognized() {
    for (text, has_password) in [
        ("listen = \"1.1.1.1:1\"", false),
        ("not toml", true),
        ("mail = \"me:p@h\"", true),
        ("store = \"host=h password=p\"", true),
        ("acme_directory = \"https://me:p@h/\"", true),
        ("mail = \"sendmail:/usr/sbin/sendmail\"", false),
        ("mail_password = \"p\"", true),
        ("store = \"postgres://u@h/d?pass%77ord=p\"", true),
        ("store = \"postgres://u@h:5432/d\"", false),
        ("store = \"postgres://u:p@h/d\"", true),
        ("store = \"postgres://u@h/d?password=p\"", true),
        (
            "mail = \"smtp://u:p@h\"\nmail_from = \"a@example.org\"",
            true,
        ),
    ] {
        assert_eq!(may_have_password(text.as_bytes()), has_password, "{text}");
    }
    assert!(may_have_password(b"\xff"));
}

#[test]
fn keys_about_tls_need_a_certificate_and_those_about_acme_its_domains() {
    let certificate = "a certificate: set `tls_certificate` and `tls_key`, or `acme_domains`";
    let domains = "`acme_domains`, the host names of the certificate";
    for (key, value, flag, need) in [
        (Key::HttpListen, "[::]:80", "--http-listen", certificate),
        (Key::Hsts, "0", "--hsts", certificate),
        (Key::AcmeEmail, "a@b.org", "--acme-email", domains),
        (Key::AcmeDirectory, "https://b", "--acme-directory", domains),
        (
            Key::AcmeChallenge,
            "tls-alpn-01",
            "--acme-challenge",
            domains,
        ),
        (Key::AcmeCaFile, "/ca.pem", "--acme-ca-file", domains),
    ] {
        let message = load_error(&flags(&[(key, value)]), &environment(&[]));
        assert_eq!(message, format!("{flag} needs {need}"));
        let with_acme = flags(&[(key, value), (Key::AcmeDomains, "example.org")]);
        Config::load(&with_acme, &environment(&[]), "nowhere").unwrap();
    }
    let off = [
        (Key::HttpListen, "off"),
        (Key::AcmeDomains, ""),
        (Key::AcmeEmail, "a@b.org"),
    ];
    for values in [&off[..2], &off, &[(Key::AcmeEmail, "")]] {
        Config::load(&flags(values), &environment(&[]), "nowhere").unwrap();
    }
}
