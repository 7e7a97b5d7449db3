//! Commands of cargo in the documents name tests, benches and variables that exist.

use std::path::Path;

/// Returns a violation for each part of the `cargo` commands in a document that does not exist.
/// `sources` is the text of all tests and benches.
pub fn violations(root: &Path, document: &str, text: &str, sources: &str) -> Vec<String> {
    let mut violations = Vec::new();
    for line in text
        .lines()
        .filter(|line| line.contains("cargo test ") || line.contains("cargo bench "))
    {
        let words: Vec<&str> = line
            .split([' ', '`'])
            .filter(|word| !word.is_empty())
            .collect();
        for (index, word) in words.iter().enumerate() {
            let argument = words.get(index + 1).copied().unwrap_or_default();
            let exists = match *word {
                "--bench" => root
                    .join("benches")
                    .join(argument)
                    .join("main.rs")
                    .is_file(),
                "-p" => argument
                    .strip_prefix("quarry-")
                    .is_some_and(|layer| root.join("src").join(layer).is_dir()),
                "--test" => {
                    let tests = root.join("tests");
                    let folder = tests.join(argument);
                    tests.join(format!("{argument}.rs")).is_file()
                        || folder.join("main.rs").is_file()
                            && words
                                .get(index + 2)
                                .is_none_or(|module| module_exists(&folder, module))
                }
                word => {
                    !word.starts_with("QUARRY_")
                        || sources.contains(word.split('=').next().unwrap_or(word))
                }
            };
            if !exists {
                violations.push(format!(
                    "{document}: `{word} {argument}` does not exist: {}",
                    line.trim()
                ));
            }
        }
    }
    violations
}

/// Whether a path such as `issues::create` is a module below the folder. A word with another
/// character is no path.
fn module_exists(folder: &Path, path: &str) -> bool {
    let path = path.replace("::", "/");
    path.contains(|c: char| !c.is_ascii_lowercase() && c != '_' && c != '/')
        || folder.join(&path).is_dir()
        || folder.join(format!("{path}.rs")).is_file()
}

#[test]
fn missing_tests_benches_and_variables_are_violations() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let check = |text: &str| violations(root, "a.md", text, "let seed = \"QUARRY_SEED\";");
    assert_eq!(
        check(
            "    QUARRY_SEED=7 cargo test --test api issues::create -- --nocapture\n`cargo bench --bench load`, `cargo test -p quarry-search`"
        ),
        [""; 0]
    );
    for text in [
        "cargo test --test api issues::slow",
        "cargo test --test pages issues::create",
        "cargo test --test world",
        "cargo test --test none",
        "`cargo bench --bench none`",
        "cargo test -p quarry-none",
        "QUARRY_SEEDS=7 cargo test --test api",
    ] {
        assert_eq!(check(text).len(), 1, "{text}");
    }
}
