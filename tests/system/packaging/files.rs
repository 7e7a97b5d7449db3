//! The files of a release, made by `packaging/build` from the program under test.

use super::{is_installed, output, path};
use quarry_world::process::through_shell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn build(out: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(path("packaging/build"));
    command
        .args(["--fast", "--binary", env!("CARGO_BIN_EXE_quarry"), "--out"])
        .arg(out)
        .args(arguments)
        .env("SOURCE_DATE_EPOCH", "1795000000");
    command
}

/// Whether what `packaging/build` needs is installed. The tests run where the program was built, which may
/// have a newer glibc than a release may need.
fn can_build() -> bool {
    ["dpkg-deb", "objdump", "python3"]
        .into_iter()
        .zip(["dpkg", "binutils", "python3"])
        .all(|(program, package)| is_installed(program, package))
}

const ANY_GLIBC: [&str; 2] = ["--max-glibc", "9.9"];

fn package(folder: &Path) -> PathBuf {
    let files = std::fs::read_dir(folder).unwrap();
    files
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|extension| extension == "deb"))
        .unwrap()
}

fn lines(text: &str) -> BTreeSet<&str> {
    text.lines().collect()
}

#[test]
fn packages_are_complete_reproducible_and_can_be_installed() {
    if !can_build() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let first = folder.path().join("first");
    output(&mut build(&first, &ANY_GLIBC));
    has_checksums(&first);
    tar_file_has_everything(&first);
    package_has_everything(&package(&first));
    // Another umask, time and folder make the same files.
    let second = folder.path().join("second");
    let script = "umask 077; exec \"$0\" \"$@\"";
    output(&mut through_shell(script, &build(&second, &ANY_GLIBC)));
    let sums = |folder: &Path| std::fs::read_to_string(folder.join("SHA256SUMS")).unwrap();
    assert_eq!(sums(&second), sums(&first));
    package_follows_the_rules_of_debian(&package(&first));
    package_is_installed_upgraded_and_removed(&package(&first));
}

fn has_checksums(folder: &Path) {
    let checked = output(
        Command::new("sha256sum")
            .args(["--check", "SHA256SUMS"])
            .current_dir(folder),
    );
    assert_eq!(checked.lines().count(), 4, "{checked}");
    assert!(checked.lines().all(|line| line.ends_with(": OK")));
}

fn tar_file_has_everything(folder: &Path) {
    let name = format!("quarry-{VERSION}-x86_64-linux");
    let archive = folder.join(format!("{name}.tar.gz"));
    let listed = output(Command::new("tar").arg("-tvzf").arg(&archive));
    assert!(
        listed.lines().all(|line| line.contains(" 0/0 ")),
        "{listed}"
    );
    let names = output(Command::new("tar").arg("-tzf").arg(&archive));
    for file in [
        "quarry",
        "LICENSE",
        "licences.txt",
        "README.md",
        "quarry.service",
        "quarry.socket",
        "quarry.toml",
        "man/quarry.1",
        "man/quarry-user-add.1",
        "completions/bash",
        "docs/operations.md",
    ] {
        let file = format!("{name}/{file}");
        assert!(lines(&names).contains(file.as_str()), "{file}\n{names}");
    }
}

fn package_has_everything(package: &Path) {
    let field = |name: &str| {
        let value = output(Command::new("dpkg-deb").arg("-f").arg(package).arg(name));
        value.trim().to_owned()
    };
    assert_eq!(
        (field("Package"), field("Version")),
        ("quarry".to_owned(), VERSION.to_owned())
    );
    assert!(field("Depends").contains("libc6 (>= 2."));
    let listed = output(Command::new("dpkg-deb").arg("-c").arg(package));
    for row in listed.lines() {
        assert!(row.contains(" root/root "), "{row}");
        let expected = match row.split_whitespace().last().unwrap() {
            name if name.ends_with('/') => "drwxr-xr-x",
            "./usr/bin/quarry" => "-rwxr-xr-x",
            _ => "-rw-r--r--",
        };
        assert!(row.starts_with(expected), "{row}");
    }
    for file in [
        "./lib/systemd/system/quarry.service",
        "./lib/systemd/system/quarry.socket",
        "./usr/share/man/man1/quarry.1.gz",
        "./usr/share/bash-completion/completions/quarry",
        "./usr/share/zsh/vendor-completions/_quarry",
        "./usr/share/fish/vendor_completions.d/quarry.fish",
        "./usr/share/doc/quarry/copyright",
        "./usr/share/doc/quarry/changelog.gz",
        "./usr/share/doc/quarry/licences.txt.gz",
        "./usr/share/doc/quarry/operations.md.gz",
        "./usr/share/doc/quarry/examples/credentials.conf",
        "./usr/share/doc/quarry/examples/sendmail.conf",
    ] {
        assert!(
            listed.lines().any(|row| row.ends_with(&format!(" {file}"))),
            "{file}\n{listed}"
        );
    }
}

fn package_follows_the_rules_of_debian(package: &Path) {
    if !is_installed("lintian", "lintian") {
        return;
    }
    // As root, lintian warns that it should not be.
    output(
        Command::new("lintian")
            .args(["--allow-root", "--fail-on", "error,warning"])
            .arg(package),
    );
}

fn package_is_installed_upgraded_and_removed(package: &Path) {
    let report = output(Command::new(path("packaging/test-package")).arg(package));
    println!("{report}");
    let last = report.lines().last().unwrap_or_default();
    assert!(last == "all passed" || last.starts_with("NOT TESTED: "));
}

#[test]
fn program_for_a_newer_system_is_refused() {
    if !can_build() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    for (arguments, sentence) in [
        (["--max-glibc", "2.5"], "and may need 2.5 at most"),
        (["--binary", "/bin/true"], "has another one"),
    ] {
        let refused = build(&out, &arguments).output().unwrap();
        assert_eq!(refused.status.code(), Some(1));
        let error = String::from_utf8_lossy(&refused.stderr);
        assert!(error.contains(sentence), "{error}");
        assert!(!out.exists(), "nothing is written");
    }
    let unknown = build(&out, &["--colour"]).output().unwrap();
    assert_eq!(unknown.status.code(), Some(2));
}
