//! The units of systemd.

use super::{is_installed, output, path, read};
use std::process::Command;

/// Maximum exposure of the service, in tenths, as `systemd-analyze security` counts it.
const MAX_EXPOSURE: &str = "--threshold=20";

#[test]
fn service_has_few_rights() {
    if !is_installed("systemd-analyze", "systemd") {
        return;
    }
    let report = output(
        Command::new("systemd-analyze")
            .args(["security", "--offline=true", "--no-pager", MAX_EXPOSURE])
            .arg(path("packaging/quarry.service")),
    );
    println!("{}", report.lines().last().unwrap_or_default());
}

#[test]
fn units_are_valid() {
    if !is_installed("systemd-analyze", "systemd") {
        return;
    }
    // The program and the man page are not installed here.
    let folder = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_quarry");
    for (name, copy) in [
        ("packaging/quarry.service", "quarry.service"),
        ("packaging/quarry.socket", "quarry.socket"),
        (
            "packaging/examples/sendmail.conf",
            "quarry.service.d/sendmail.conf",
        ),
        (
            "packaging/examples/credentials.conf",
            "quarry.service.d/credentials.conf",
        ),
    ] {
        let text = read(name)
            .replace("/usr/bin/quarry", program)
            .replace("Documentation=man:quarry(1)\n", "");
        let copy = folder.path().join(copy);
        std::fs::create_dir_all(copy.parent().unwrap()).unwrap();
        std::fs::write(copy, text).unwrap();
    }
    let verified = Command::new("systemd-analyze")
        .args(["verify", "--man=no", "quarry.service", "quarry.socket"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let messages = String::from_utf8(verified.stderr).unwrap();
    let own: Vec<&str> = messages
        .lines()
        .filter(|line| line.contains("quarry"))
        .collect();
    assert!(own.is_empty(), "{messages}");
    assert!(verified.status.success(), "{messages}");
}

/// Returns the value of a key in a unit.
fn value<'t>(unit: &'t str, key: &str) -> &'t str {
    let prefix = format!("{key}=");
    let mut lines = unit.lines().filter_map(|line| line.strip_prefix(&prefix));
    lines.next().unwrap()
}

#[test]
fn units_and_default_configuration_agree() {
    let service = read("packaging/quarry.service");
    let socket = read("packaging/quarry.socket");
    let text = read("packaging/quarry.toml");
    // What is commented out is valid, and shows the defaults.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("quarry.toml");
    let uncommented: Vec<&str> = text
        .lines()
        .map(|line| match line.strip_prefix('#') {
            Some(rest) if !rest.starts_with(' ') => rest,
            _ => line,
        })
        .collect();
    std::fs::write(&file, uncommented.join("\n")).unwrap();
    let flags = quarry::config::Flags {
        config: Some(file),
        values: Vec::new(),
    };
    let config = quarry::config::Config::load(&flags, &Default::default(), "none").unwrap();
    assert_eq!(config.listen, value(&socket, "ListenStream"));
    assert_eq!(
        config.data.display().to_string(),
        format!("/var/lib/{}", value(&service, "StateDirectory"))
    );
    // The folder of the socket in operations 6.2.
    let socket_folder = format!("/run/{}", value(&service, "RuntimeDirectory"));
    assert!(read("docs/operations.md").contains(&format!("unix:{socket_folder}/quarry.sock")));
    assert_eq!(value(&service, "RuntimeDirectoryMode"), "0750");
    let start = value(&service, "ExecStart");
    assert_eq!(
        start,
        "/usr/bin/quarry serve --config /etc/quarry/quarry.toml"
    );
    std::fs::write(folder.path().join("as-it-is.toml"), text).unwrap();
    let flags = quarry::config::Flags {
        config: Some(folder.path().join("as-it-is.toml")),
        values: Vec::new(),
    };
    let config = quarry::config::Config::load(&flags, &Default::default(), "none").unwrap();
    assert_eq!(config.listen, value(&socket, "ListenStream"));
    assert!(config.server.is_none() && config.mail.is_none());
}

#[test]
fn scripts_have_no_findings() {
    if !is_installed("shellcheck", "shellcheck") {
        return;
    }
    output(
        Command::new("shellcheck")
            .args([
                "build",
                "test-package",
                "test-package-inside",
                "debian/postinst",
                "debian/prerm",
                "debian/postrm",
            ])
            .current_dir(path("packaging")),
    );
}

/// Returns the words of a document that follow this text, up to white space.
fn words_after<'t>(text: &'t str, prefix: &str) -> Vec<&'t str> {
    let parts = text.split(prefix).skip(1);
    parts
        .filter_map(|part| part.split(char::is_whitespace).next())
        .collect()
}

#[test]
fn documents_run_the_installed_program_as_users_that_exist() {
    let mut users_count = 0;
    for entry in std::fs::read_dir(path("docs")).unwrap() {
        let file = entry.unwrap().path();
        if file.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let name = file.display();
        for line in text.lines() {
            // A transport of a mail server, or a unit.
            for word in ["argv=", "command = ", "ExecStart="] {
                for program in words_after(line, word) {
                    assert_eq!(program, "/usr/bin/quarry", "{name}: {line}");
                }
            }
            for word in ["User=", "user=", "user = "] {
                for user in words_after(line, word) {
                    let is_created = text.lines().any(|command| {
                        command.starts_with("    useradd ")
                            && command.ends_with(&format!(" {user}"))
                    });
                    assert!(user == "quarry" || is_created, "{name}: {line}");
                    users_count += 1;
                }
            }
        }
    }
    assert!(users_count > 1);
}
