//! Links between documents name existing files and headings.

use super::source::Source;

/// Returns the targets of the links of a document, without those in code.
pub fn targets(text: &str) -> Vec<&str> {
    let mut targets = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with("    ")) {
        // Every second piece is code.
        for prose in line.split('`').step_by(2) {
            let after = prose.split("](").skip(1);
            targets
                .extend(after.filter_map(|after| after.split_once(')').map(|(target, _)| target)));
        }
    }
    targets
}

/// Returns the anchor of a heading as GitHub makes it; `None` for another line.
fn anchor(line: &str) -> Option<String> {
    let heading = line.strip_prefix('#')?.trim_start_matches('#').trim();
    let is_kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    let kept: String = heading.to_lowercase().chars().filter(is_kept).collect();
    Some(kept.replace(' ', "-"))
}

/// Returns the path from the root of the repository to which a link of a document leads.
fn resolve(document: &str, link: &str) -> String {
    let mut path: Vec<&str> = document.split('/').collect();
    if !link.is_empty() {
        path.pop();
        for name in link.split('/') {
            match name {
                ".." => drop(path.pop()),
                name => path.push(name),
            }
        }
    }
    path.join("/")
}

/// Returns the links that lead to no file, or to no heading of one of the documents.
pub fn dead(documents: &[Source], exists: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut dead = Vec::new();
    for document in documents {
        for target in targets(&document.text) {
            if target.contains("://") {
                continue;
            }
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let path = resolve(&document.path, file);
            let linked = documents.iter().find(|document| document.path == path);
            let has_heading = |linked: &Source| {
                let mut anchors = linked.text.lines().filter_map(anchor);
                anchors.any(|anchor| anchor == heading)
            };
            if !exists(&path)
                || !heading.is_empty() && linked.is_some_and(|linked| !has_heading(linked))
            {
                dead.push(format!("{}: {target}", document.path));
            }
        }
    }
    dead
}

/// Returns the paths between backticks that name no file or folder, neither from the root of the repository
/// nor from `src`. Paths of examples contain the word `thing` or `things`.
pub fn missing_paths(document: &Source, exists: &dyn Fn(&str) -> bool) -> Vec<String> {
    let is_path = |code: &&str| {
        let is_name = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
        code.trim_end_matches('/').contains('/')
            && !code.starts_with('/')
            && code.chars().all(is_name)
            && !code
                .split(|c: char| !c.is_ascii_alphanumeric())
                .any(|word| ["thing", "things"].contains(&word))
    };
    let lines = document.text.lines();
    let codes = lines.flat_map(|line| line.split('`').skip(1).step_by(2));
    let paths = codes.filter(is_path).filter(|path| {
        let in_src = format!("src/{path}");
        ![path, in_src.as_str()]
            .into_iter()
            .any(|path| exists(path) || exists(&format!("{path}.rs")))
    });
    paths
        .map(|path| format!("{}: {path}", document.path))
        .collect()
}

#[test]
fn dead_links_are_found() {
    let source = |path: &str, text: &str| Source {
        path: path.to_owned(),
        text: text.to_owned(),
    };
    let documents = [
        source(
            "docs/a.md",
            "[1](b.md#1-the-end), [2](b.md#2), [3](#here) `[4](c.md)`\n# Here\n[5](../README.md) [6](d.md)",
        ),
        source("docs/b.md", "## 1. The `end`"),
    ];
    let files = ["docs/a.md", "docs/b.md", "README.md"];
    assert_eq!(
        dead(&documents, &|path| files.contains(&path)),
        ["docs/a.md: b.md#2", "docs/a.md: d.md"]
    );
}

#[test]
fn missing_paths_are_found() {
    let document = Source {
        path: "docs/a.md".to_owned(),
        text: "`store/disk.rs`, `store/error`, `store/gone.rs`, `tests/api/` and `tests/gone/`\n`GET /gone` `{id}/gone` `api/things.rs`".to_owned(),
    };
    let files = ["src/store/disk.rs", "src/store/error.rs", "tests/api/"];
    assert_eq!(
        missing_paths(&document, &|path| files.contains(&path)),
        ["docs/a.md: store/gone.rs", "docs/a.md: tests/gone/"]
    );
}
