//! Finds references in a text, in one pass. Invariant: the work at each offset is bounded.

use super::reference::{Key, Reference, Target};
use std::ops::Range;

/// Maximum length of a name, title or path in a reference, in bytes.
const MAX_NAME: usize = 255;
/// Maximum length of a project identifier.
const MAX_IDENTIFIER: usize = 100;

/// A reference in a text, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Occurrence<'t> {
    /// The byte range of the reference in the text.
    pub range: Range<usize>,
    /// The reference; `None` where it is escaped with `!`, which is not shown.
    pub reference: Option<Reference<'t>>,
    /// What the link shows where the resolver gives no label.
    pub label: &'t str,
    /// The fragment of a wiki link: `[[Page#section]]`.
    pub fragment: Option<&'t str>,
}

/// A reference at the start of a text.
struct Parsed<'t> {
    length: usize,
    reference: Reference<'t>,
    label: &'t str,
    fragment: Option<&'t str>,
}

/// Returns the references of a text, wherever they stand, even in code: a caller can load the
/// records that [`render`](super::render()) may ask for in one go.
pub fn references(text: &str) -> impl Iterator<Item = Reference<'_>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let occurrence = find(text, from)?;
            from = occurrence.range.end;
            if occurrence.reference.is_some() {
                return occurrence.reference;
            }
        }
    })
}

/// Returns the first reference at or after `from`.
pub(super) fn find(text: &str, from: usize) -> Option<Occurrence<'_>> {
    let bytes = text.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        let byte = bytes[at];
        let may_start = matches!(byte, b'#' | b'@' | b'!' | b'[')
            || byte.is_ascii_lowercase()
            || byte.is_ascii_digit();
        if may_start && is_boundary(text, at) {
            let (escape, rest) = match text[at..].strip_prefix('!') {
                Some(rest) => (1, rest),
                None => (0, &text[at..]),
            };
            if let Some(parsed) = parse_reference(rest) {
                return Some(Occurrence {
                    range: at..at + escape + parsed.length,
                    reference: (escape == 0).then_some(parsed.reference),
                    label: if escape == 0 {
                        parsed.label
                    } else {
                        &rest[..parsed.length]
                    },
                    fragment: parsed.fragment,
                });
            }
        }
        at += 1;
        while !text.is_char_boundary(at) {
            at += 1;
        }
    }
    None
}

/// Parses a text that is a reference as a whole, such as the destination of a Markdown link.
pub(super) fn parse_whole(text: &str) -> Option<Reference<'_>> {
    parse_reference(text)
        .filter(|parsed| parsed.length == text.len())
        .map(|parsed| parsed.reference)
}

/// Whether a reference may begin here: not within a word, a path or an address.
fn is_boundary(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back();
    before.is_none_or(|c| {
        !c.is_alphanumeric()
            && !matches!(
                c,
                '_' | '/' | '&' | '#' | '@' | '.' | '\\' | '=' | '?' | '-' | '!' | ':'
            )
    })
}

fn parse_reference(text: &str) -> Option<Parsed<'_>> {
    if text.starts_with("[[") {
        return wiki_link(text);
    }
    let (project, rest) = match reference(text, None) {
        Some(parsed) => return Some(parsed),
        None => project_prefix(text)?,
    };
    let skipped = text.len() - rest.len();
    reference(rest, Some(project))
        .filter(|parsed| {
            !matches!(
                parsed.reference.target,
                Target::Issue { .. } | Target::Note(_)
            )
        })
        .map(|parsed| Parsed {
            length: skipped + parsed.length,
            reference: parsed.reference,
            label: if parsed.label.len() == parsed.length {
                &text[..skipped + parsed.length]
            } else {
                parsed.label
            },
            fragment: None,
        })
}

/// Returns the project identifier before another reference, as in `sandbox:r12`, and the rest of
/// the text.
fn project_prefix(text: &str) -> Option<(&str, &str)> {
    let length = text
        .bytes()
        .take(MAX_IDENTIFIER + 1)
        .take_while(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_'))
        .count();
    let rest = text[length..].strip_prefix(':')?;
    (1..=MAX_IDENTIFIER)
        .contains(&length)
        .then(|| (&text[..length], rest))
}

fn reference<'t>(text: &'t str, project: Option<&'t str>) -> Option<Parsed<'t>> {
    let parsed = |length: usize, target| Parsed {
        length,
        reference: Reference { project, target },
        label: &text[..length],
        fragment: None,
    };
    match text.as_bytes().first()? {
        b'#' => issue(text).map(|(length, target)| parsed(length, target)),
        b'@' if text[1..].starts_with('"') => name(&text[1..], "user")
            .map(|(length, name)| parsed(1 + length, Target::FullName(name))),
        b'@' => {
            login(&text[1..]).map(|login| parsed(1 + login.len(), Target::User(Key::Name(login))))
        }
        b'r' if text.as_bytes().get(1).is_some_and(u8::is_ascii_digit) => {
            let revision = digits(&text[1..]);
            ends_word(&text[1 + revision.len()..])
                .then(|| parsed(1 + revision.len(), Target::Revision(revision)))
        }
        _ => {
            let length = text
                .bytes()
                .take(12)
                .take_while(u8::is_ascii_lowercase)
                .count();
            let (kind, rest) = text.split_at(length);
            match rest.as_bytes().first()? {
                b'#' => {
                    let id = digits(&rest[1..]);
                    let target = by_key(kind, Key::Id(id.parse().ok()?))?;
                    ends_word(&rest[1 + id.len()..]).then(|| parsed(length + 1 + id.len(), target))
                }
                b':' => {
                    let (name_length, name) = name(&rest[1..], kind)?;
                    let reference = parsed(length + 1 + name_length, by_name(kind, name)?);
                    Some(Parsed {
                        label: if matches!(kind, "source" | "user") {
                            reference.label
                        } else {
                            name
                        },
                        ..reference
                    })
                }
                _ => None,
            }
        }
    }
}

fn by_key<'t>(kind: &str, key: Key<'t>) -> Option<Target<'t>> {
    match kind {
        "attachment" => Some(Target::Attachment(key)),
        "user" => Some(Target::User(key)),
        "version" => Some(Target::Version(key)),
        "document" => Some(Target::Document(key)),
        "forum" => Some(Target::Forum(key)),
        "message" => Some(Target::Message(key)),
        "news" => Some(Target::News(key)),
        "project" => Some(Target::Project(key)),
        _ => None,
    }
}

fn by_name<'t>(kind: &str, name: &'t str) -> Option<Target<'t>> {
    match kind {
        "commit" => Some(Target::Commit(name)),
        "source" => Some(Target::Source(name)),
        "message" => None,
        _ => by_key(kind, Key::Name(name)),
    }
}

/// `#12`, `##12`, `#12-3`, `#12#note-3`, `#note-3`.
fn issue(text: &str) -> Option<(usize, Target<'static>)> {
    let (rest, with_subject) = match text.strip_prefix("##") {
        Some(rest) => (rest, true),
        None => (text.strip_prefix('#')?, false),
    };
    if let Some(rest) = rest.strip_prefix("note-")
        && !with_subject
    {
        let note = digits(rest);
        return ends_word(&rest[note.len()..])
            .then_some((6 + note.len(), Target::Note(note.parse().ok()?)));
    }
    let number = digits(rest);
    let id = number.parse().ok()?;
    let after = &rest[number.len()..];
    let length = text.len() - after.len();
    let note = ["#note-", "-"].into_iter().find_map(|sign| {
        let note = digits(after.strip_prefix(sign)?);
        let end = sign.len() + note.len();
        (ends_word(&after[end..])).then_some((end, note.parse().ok()?))
    });
    match note {
        Some((more, note)) => Some((
            length + more,
            Target::Issue {
                id,
                note: Some(note),
                with_subject,
            },
        )),
        None => ends_word(after).then_some((
            length,
            Target::Issue {
                id,
                note: None,
                with_subject,
            },
        )),
    }
}

/// Returns the digits at the start, at most 18 of them, so that they fit into an id.
fn digits(text: &str) -> &str {
    let length = text.bytes().take(19).take_while(u8::is_ascii_digit).count();
    &text[..if length > 18 { 0 } else { length }]
}

fn ends_word(rest: &str) -> bool {
    rest.chars()
        .next()
        .is_none_or(|c| !c.is_alphanumeric() && c != '_')
}

fn login(text: &str) -> Option<&str> {
    let end = text.char_indices().find(|(at, c)| {
        let is_login = c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '@');
        *at > MAX_IDENTIFIER || !is_login
    });
    let length = end.map_or(text.len(), |(at, _)| at);
    let login = text[..length].trim_end_matches(['.', '-', '@']);
    (!login.is_empty() && login.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        .then_some(login)
}

/// Returns a name in quotes, or one without spaces; the second part of the result is the name, the
/// first is the length of what was typed.
fn name<'t>(text: &'t str, kind: &str) -> Option<(usize, &'t str)> {
    if let Some(rest) = text.strip_prefix('"') {
        let end = rest
            .bytes()
            .take(MAX_NAME + 1)
            .position(|byte| byte == b'"' || byte == b'\n')?;
        let is_name = rest.as_bytes()[end] == b'"' && !rest[..end].trim().is_empty();
        return is_name.then(|| (end + 2, &rest[..end]));
    }
    let is_path = kind == "source" || kind == "commit";
    let end = text.char_indices().find(|(at, c)| {
        let is_part = c.is_alphanumeric()
            || matches!(c, '_' | '-' | '.' | '@' | '+' | '%' | '~')
            || (is_path && matches!(c, '/' | '#' | '|'));
        *at > MAX_NAME || !is_part
    });
    let length = end.map_or(text.len(), |(at, _)| at);
    let name = text[..length].trim_end_matches(['.', '-', '@', '~', '#', '|']);
    (!name.is_empty() && name.len() <= MAX_NAME && !text[length..].starts_with(['/', ':']))
        .then_some((name.len(), name))
}

/// Returns the length of the wiki link at the start of a text that begins with `[[`. The search
/// ends at the next bracket, so that no part of a text is searched twice.
pub(super) fn wiki_link_end(text: &str) -> Option<usize> {
    let window = &text[..text.floor_char_boundary(2 + 2 * MAX_NAME)];
    let mut at = 2;
    loop {
        at += window.get(at..)?.find(['[', '\n', ']'])?;
        match &window.as_bytes()[at..] {
            [b']', b']', ..] => return Some(at + 2),
            [b']', ..] => at += 1,
            _ => return None,
        }
    }
}

/// `[[Page]]`, `[[Page|text]]`, `[[project:Page#section|text]]`, `[[project:]]`.
fn wiki_link(text: &str) -> Option<Parsed<'_>> {
    let length = wiki_link_end(text)?;
    let inner = &text[2..length - 2];
    let (target, label) = match inner.split_once('|') {
        Some((target, label)) => (target, Some(label.trim()).filter(|label| !label.is_empty())),
        None => (inner, None),
    };
    let (reference, fragment) = wiki_target(target)?;
    let Target::WikiPage(title) = reference.target else {
        return None;
    };
    Some(Parsed {
        length,
        reference,
        label: label.unwrap_or(if title.is_empty() {
            target.trim()
        } else {
            title
        }),
        fragment,
    })
}

/// Returns the project, page and section in `project:Page#section`.
pub(super) fn wiki_target(text: &str) -> Option<(Reference<'_>, Option<&str>)> {
    let (address, fragment) = match text.split_once('#') {
        Some((address, fragment)) => (address, Some(fragment.trim())),
        None => (text, None),
    };
    let (project, title) = match address.split_once(':') {
        Some((project, title)) => (Some(project.trim()), title.trim()),
        None => (None, address.trim()),
    };
    let is_empty =
        title.is_empty() && project.is_none_or(str::is_empty) && fragment.is_none_or(str::is_empty);
    (!is_empty && text.len() <= 2 * MAX_NAME).then_some((
        Reference {
            project: project.filter(|project| !project.is_empty()),
            target: Target::WikiPage(title),
        },
        fragment,
    ))
}

#[cfg(test)]
mod tests;
