//! The fragments of a statement: what a builder adds at once.
//!
//! Statements that are built, such as those of filters, have too many combinations to execute them
//! all on a second engine. Their fragments are few: each item of a list, condition, join and clause of each
//! query, with the verb and the table of the statement.

/// Words that begin a fragment.
const CLAUSES: [&str; 24] = [
    "SELECT",
    "FROM",
    "JOIN",
    "LEFT",
    "CROSS",
    "INNER",
    "ON",
    "WHERE",
    "AND",
    "OR",
    "GROUP",
    "HAVING",
    "ORDER",
    "LIMIT",
    "OFFSET",
    "UNION",
    "INTERSECT",
    "EXCEPT",
    "VALUES",
    "SET",
    "RETURNING",
    "WHEN",
    "ELSE",
    "WITH",
];

/// Returns the fragments of a normalized statement.
pub fn fragments(statement: &str) -> Vec<String> {
    let mut found = Vec::new();
    collect(&head(statement), statement, &mut found);
    found
}

/// Returns the verb and the table of a statement.
fn head(statement: &str) -> String {
    let mut words = statement.split_whitespace();
    let verb = words.next().unwrap_or_default();
    let mut table = "";
    while let Some(word) = words.next() {
        if ["FROM", "INTO", "UPDATE"].contains(&word) || verb == "UPDATE" {
            table = if verb == "UPDATE" {
                word
            } else {
                words.next().unwrap_or_default()
            };
            break;
        }
    }
    format!("{verb} {}", table.trim_matches(['(', ')']))
}

/// Returns a condition without the conjunction before it: in which order a statement has its conditions
/// may differ between two runs.
fn without_conjunction(fragment: &str) -> &str {
    let conjunctions = ["AND", "OR", "WHERE"];
    match fragment.split_once(' ') {
        Some((word, rest)) if conjunctions.contains(&word) => rest.trim_start(),
        _ if conjunctions.contains(&fragment) => "",
        _ => fragment,
    }
}

/// Adds the fragments of a text, and those of the texts in parentheses.
fn collect(head: &str, text: &str, found: &mut Vec<String>) {
    let mut fragment = String::new();
    let mut finish = |fragment: &mut String| {
        let text = without_conjunction(fragment.trim());
        // What is in parentheses has fragments itself.
        if !["", "(…)"].contains(&text) {
            found.push(format!("{head}: {text}"));
        }
        fragment.clear();
    };
    let mut inner = Vec::new();
    let mut depth = 0_u32;
    let mut nested = String::new();
    let mut word_start = 0;
    for (at, character) in text.char_indices() {
        match character {
            '(' => {
                if depth > 0 {
                    nested.push('(');
                }
                depth += 1;
            }
            ')' if depth > 0 => {
                depth -= 1;
                if depth > 0 {
                    nested.push(')');
                } else {
                    // Arguments and the like stay: only what has clauses is taken apart.
                    if nested.split([' ', '(']).any(|word| CLAUSES.contains(&word)) {
                        fragment.push_str("(…)");
                        inner.push(std::mem::take(&mut nested));
                    } else {
                        fragment.push('(');
                        fragment.push_str(&std::mem::take(&mut nested));
                        fragment.push(')');
                    }
                    word_start = at + 1;
                }
            }
            _ if depth > 0 => nested.push(character),
            ',' => {
                finish(&mut fragment);
                word_start = at + 1;
            }
            ' ' => {
                if CLAUSES.contains(&&text[word_start..at]) {
                    let word = &text[word_start..at];
                    fragment.truncate(fragment.len() - word.len());
                    finish(&mut fragment);
                    fragment.push_str(word);
                }
                fragment.push(' ');
                word_start = at + 1;
            }
            other => fragment.push(other),
        }
    }
    finish(&mut fragment);
    for text in inner {
        collect(head, &text, found);
    }
}

#[cfg(test)]
mod tests {
    use super::fragments;

    #[test]
    fn conditions_lists_and_queries_within_are_fragments() {
        let statement = "SELECT id, subject FROM issues WHERE project_id IN (SELECT id FROM projects WHERE status = ?) \
                         AND lower(subject) = lower(?) ORDER BY id LIMIT ?";
        let expected = [
            "SELECT issues: SELECT id",
            "SELECT issues: subject",
            "SELECT issues: FROM issues",
            "SELECT issues: project_id IN (…)",
            "SELECT issues: lower(subject) = lower(?)",
            "SELECT issues: ORDER BY id",
            "SELECT issues: LIMIT ?",
            "SELECT issues: SELECT id",
            "SELECT issues: FROM projects",
            "SELECT issues: status = ?",
        ];
        assert_eq!(fragments(statement), expected);
    }

    #[test]
    fn fragments_have_the_table_that_is_changed() {
        assert_eq!(
            fragments("UPDATE issues SET subject = ?, done_ratio = ? WHERE id = ?"),
            [
                "UPDATE issues: UPDATE issues",
                "UPDATE issues: SET subject = ?",
                "UPDATE issues: done_ratio = ?",
                "UPDATE issues: id = ?",
            ]
        );
        assert_eq!(
            fragments("INSERT INTO a (b, c) VALUES (?)"),
            ["INSERT a: INSERT INTO a (b, c)", "INSERT a: VALUES (?)"]
        );
    }
}
