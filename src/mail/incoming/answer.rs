//! The answer in a mail: its text without the quoted mail and the signature.
//!
//! Our own delimiter decides first. Without it, only what mail programs usually write is cut: quotes
//! between the lines of an answer stay.

use quarry_domain::content::incoming_mail::REPLY_DELIMITER;

/// Words that end the line before a quote, in the languages of common mail programs.
const WROTE: [&str; 20] = [
    "wrote",
    "writes",
    "schrieb",
    "a écrit",
    "escribió",
    "escribio",
    "ha scritto",
    "scritto",
    "escreveu",
    "schreef",
    "skrev",
    "napisał",
    "napisał(a)",
    "написал",
    "пишет",
    "kirjoitti",
    "írta",
    "yazdı",
    "写道",
    "書きました",
];
/// Words of the lines that begin a quoted mail between hyphens.
const ORIGINAL: [&str; 10] = [
    "original message",
    "forwarded message",
    "ursprüngliche nachricht",
    "weitergeleitete nachricht",
    "message d'origine",
    "mensaje original",
    "messaggio originale",
    "oorspronkelijk bericht",
    "mensagem original",
    "original appointment",
];
/// Names of the sender in the header of a quoted mail.
const FROM: [&str; 8] = ["from", "von", "de", "da", "van", "från", "od", "от"];
/// Other names in the header of a quoted mail.
const HEADERS: [&str; 26] = [
    "sent",
    "date",
    "to",
    "cc",
    "subject",
    "gesendet",
    "datum",
    "an",
    "betreff",
    "envoyé",
    "à",
    "objet",
    "enviado",
    "para",
    "asunto",
    "inviato",
    "a",
    "oggetto",
    "verzonden",
    "aan",
    "onderwerp",
    "skickat",
    "till",
    "ämne",
    "assunto",
    "data",
];
/// Beginnings of the lines that phones add.
const DEVICES: [&str; 8] = [
    "sent from my ",
    "sent from mail for ",
    "sent from outlook",
    "get outlook for ",
    "von meinem ",
    "envoyé de mon ",
    "enviado desde mi ",
    "inviato da ",
];
/// Maximum number of lines that a sentence before a quote is wrapped into.
const MAX_ATTRIBUTION: usize = 3;
/// Maximum number of characters of that sentence.
const MAX_ATTRIBUTION_CHARS: usize = 400;

/// Returns the answer. `delimiters` are further lines below which everything is cut.
pub fn cut(text: &str, delimiters: &str) -> String {
    let mut lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    // The space of `-- ` is trimmed, too.
    let is_delimited = cut_at_delimiter(&mut lines, delimiters);
    if let Some(end) = lines.iter().position(|line| *line == "--") {
        lines.truncate(end);
    }
    if let Some(end) = (0..lines.len()).find(|index| begins_original(&lines[*index..])) {
        lines.truncate(end);
    }
    cut_quote(&mut lines, is_delimited);
    if let Some(last) = lines.iter().rposition(|line| !line.is_empty())
        && is_of_device(lines[last])
    {
        lines.truncate(last);
    }
    let start = lines
        .iter()
        .position(|line| !line.is_empty())
        .unwrap_or(lines.len());
    let end = lines
        .iter()
        .rposition(|line| !line.is_empty())
        .map_or(start, |last| last + 1);
    lines[start..end].join("\n")
}

/// Cuts the lines at the first delimiter. Returns whether there was one.
fn cut_at_delimiter(lines: &mut Vec<&str>, delimiters: &str) -> bool {
    let delimiters: Vec<&str> = delimiters
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .take(100)
        .collect();
    let is_delimiter = |line: &&str| {
        let bare = line.trim_matches(|c: char| c.is_whitespace() || matches!(c, '>' | '*' | '|'));
        line.contains(REPLY_DELIMITER) || delimiters.contains(&bare)
    };
    match lines.iter().position(is_delimiter) {
        Some(end) => {
            lines.truncate(end);
            true
        }
        None => false,
    }
}

/// Whether these lines begin with a quoted mail as Outlook writes it.
fn begins_original(lines: &[&str]) -> bool {
    let Some(first) = lines.first() else {
        return false;
    };
    let line = first.trim();
    if line.starts_with("-----") && line.ends_with("-----") {
        let words = line.trim_matches('-').trim().to_lowercase();
        return ORIGINAL.contains(&words.as_str());
    }
    let mut rest = lines.iter().filter(|line| !line.trim().is_empty());
    if line.len() >= 20 && line.bytes().all(|byte| byte == b'_') {
        rest.next();
        return rest.next().is_some_and(|line| is_header(line, &FROM));
    }
    is_header(line, &FROM)
        && lines
            .iter()
            .skip(1)
            .take(5)
            .filter(|line| is_header(line, &HEADERS))
            .count()
            >= 2
}

/// Whether the line is one of these headers, as in `From: Alice` or `*From:* Alice`.
fn is_header(line: &str, names: &[&str]) -> bool {
    let Some((name, _)) = line.split_once(':') else {
        return false;
    };
    let name = name.trim_matches(|c: char| c.is_whitespace() || c == '*');
    name.chars().count() <= 12 && names.contains(&name.to_lowercase().as_str())
}

fn is_quote(line: &str) -> bool {
    line.trim_start().starts_with('>')
}

/// Cuts the quote at the end of the lines, and the sentence before it.
fn cut_quote(lines: &mut Vec<&str>, is_delimited: bool) {
    let last = lines
        .iter()
        .rposition(|line| !line.trim().is_empty() && !is_quote(line))
        .map_or(0, |index| index + 1);
    let has_quote = lines[last..].iter().any(|line| is_quote(line));
    lines.truncate(last);
    if has_quote || is_delimited {
        // A sentence may be wrapped before its verb, so one with a date or an address is looked for first.
        for is_complete in [true, false] {
            for count in 1..=MAX_ATTRIBUTION.min(lines.len()) {
                let start = lines.len() - count;
                let sentence = &lines[start..];
                if is_attribution(sentence, true) && (!is_complete || has_detail(sentence)) {
                    lines.truncate(start);
                    return;
                }
            }
        }
    }
    if has_quote {
        return;
    }
    // A quoted mail without `>`, as some programs make of HTML.
    let mut begins = 1..lines.len();
    let has_text = |end: usize| lines[..end].iter().any(|line| !line.trim().is_empty());
    if let Some(start) = begins.find(|index| is_attribution(&lines[*index..=*index], false))
        && has_text(start)
        && !lines[start..].iter().any(|line| is_quote(line))
    {
        lines.truncate(start);
    }
}

/// Whether the lines have a digit, as of a date, or an address.
fn has_detail(lines: &[&str]) -> bool {
    let mut chars = lines.iter().flat_map(|line| line.chars());
    chars.any(|c| c == '@' || c.is_numeric())
}

/// Whether these lines are the sentence before a quote, such as `On Friday, Alice wrote:`.
fn is_attribution(lines: &[&str], is_before_quote: bool) -> bool {
    if lines
        .iter()
        .any(|line| line.trim().is_empty() || is_quote(line))
    {
        return false;
    }
    let sentence = lines.join(" ");
    let sentence = sentence.trim();
    if sentence.chars().count() > MAX_ATTRIBUTION_CHARS {
        return false;
    }
    let Some(sentence) = sentence.strip_suffix([':', '：']) else {
        return false;
    };
    let lower = sentence.trim_end().to_lowercase();
    let has_digit = sentence.chars().any(char::is_numeric);
    let ends_with_verb = WROTE.iter().any(|verb| lower.ends_with(verb));
    let has_verb = ends_with_verb
        || WROTE
            .iter()
            .any(|verb| lower.contains(&format!(" {verb} ")));
    let has_address = sentence.contains('@');
    if is_before_quote {
        has_verb || has_address && has_digit
    } else {
        has_verb && has_digit && (has_address || ends_with_verb)
    }
}

/// Whether a phone or a mail program added the line.
fn is_of_device(line: &str) -> bool {
    let lower = line.trim().to_lowercase();
    lower.chars().count() <= 80 && DEVICES.iter().any(|begin| lower.starts_with(begin))
}
