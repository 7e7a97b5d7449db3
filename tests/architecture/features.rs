//! The program has the features of crates that its tests have.

use std::collections::BTreeMap;
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

/// Returns the features of each crate and version, as cargo resolves them.
fn resolve(folder: &str, selection: &[&str]) -> BTreeMap<String, String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--edges", "normal"])
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
    let features = text.lines().filter_map(|line| line.split_once('\t'));
    features
        .map(|(package, features)| (package.to_owned(), features.to_owned()))
        .collect()
}

/// Returns a violation for each crate of `Cargo.toml` that the program is compiled with otherwise
/// than the workspace, whose tests add features: then tests pass with what the program lacks, or it
/// does not compile.
pub fn violations(folder: &str, manifest: &str) -> Vec<String> {
    let program = resolve(folder, &["--package", "quarry"]);
    let tests = resolve(folder, &["--workspace"]);
    let direct = direct_dependencies(manifest);
    program
        .iter()
        .filter(|(package, _)| {
            let name = package.split(' ').next().unwrap_or_default();
            direct.contains(&name)
        })
        .filter_map(|(package, features)| {
            let tested = &tests[package];
            (features != tested)
                .then(|| format!("{package}: the program has {features:?}, tests {tested:?}"))
        })
        .collect()
}
