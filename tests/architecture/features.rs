//! The program is compiled with the features of crates that its tests have.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Returns the external crates of the workspace's table of dependencies. The store's own feature,
/// the log of statements, is for tests alone.
fn direct_dependencies(manifest: &str) -> Vec<&str> {
    let (_, table) = manifest.split_once("[workspace.dependencies]").unwrap();
    table
        .lines()
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| Some(line.split_once(" = ")?.0))
        .filter(|name| !name.starts_with("quarry-"))
        .collect()
}

/// Features that tests add and the program does without: clients, clocks and parsers of tests.
const OF_TESTS: &[(&str, &[&str])] = &[
    ("cookie", &["percent-encode", "percent-encoding"]),
    ("hyper", &["client"]),
    ("hyper-util", &["client", "client-legacy", "default"]),
    ("icalendar", &["parser"]),
    ("tokio", &["test-util"]),
    ("url", &["serde"]),
];

/// Returns the features of each crate and version, as cargo resolves them.
fn resolve(folder: &str, selection: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked"])
        .args(["--prefix", "none", "--no-dedupe", "--format", "{p}\t{f}"])
        .args(selection)
        .current_dir(folder)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let mut resolved = BTreeMap::<String, BTreeSet<String>>::new();
    for (package, features) in text.lines().filter_map(|line| line.split_once('\t')) {
        let features = features
            .split(',')
            .map(|feature| feature.trim_end_matches(" (*)"));
        let known = resolved.entry(package.to_owned()).or_default();
        known.extend(features.map(str::to_owned));
    }
    resolved
}

/// Returns a violation for each crate of `Cargo.toml` that the program is compiled with otherwise
/// than the workspace, whose tests add features: then tests pass with what the program lacks, or it
/// does not compile.
pub fn violations(folder: &str, manifest: &str) -> Vec<String> {
    let program = resolve(folder, &["--package", "quarry", "--edges", "normal"]);
    let tests = resolve(folder, &["--workspace", "--edges", "normal,dev"]);
    let direct = direct_dependencies(manifest);
    program
        .iter()
        .filter(|(package, _)| {
            let name = package.split(' ').next().unwrap_or_default();
            direct.contains(&name)
        })
        .flat_map(|(package, features)| {
            let name = package.split(' ').next().unwrap_or_default();
            let known = OF_TESTS.iter().filter(|(package, _)| *package == name);
            let known: Vec<&str> = known.flat_map(|(_, features)| *features).copied().collect();
            let added = tests[package].difference(features);
            let added = added.filter(move |feature| !known.contains(&feature.as_str()));
            added.map(move |feature| format!("only tests have {feature} of {package}"))
        })
        .collect()
}
