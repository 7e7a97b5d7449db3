//! The answer in a mail: its text without the quoted mail and the signature.
//!
//! The text is cut at a delimiter. Without one, only a quote with `>` at the end is cut, if it has an
//! attribution such as `On Friday, Alice wrote:`. Invariant: in doubt, text is kept, because a note that
//! is too long is better than a lost one.

use super::device::is_of_device;
use super::quote::{attribution, has_detail, header, is_complete_attribution, is_quote, is_rule};
use quarry_domain::content::incoming_mail::{REPLY_DELIMITER, delimiter_lines};

/// Maximum number of lines of a signature.
const MAX_SIGNATURE: usize = 20;
/// Maximum number of quoted lines that are kept before an interleaved answer.
const MAX_CONTEXT: usize = 10;

/// Minimum number of characters of a quoted line that a mail program may have wrapped.
const MIN_WRAPPED: usize = 60;

/// Returns the answer; empty if the mail has only quoted lines. `delimiters` are delimiters in addition to
/// [`REPLY_DELIMITER`], one per line.
pub fn cut(text: &str, delimiters: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let below = match delimiter(&lines, delimiters) {
        Some(position) => {
            let below = lines.split_off(position);
            cut_before_delimiter(&mut lines, is_quote(below[0]));
            if is_quote(below[0]) {
                let mut below = below[1..].to_vec();
                cut_end(&mut below);
                between_quotes(&below)
            } else {
                Vec::new()
            }
        }
        None => {
            cut_quote(&mut lines);
            Vec::new()
        }
    };
    if !below.is_empty() {
        cut_blank(&mut lines);
        if !lines.is_empty() {
            lines.push("");
        }
        lines.extend(below);
    }
    cut_end(&mut lines);
    if lines
        .iter()
        .all(|line| is_invisible(line) || is_quote(line))
    {
        return String::new();
    }
    let start = lines.iter().position(|line| !line.trim().is_empty());
    let lines: Vec<&str> = lines[start.unwrap_or(0)..]
        .iter()
        .map(|line| line.trim_end())
        .collect();
    lines.join("\n")
}

/// Returns a text without the signature at its end; the text itself if it has nothing else.
pub fn without_signature(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    cut_end(&mut lines);
    if lines.iter().all(|line| is_invisible(line)) {
        return text.to_owned();
    }
    lines.join("\n")
}

/// Returns the index of the first line that is a delimiter. A sentence that contains one does not count.
fn delimiter(lines: &[&str], delimiters: &str) -> Option<usize> {
    let delimiters = delimiter_lines(delimiters);
    lines.iter().position(|line| {
        let bare = line.trim_matches(|c: char| c.is_whitespace() || matches!(c, '>' | '*' | '|'));
        // Some programs join the attribution and the quoted delimiter into one line.
        bare.split_once(REPLY_DELIMITER)
            .is_some_and(|(before, _)| before.is_empty() || is_complete_attribution(before))
            || delimiters.contains(&bare)
    })
}

/// Cuts the attribution or the header that the mail program has written before the quoted mail.
fn cut_before_delimiter(lines: &mut Vec<&str>, is_quoted: bool) {
    // Quoted lines directly before the delimiter, such as a quoted attribution.
    let quoted = lines.iter().rev().take_while(|line| is_quote(line)).count();
    lines.truncate(lines.len() - quoted);
    cut_blank(lines);
    let count = match attribution(lines) {
        0 if !is_quoted => header(lines),
        count => count,
    };
    lines.truncate(lines.len() - count);
    if count > 0 {
        cut_rule(lines);
    }
}

/// Cuts a line such as `------- Original Message -------` at the end.
fn cut_rule(lines: &mut Vec<&str>) {
    cut_blank(lines);
    if lines.last().is_some_and(|line| is_rule(line)) {
        lines.pop();
    }
}

/// Returns the interleaved answers in a quoted mail, each with the quoted lines directly before it.
fn between_quotes<'t>(below: &[&'t str]) -> Vec<&'t str> {
    let mut kept: Vec<&str> = Vec::new();
    let mut context: Vec<&str> = Vec::new();
    let mut is_after_quote = true;
    for (index, line) in below.iter().enumerate() {
        if is_quote(line) || is_wrapped(&below[..=index], below.get(index + 1)) {
            let content = line.trim_matches(|c: char| c.is_whitespace() || c == '>');
            if !is_after_quote || content.is_empty() {
                context.clear();
            }
            if !content.is_empty() {
                context.push(line);
            }
            is_after_quote = true;
        } else if line.trim().is_empty() {
            if !is_after_quote {
                kept.push("");
            }
        } else {
            if is_after_quote {
                if !kept.is_empty() {
                    kept.push("");
                }
                let start = context.len().saturating_sub(MAX_CONTEXT);
                if start < context.len() {
                    kept.extend(&context[start..]);
                    kept.push("");
                }
                context.clear();
            }
            is_after_quote = false;
            kept.push(line);
        }
    }
    kept.dedup_by(|line, before| line.trim().is_empty() && before.trim().is_empty());
    kept
}

/// Whether the last of the lines continues the quoted line before it, which a mail program has wrapped
/// without a new `>`.
fn is_wrapped(lines: &[&str], next: Option<&&str>) -> bool {
    let [.., before, line] = lines else {
        return false;
    };
    is_quote(before)
        && before.chars().count() >= MIN_WRAPPED
        && !before.trim_end().ends_with(['.', '?', '!', ':'])
        && !line.trim().is_empty()
        && next.is_some_and(|next| is_quote(next))
}

/// Cuts the quote at the end, if there is an attribution before it or in its first lines. A program writes
/// a date or an address there; without one, people quote somebody.
fn cut_quote(lines: &mut Vec<&str>) {
    let start = lines
        .iter()
        .rposition(|line| !line.trim().is_empty() && !is_quote(line))
        .map_or(0, |index| index + 1);
    let Some(first) = lines[start..].iter().position(|line| is_quote(line)) else {
        return;
    };
    let count = match attribution(&lines[..start]) {
        count if has_detail(&lines[start - count..start]) => count,
        _ => 0,
    };
    let unquoted: Vec<&str> = lines[start + first..]
        .iter()
        .take(3)
        .map(|line| line.trim_start_matches(|c: char| c.is_whitespace() || c == '>'))
        .collect();
    let begins_quoted = (1..=unquoted.len()).any(|end| {
        let sentence = &unquoted[..end];
        attribution(sentence) == end && has_detail(sentence)
    });
    if count > 0 || begins_quoted {
        lines.truncate(start - count);
        cut_rule(lines);
    }
}

/// Cuts the signature and a line such as `Sent from my iPhone` at the end.
fn cut_end(lines: &mut Vec<&str>) {
    cut_signature(lines);
    cut_blank(lines);
    if lines.last().is_some_and(|line| is_of_device(line)) {
        lines.pop();
        cut_signature(lines);
        cut_blank(lines);
    }
}

/// Cuts the last signature if it is short.
fn cut_signature(lines: &mut Vec<&str>) {
    if let Some(start) = lines.iter().rposition(|line| *line == "-- ")
        && lines.len() - start - 1 <= MAX_SIGNATURE
        && !lines[start..].iter().any(|line| is_quote(line))
    {
        lines.truncate(start);
    }
}

/// Whether the line has no visible character.
fn is_invisible(line: &str) -> bool {
    line.chars().all(|c| {
        c.is_whitespace()
            || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
    })
}

fn cut_blank(lines: &mut Vec<&str>) {
    let end = lines.iter().rposition(|line| !line.trim().is_empty());
    lines.truncate(end.map_or(0, |last| last + 1));
}
