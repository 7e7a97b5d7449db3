//! Tests of secrets in files and credentials, and of what `quarry config print` shows.

use super::tests::{environment, flags, load_error};
use super::*;
use std::path::Path;

/// Returns an environment with these credentials.
fn credentials(folder: &Path, files: &[(&str, &str)]) -> Result<Environment, ConfigError> {
    for (name, content) in files {
        std::fs::write(folder.join(name), content).unwrap();
    }
    Environment::from_variables([("CREDENTIALS_DIRECTORY".into(), folder.into())])
}

#[test]
fn secret_comes_from_its_variable_its_file_or_its_credential() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "postgres://a:in-file@b/c\nignored\n").unwrap();
    let path = file.display().to_string();
    let store = |environment: &Environment| {
        let config = Config::load(&flags(&[]), environment, "nowhere").unwrap();
        config.server.unwrap().url
    };
    let from_file = environment(&[("QUARRY_STORE_FILE", &path), ("QUARRY_STORE", "")]);
    assert_eq!(store(&from_file), "postgres://a:in-file@b/c");
    let credential = [("quarry.store", "postgres://a:in-credential@b/c\n")];
    let from_credential = credentials(folder.path(), &credential).unwrap();
    assert_eq!(store(&from_credential), "postgres://a:in-credential@b/c");
    let variables = [
        (
            "CREDENTIALS_DIRECTORY".into(),
            folder.path().as_os_str().to_owned(),
        ),
        ("QUARRY_STORE_FILE".into(), path.into()),
    ];
    let precedes = Environment::from_variables(variables).unwrap();
    assert_eq!(store(&precedes), "postgres://a:in-file@b/c");
    let flag = flags(&[(Key::Store, "postgres://flag@b/c")]);
    let missing = environment(&[("QUARRY_STORE_FILE", "/nowhere")]);
    let config = Config::load(&flag, &missing, "nowhere").unwrap();
    assert_eq!(config.server.unwrap().url, "postgres://flag@b/c");
}

#[test]
fn secrets_that_are_not_keys_have_the_same_sources() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "in file\n").unwrap();
    let path = file.display().to_string();
    for name in ["QUARRY_ADMIN_PASSWORD", "QUARRY_IMPORT_PASSWORD"] {
        let file_name = format!("{name}_FILE");
        assert_eq!(environment(&[]).find_secret(name).unwrap(), None);
        for (variables, expected) in [
            (vec![(name, "in variable")], "in variable"),
            (vec![(file_name.as_str(), path.as_str())], "in file"),
        ] {
            let found = environment(&variables).find_secret(name).unwrap();
            assert_eq!(found.as_deref(), Some(expected));
        }
        let twice = environment(&[(name, "x"), (&file_name, &path)]);
        assert_eq!(
            twice.find_secret(name).unwrap_err().to_string(),
            format!("{name} and {name}_FILE are both set; set one of them")
        );
    }
    let passed = [("quarry.admin_password", "in credential")];
    let environment = credentials(folder.path(), &passed).unwrap();
    let found = environment.find_secret("QUARRY_ADMIN_PASSWORD").unwrap();
    assert_eq!(found.as_deref(), Some("in credential"));
}

#[test]
fn password_files_can_be_credentials() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("quarry.mail", "smtp://me@example.org"),
        ("quarry.mail_password", "one"),
        ("quarry.mail_imap", "imaps://me@example.org"),
        ("quarry.mail_imap_password", "two"),
        ("quarry.store", "postgres://a@b/c"),
        ("quarry.store_password", "three"),
        ("tls_key", "of something else"),
    ];
    let environment = credentials(folder.path(), &files).unwrap();
    let from = flags(&[(Key::MailFrom, "a@b")]);
    let config = Config::load(&from, &environment, "nowhere").unwrap();
    config.check_passwords().unwrap();
    let file = |name: &str| Some(folder.path().join(name));
    assert_eq!(
        config.server.unwrap().password_file,
        file("quarry.store_password")
    );
    assert_eq!(
        config.mail_imap.unwrap().password_file,
        file("quarry.mail_imap_password")
    );
    let Some(MailServer::Smtp(server)) = config.mail.map(|mail| mail.server) else {
        panic!("no server");
    };
    assert_eq!(server.password_file, file("quarry.mail_password"));
}

#[test]
fn unusable_secrets_are_reported_with_their_origin() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display().to_string();
    let none = flags(&[]);
    let directory = environment(&[("QUARRY_MAIL_FILE", &path)]);
    let message = load_error(&none, &directory);
    assert!(
        message.starts_with(&format!("QUARRY_MAIL_FILE ({path}) cannot be used: ")),
        "{message}"
    );
    let empty = credentials(folder.path(), &[("quarry.mail", "")]).unwrap();
    assert_eq!(
        load_error(&none, &empty),
        "the credential quarry.mail cannot be used: its first line is empty"
    );
    let wrong = credentials(folder.path(), &[("quarry.mail", "smpt://me:secret@b")]).unwrap();
    let message = load_error(&none, &wrong);
    assert!(
        message.starts_with("the credential quarry.mail must be smtp://")
            && !message.contains("secret"),
        "{message}"
    );
    let unknown = credentials(folder.path(), &[("quarry.admin_pasword", "x")]).unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "the credential quarry.admin_pasword is not known, did you mean quarry.admin_password?"
    );
    let elsewhere = Environment::from_variables([("CREDENTIALS_DIRECTORY".into(), "/none".into())]);
    assert!(
        elsewhere.is_ok(),
        "the folder of another service, which this user may not read"
    );
}

#[test]
fn effective_configuration_is_a_file_with_the_same_values() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    let text = "data = \"/srv/\\\"q\\\"\"\nbody_limit = 7\nmail = \"smtp://me:in-mail@b\"\nmail_from = \"a@b\"\n";
    std::fs::write(&file, text).unwrap();
    let variables = [
        (
            "QUARRY_STORE",
            "postgres://a:in-store@b/c?password=in-store",
        ),
        ("QUARRY_MAIL_IMAP", "imaps://me:in-imap@b"),
    ];
    let environment_with_urls = environment(&variables);
    let with_file = Flags {
        config: Some(file.clone()),
        values: vec![(Key::Limit(Limit::QueueLength), "7".to_owned())],
    };
    let print = |shows_passwords| {
        let values = ConfigValues::load(&with_file, &environment_with_urls, "nowhere").unwrap();
        EffectiveConfig::from_values(&values, shows_passwords)
            .unwrap()
            .to_string()
    };
    let redacted = print(false);
    assert!(!redacted.contains("in-"), "{redacted}");
    for line in [
        format!("# configuration file: {}", file.display()),
        format!("data = '/srv/\"q\"'  # `data` in {}", file.display()),
        "store = \"postgres://a:***@b/c?password=***\"  # QUARRY_STORE".to_owned(),
        "listen = \"127.0.0.1:3000\"  # default".to_owned(),
        "queue_length = \"7\"  # --limit queue_length".to_owned(),
        "# files is not set".to_owned(),
    ] {
        assert!(
            redacted.lines().any(|known| known == line),
            "{line}\n{redacted}"
        );
    }
    let printed = folder.path().join("printed.toml");
    std::fs::write(&printed, print(true)).unwrap();
    let from_printed = Flags {
        config: Some(printed),
        values: Vec::new(),
    };
    let original = Config::load(&with_file, &environment_with_urls, "nowhere").unwrap();
    let mut again = Config::load(&from_printed, &environment(&[]), "nowhere").unwrap();
    again.file.clone_from(&original.file);
    assert_eq!(again, original);
    assert_eq!(again.server.unwrap().url, original.server.unwrap().url);
}

#[test]
fn values_that_may_have_a_password_are_in_no_message() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    let from_file = Flags {
        config: Some(file.clone()),
        values: Vec::new(),
    };
    for line in [
        "store = [\"postgres://me:in-value@h/d\"]",
        "mail = { url = \"smtp://me:in-value@h\" }",
        "mail_imap = 1.5e300",
        "mail_imap = [\"in-value\"]",
        "mail_password_file = [\"in-value\"]",
        "metrics_token_file = { token = \"in-value\" }",
        "backup_passphrase_file = [\"in-value\"]",
        "acme_directory = [\"https://me:in-value@h\"]",
        "acme_directory = \"http://me:in-value@h\"",
        "acme_directory = \"https://me:in-value@h/directory\"",
        "acme_directory = \"me:in-value@h\"",
        "mail_password = 12345",
        "mail_password = \"in-value\"",
    ] {
        std::fs::write(&file, line).unwrap();
        let message = load_error(&from_file, &environment(&[]));
        let (key, _) = line.split_once(' ').unwrap();
        assert!(
            message.contains(&format!("`{key}`"))
                && !["in-value", "12345", "e300"]
                    .iter()
                    .any(|text| message.contains(text)),
            "{message}"
        );
    }
}
