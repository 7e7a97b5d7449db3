//! Completions of the command line, and man pages.

use quarry_world::process::{message, quarry};
use std::process::Command;

#[test]
fn bash_completes_commands_and_options() {
    let script = message(&quarry(&["completion", "bash"]).output().unwrap());
    let complete = |words: &[&str]| {
        let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
        let last = words.len() - 1;
        let test = format!(
            "{script}\nCOMP_WORDS=({}); COMP_CWORD={last}; _quarry quarry '{}' '{}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            quoted.join(" "),
            words[last],
            words[last - 1]
        );
        // Longer than an argument may be.
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("test.bash");
        std::fs::write(&file, test).unwrap();
        let output = Command::new("bash").arg(&file).output().unwrap();
        message(&output)
    };
    assert_eq!(complete(&["quarry", "health"]), "healthcheck");
    assert_eq!(complete(&["quarry", "user", "unl"]), "unlock");
    assert_eq!(complete(&["quarry", "healthcheck", "--time"]), "--timeout");
}

#[test]
fn other_shells_have_completions() {
    for shell in ["zsh", "fish"] {
        let script = message(&quarry(&["completion", shell]).output().unwrap());
        assert!(script.contains("healthcheck") && script.contains("quarry"));
    }
    let unknown = quarry(&["completion", "tcsh"]).output().unwrap();
    assert_eq!(unknown.status.code(), Some(2));
}

#[test]
fn each_command_has_a_man_page() {
    let page = message(&quarry(&["man"]).output().unwrap());
    assert!(page.contains(".TH quarry 1"), "{page}");
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man");
    message(&quarry(&["man", "--dir"]).arg(&pages).output().unwrap());
    for name in [
        "quarry",
        "quarry-serve",
        "quarry-user-add",
        "quarry-config-print",
    ] {
        let page = std::fs::read_to_string(pages.join(format!("{name}.1"))).unwrap();
        assert!(page.contains(".SH SYNOPSIS"), "{name}");
    }
    let unwritable = quarry(&["man", "--dir", "/proc/none"]).output().unwrap();
    assert_eq!(unwritable.status.code(), Some(1));
}
