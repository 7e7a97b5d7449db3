//! Citations of documents in comments, such as `compatibility 6.4` or `docs/search.md section 5`,
//! name existing sections.

use super::source::Source;
use std::collections::BTreeSet;

/// The name of a document in citations, and its file below `docs`.
pub const DOCUMENTS: [(&str, &str); 3] = [
    ("compatibility", "redmine-compatibility.md"),
    ("search", "search.md"),
    ("operations", "operations.md"),
];

/// Returns the numbers of the sections of a document: `6` for `## 6. Issues`, `6.4` for `### 6.4
/// Creating`.
pub fn sections(document: &str) -> BTreeSet<String> {
    let headings = document
        .lines()
        .filter(|line| line.starts_with("## ") || line.starts_with("### "));
    headings
        .filter_map(|line| section_number(line.trim_start_matches('#').split_whitespace().next()?))
        .collect()
}

/// Returns a violation for each citation that names no section. `documents` has the sections of
/// each document, by name.
pub fn violations(files: &[Source], documents: &[(&str, BTreeSet<String>)]) -> Vec<String> {
    let mut violations = Vec::new();
    for file in files {
        for (document, section) in citations(&file.text) {
            let exists = documents
                .iter()
                .any(|(name, sections)| *name == document && sections.contains(&section));
            if !exists {
                violations.push(format!(
                    "{}: {document} {section} does not exist",
                    file.path
                ));
            }
        }
    }
    violations
}

/// Returns the citations in the comments of a file: the name of the document and the number of the
/// section.
pub fn citations(text: &str) -> Vec<(&'static str, String)> {
    let mut citations = Vec::new();
    for comment in comments(text) {
        let words: Vec<&str> = comment.split_whitespace().collect();
        for (index, word) in words.iter().enumerate() {
            let Some(document) = document(word, words.get(index + 1)) else {
                continue;
            };
            let mut rest = words[index + 1..]
                .iter()
                .skip_while(|word| **word == "section")
                .peekable();
            // A citation can list several sections: `compatibility 6.4 and 9`.
            while let Some(section) = rest.next().and_then(|word| section_number(word)) {
                citations.push((document, section));
                rest.next_if(|word| **word == "and");
            }
        }
    }
    citations
}

/// Returns the document that a word cites: `compatibility`, or `docs/search.md` before `section`.
fn document(word: &str, next: Option<&&str>) -> Option<&'static str> {
    let word = word.trim_start_matches(['(', '`']);
    let cited = DOCUMENTS.iter().find(|(name, file)| {
        let is_file = word
            .strip_prefix("docs/")
            .is_some_and(|path| path.trim_end_matches('`') == *file);
        word == *name || (is_file && next == Some(&"section"))
    });
    cited.map(|(name, _)| *name)
}

/// Returns the number of a section without punctuation; `None` for any other word.
fn section_number(word: &str) -> Option<String> {
    let number = word.trim_end_matches(|c: char| !c.is_ascii_digit());
    let suffix = &word[number.len()..];
    let is_number =
        number.split('.').count() <= 2 && number.split('.').all(|part| part.parse::<u8>().is_ok());
    (is_number && !suffix.contains(char::is_alphanumeric)).then(|| number.to_owned())
}

/// Returns the text of each comment. Consecutive lines are one comment.
fn comments(text: &str) -> Vec<String> {
    let mut comments: Vec<String> = Vec::new();
    let mut is_continued = false;
    for line in text.lines() {
        match line.split_once("//") {
            Some((_, comment)) => {
                let comment = comment.trim_start_matches(['/', '!']);
                match comments.last_mut().filter(|_| is_continued) {
                    Some(last) => last.push_str(comment),
                    None => comments.push(comment.to_owned()),
                }
                is_continued = true;
            }
            None => is_continued = false,
        }
    }
    comments
}

#[test]
fn citations_are_found_in_comments() {
    let text = "/// The order (compatibility\n/// 6.4 and 9), see `docs/search.md` section 5.1.\nlet compatibility = 7; // operations 13.2, a search of 3 words\n";
    let expected = [
        ("compatibility", "6.4"),
        ("compatibility", "9"),
        ("search", "5.1"),
        ("operations", "13.2"),
    ];
    assert_eq!(
        citations(text),
        expected.map(|(document, section)| (document, section.to_owned()))
    );
}

fn source(text: &str) -> [Source; 1] {
    [Source {
        path: "src/a.rs".to_owned(),
        text: text.to_owned(),
    }]
}

#[test]
fn missing_sections_are_violations() {
    let documents = [(
        "compatibility",
        sections("# Title\n\n## 6. Issues\n\n### 6.4 Creating\n\ntext 7.\n"),
    )];
    assert_eq!(
        violations(&source("// compatibility 6.4, compatibility 6"), &documents),
        [""; 0]
    );
    assert_eq!(
        violations(&source("// (compatibility 6.9)"), &documents),
        ["src/a.rs: compatibility 6.9 does not exist"]
    );
    assert_eq!(
        violations(&source("// search 6"), &documents),
        ["src/a.rs: search 6 does not exist"]
    );
}
