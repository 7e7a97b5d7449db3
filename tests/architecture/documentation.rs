//! Public functions and types have documentation comments. Fields and variants need one only where
//! their name does not say all, which rustc's own lint `missing_docs` cannot tell.

use super::source::Source;

/// The words after which a public function or type is named.
const ITEMS: &[&str] = &["fn", "struct", "enum", "trait", "type"];

/// Returns the public functions and types without a documentation comment.
pub fn undocumented(file: &Source) -> Vec<String> {
    let lines: Vec<&str> = file.text.lines().collect();
    let end = lines
        .iter()
        .position(|line| *line == "#[cfg(test)]")
        .unwrap_or(lines.len());
    (0..end)
        .filter_map(|at| {
            let name = public_item(lines[at])?;
            (!is_documented(&lines[..at])).then(|| {
                let line = at + 1;
                format!("{}:{line}: {name} has no documentation comment", file.path)
            })
        })
        .collect()
}

/// Returns the name of the public function or type that the line begins.
fn public_item(line: &str) -> Option<&str> {
    let declaration = line.trim_start().strip_prefix("pub ")?;
    let mut words = declaration.split_whitespace();
    let mut word = words.next()?;
    while ["const", "async", "unsafe"].contains(&word) {
        word = words.next()?;
    }
    if !ITEMS.contains(&word) {
        return None;
    }
    let name = words.next()?.split(['(', '<', '{', ';', ':']).next()?;
    // A macro gets the comment with the name.
    (!name.starts_with('$')).then_some(name)
}

/// Whether the lines end with a documentation comment, apart from attributes.
fn is_documented(lines: &[&str]) -> bool {
    let mut inside_attribute = false;
    for line in lines.iter().rev().map(|line| line.trim()) {
        // A macro can pass the comment on.
        if line.starts_with("///") || line.starts_with("$(#[$doc") {
            return true;
        }
        inside_attribute |= line.ends_with(']');
        if !inside_attribute {
            return false;
        }
        inside_attribute = !line.starts_with("#[");
    }
    false
}

#[test]
fn public_functions_and_types_without_comments_are_violations() {
    let text = "/// A.\npub struct A {\n    pub field: u8,\n}\nimpl A {\n    pub const fn new() {}\n    \
                /// B.\n    #[allow(\n        dead_code,\n        reason = \"x\"\n    )]\n    pub fn b() {}\n}\n\
                pub enum C {}\n#[cfg(test)]\nmod tests {\n    pub fn d() {}\n}\n";
    let file = Source {
        path: "src/store/a.rs".to_owned(),
        text: text.to_owned(),
    };
    assert_eq!(
        undocumented(&file),
        [
            "src/store/a.rs:6: new has no documentation comment",
            "src/store/a.rs:14: C has no documentation comment"
        ]
    );
}
