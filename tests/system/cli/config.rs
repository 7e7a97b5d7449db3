//! `quarry config print`, and secrets in files and credentials.

use super::commands::rejected;
use quarry_world::process::{Service, message, quarry, run};
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

/// Starts a service on a new folder, with the password of `admin` from this variable, and logs in.
fn login(variable: &str, value: &Path, password: &str) -> u16 {
    let folder = tempfile::tempdir().unwrap();
    let mut command = quarry(&["serve", "--data"]);
    command
        .arg(folder.path())
        .env_remove("QUARRY_ADMIN_PASSWORD")
        .env(variable, value);
    let service = Service::start(&mut command);
    message(&run(
        folder.path(),
        &["setting", "set", "rest_api_enabled", "1"],
    ));
    use base64::Engine;
    let credentials = base64::engine::general_purpose::STANDARD.encode(format!("admin:{password}"));
    let header = format!("Authorization: Basic {credentials}");
    service.get("/users/current.json", &[&header]).0
}

#[test]
fn password_of_the_administrator_can_be_in_a_file_or_a_credential() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("quarry.admin_password");
    std::fs::write(&file, "from a file\n").unwrap();
    assert_eq!(
        login("QUARRY_ADMIN_PASSWORD_FILE", &file, "from a file"),
        200
    );
    assert_eq!(
        login("CREDENTIALS_DIRECTORY", folder.path(), "from a file"),
        200
    );
}

#[test]
fn unusable_file_of_a_secret_stops_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let file = folder.path().join("password");
    std::fs::write(&file, "\n").unwrap();
    let serve = |variable: &str, value: &Path| {
        let mut command = quarry(&["serve", "--listen", "127.0.0.1:0", "--log", "off", "--data"]);
        command
            .arg(&data)
            .env_remove("QUARRY_ADMIN_PASSWORD")
            .env(variable, value)
            .output()
            .unwrap()
    };
    let sentence = format!(
        "QUARRY_ADMIN_PASSWORD_FILE ({}) cannot be used: its first line is empty",
        file.display()
    );
    rejected(&serve("QUARRY_ADMIN_PASSWORD_FILE", &file), &sentence);
    std::fs::remove_file(&file).unwrap();
    let sentence = format!(
        "QUARRY_STORE_FILE ({}) cannot be used: No such file or directory (os error 2)",
        file.display()
    );
    rejected(&serve("QUARRY_STORE_FILE", &file), &sentence);
    std::fs::write(folder.path().join("quarry.admin_pass"), "x").unwrap();
    rejected(
        &serve("CREDENTIALS_DIRECTORY", folder.path()),
        "the credential quarry.admin_pass is not known, did you mean quarry.admin_password?",
    );
}

fn print(folder: &Path, arguments: &[&str]) -> Output {
    let secret = folder.join("password");
    std::fs::write(&secret, "pw-of-the-file\n").unwrap();
    let arguments = [&["config", "print"], arguments].concat();
    quarry(&arguments)
        .arg("--data")
        .arg(folder)
        .env(
            "QUARRY_STORE",
            "postgres://me:pw-of-the-store@db.example.net/q",
        )
        .env("QUARRY_MAIL_IMAP", "imaps://me:pw-of-imap@mail.example.net")
        .env("QUARRY_MAIL_PASSWORD_FILE", &secret)
        .output()
        .unwrap()
}

#[test]
fn configuration_is_printed_with_sources_and_without_passwords() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(
        folder.join("quarry.toml"),
        "mail = \"smtp://me:pw-of-mail@mail.example.net\"\nmail_from = \"q@example.net\"\n",
    )
    .unwrap();
    let more = ["--listen", "127.0.0.1:1", "--limit", "queue_length=9"];
    let printed = message(&print(folder, &more));
    assert!(!printed.contains("pw-of-"), "{printed}");
    let file = folder.join("quarry.toml");
    for line in [
        "store = \"postgres://me:***@db.example.net/q\"  # QUARRY_STORE".to_owned(),
        format!(
            "mail = \"smtp://me:***@mail.example.net\"  # `mail` in {}",
            file.display()
        ),
        "listen = \"127.0.0.1:1\"  # --listen".to_owned(),
        "queue_length = \"9\"  # --limit queue_length".to_owned(),
        "log = \"info\"  # default".to_owned(),
        "# files is not set".to_owned(),
    ] {
        assert!(
            printed.lines().any(|known| known == line),
            "{line}\n{printed}"
        );
    }
    assert_eq!(
        message(&print(folder, &[&more[..], &["--redact"]].concat())),
        printed
    );
    let shown = message(&print(folder, &["--show-passwords"]));
    for password in ["pw-of-the-store", "pw-of-mail", "pw-of-imap"] {
        assert!(shown.contains(password), "{shown}");
    }
    assert!(!shown.contains("pw-of-the-file"), "{shown}");
    let both = print(folder, &["--show-passwords", "--redact"]);
    assert_eq!(both.status.code(), Some(2));
}

#[test]
fn commands_work_without_the_credentials_of_the_service() {
    let folder = super::commands::folder();
    std::fs::write(
        folder.path().join("quarry.toml"),
        "mail = \"smtp://me@mail.example.net\"\nmail_from = \"q@example.net\"\n",
    )
    .unwrap();
    assert_eq!(
        message(&run(folder.path(), &["setting", "get", "twofa"])),
        "1"
    );
    let serve = run(folder.path(), &["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(serve.status.code(), Some(2));
    let error = String::from_utf8_lossy(&serve.stderr);
    assert!(error.contains("`mail_password_file`"), "{error}");
}

#[test]
fn file_of_the_configuration_can_be_a_pipe() {
    let mut command = quarry(&["config", "print", "--config", "/dev/stdin"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"listen = \"127.0.0.1:4444\"\n").unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("listen = \"127.0.0.1:4444\""), "{text}");
}

#[test]
fn base_path_that_is_an_address_of_the_service_is_refused() {
    let print = |path: &str| {
        let mut command = quarry(&["config", "print", "--base-path", path]);
        command.output().unwrap()
    };
    for path in ["/issues", "/projects/x", "/openapi.json", "/readyz"] {
        rejected(
            &print(path),
            &format!(
                "--base-path is {path:?}, but must be a path such as /quarry: letters, digits, -, _ and . between slashes, no slash at the end, and no address of the service such as /issues"
            ),
        );
    }
    for path in ["/quarry/issues", "/issues-of-us"] {
        assert!(print(path).status.success(), "{path}");
    }
}
