//! The bill of materials and the licences.

use super::{is_installed, output, path};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

fn script(arguments: &[&str]) -> Command {
    let mut command = Command::new("python3");
    command
        .arg(path("packaging/crates.py"))
        .args(arguments)
        .env("SOURCE_DATE_EPOCH", "1795000000");
    command
}

fn make(what: &str, file: &Path) -> String {
    output(&mut script(&[what, file.to_str().unwrap()]));
    std::fs::read_to_string(file).unwrap()
}

/// Returns name and version of each crate that is linked into the program.
fn linked_crates() -> BTreeSet<String> {
    let tree = output(
        Command::new(env!("CARGO"))
            .args([
                "tree",
                "--locked",
                "--package",
                "quarry",
                "--prefix",
                "none",
            ])
            .args(["--edges", "normal,no-proc-macro", "--format", "{p}"])
            .current_dir(path(".")),
    );
    let names = tree.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        Some(format!(
            "{} {}",
            words.next()?,
            words.next()?.trim_start_matches('v')
        ))
    });
    names.collect()
}

#[test]
fn bill_of_materials_has_every_crate_of_the_program() {
    if !is_installed("python3", "python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let text = make("sbom", &folder.path().join("a"));
    assert_eq!(
        text,
        make("sbom", &folder.path().join("b")),
        "it is the same for the same commit"
    );
    let bom: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(bom["bomFormat"], "CycloneDX");
    assert_eq!(bom["specVersion"], "1.6");
    assert_eq!(bom["metadata"]["timestamp"], "2026-11-18T11:06:40Z");
    let program = &bom["metadata"]["component"];
    assert_eq!(program["version"], env!("CARGO_PKG_VERSION"));
    let components = bom["components"].as_array().unwrap();
    let mut listed: BTreeSet<String> = BTreeSet::new();
    let mut references: BTreeSet<&str> = BTreeSet::new();
    for component in components.iter().chain([program]) {
        let text = |key: &str| component[key].as_str().unwrap();
        listed.insert(format!("{} {}", text("name"), text("version")));
        references.insert(text("bom-ref"));
        let licence = component["licenses"][0]["expression"].as_str().unwrap();
        assert!(!licence.is_empty());
        let is_own = text("name").starts_with("quarry");
        assert_eq!(component["hashes"].is_null(), is_own, "{component}");
    }
    assert_eq!(listed, linked_crates());
    assert!(listed.len() > 300 && !listed.iter().any(|name| name.starts_with("criterion")));
    let dependencies = bom["dependencies"].as_array().unwrap();
    assert_eq!(dependencies.len(), references.len());
    for dependency in dependencies {
        assert!(references.contains(dependency["ref"].as_str().unwrap()));
        for other in dependency["dependsOn"].as_array().unwrap() {
            assert!(references.contains(other.as_str().unwrap()), "{other}");
        }
    }
}

#[test]
fn each_foreign_crate_has_the_text_of_its_licence() {
    if !is_installed("python3", "python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let text = make("licences", &folder.path().join("licences"));
    let line = "=".repeat(100);
    let mut sections = text.split(line.as_str());
    let list = sections.next().unwrap();
    let described: BTreeSet<&str> = sections
        .flat_map(|section| {
            let (names, text) = section.split_once(&"-".repeat(100)).unwrap();
            assert!(text.trim().len() > 50, "{section}");
            names.trim().strip_prefix("of ").unwrap().split(", ")
        })
        .collect();
    for name in linked_crates() {
        let is_own = name.starts_with("quarry");
        assert_eq!(
            list.lines()
                .any(|line| line.starts_with(&format!("{name}: "))),
            !is_own,
            "{name}"
        );
        assert_eq!(described.contains(name.as_str()), !is_own, "{name}");
    }
    assert!(!text.contains("@AUTHORS@"), "a placeholder was left");
}

#[test]
fn licences_are_chosen_or_refused() {
    if !is_installed("python3", "python3") {
        return;
    }
    for (expression, chosen) in [
        ("MIT", "['MIT']"),
        ("MIT/Apache-2.0", "['MIT']"),
        ("Apache-2.0 OR GPL-2.0-only", "['Apache-2.0']"),
        (
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "['MIT', 'Unicode-3.0']",
        ),
        ("MIT OR (GPL-3.0-only AND ISC)", "['MIT']"),
        ("GPL-3.0-only", "None"),
        ("MIT AND GPL-3.0-only", "None"),
        ("(MIT OR GPL-3.0-only) AND AGPL-3.0-only", "None"),
        (
            "Apache-2.0 WITH LLVM-exception",
            "['Apache-2.0 WITH LLVM-exception']",
        ),
        ("Apache-2.0 WITH other-exception", "None"),
    ] {
        let printed = output(&mut script(&["choose", expression]));
        assert_eq!(printed.trim(), chosen, "{expression}");
    }
    for malformed in ["MIT OR", "(MIT", "MIT)", "MIT Apache-2.0", ""] {
        let refused = script(&["choose", malformed]).output().unwrap();
        assert_eq!(refused.status.code(), Some(1), "{malformed:?}");
        let error = String::from_utf8_lossy(&refused.stderr);
        assert!(error.contains("cannot be understood"), "{error}");
    }
}
