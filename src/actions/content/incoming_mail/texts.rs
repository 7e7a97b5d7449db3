//! The texts of records that mails become.

use quarry_domain::values::text::is_blank;

/// What a text ends with that was cut.
const CUT: &str = "\n…";

/// Returns the text if it has at most `max` characters, otherwise its beginning, marked as cut.
pub fn fitting(text: &str, max: usize) -> String {
    let is_short = text.len() <= max || text.chars().nth(max).is_none();
    if is_short {
        return text.to_owned();
    }
    let kept = max.saturating_sub(CUT.chars().count());
    text.chars().take(kept).chain(CUT.chars()).collect()
}

/// Returns what a person wrote as the content of a record with at most `max` characters. In Markdown, dashes
/// below a line make it a heading, but in mails they separate a signature: a blank line is put before them.
pub fn content(text: &str, max: usize) -> String {
    let mut content = String::with_capacity(text.len());
    let mut is_code = false;
    let mut is_below_text = false;
    for line in text.split_inclusive('\n') {
        is_code ^= line.trim_start().starts_with("```");
        if is_below_text && !is_code && line.trim_end() == "--" {
            content.push('\n');
        }
        is_below_text = !line.trim().is_empty();
        content.push_str(line);
    }
    fitting(&content, max)
}

/// Returns an answer that is a private note, with at most `max` characters. It names the files of the mail,
/// which are left out: everybody who may see the issue would see them, and learn their names.
pub fn private_note(answer: &str, files: &[&str], max: usize) -> String {
    if files.is_empty() {
        return content(answer, max);
    }
    let names = files.join(", ");
    let left_out = format!(
        "(Not attached, because everybody who may see the issue would see it: {})",
        fitting(&names, max / 4)
    );
    if is_blank(answer) {
        return left_out;
    }
    let room = max.saturating_sub(left_out.chars().count() + 2);
    format!("{}\n\n{left_out}", content(answer, room))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_at_characters() {
        assert_eq!(fitting("äöü", 3), "äöü");
        assert_eq!(fitting("äöüß", 3), "ä\n…");
        assert_eq!(fitting("abc", 0), "\n…");
    }

    #[test]
    fn dashes_of_a_signature_make_no_heading() {
        for (text, expected) in [
            ("Best regards\n--\nName", "Best regards\n\n--\nName"),
            ("a\n-- \nb\n--", "a\n\n-- \nb\n\n--"),
            ("a\n\n--\nb", "a\n\n--\nb"),
            ("```\nx\n--\n```\ny\n---", "```\nx\n--\n```\ny\n---"),
        ] {
            assert_eq!(content(text, 100), expected);
        }
    }

    #[test]
    fn private_note_names_its_files_within_the_maximum() {
        assert_eq!(private_note("text", &[], 100), "text");
        let note = private_note("text", &["a.txt", "b.txt"], 1000);
        assert!(
            note.starts_with("text\n\n(Not attached, ") && note.ends_with(": a.txt, b.txt)"),
            "{note}"
        );
        assert!(private_note(" ", &["a.txt"], 1000).starts_with("(Not attached"));
        let long = private_note(&"x".repeat(500), &["y".repeat(500).as_str()], 400);
        assert_eq!(long.chars().count(), 400);
    }
}
