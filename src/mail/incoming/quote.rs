//! Recognizes quotes, and the attribution or header that mail programs write before a quoted mail.

use quarry_domain::content::incoming_mail::header_field_name;

/// Verbs of an attribution, such as `On Friday, Alice wrote:`, in the languages of common mail programs.
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
/// Words with which an attribution often begins.
const OPENERS: [&str; 10] = [
    "on ", "am ", "le ", "el ", "il ", "em ", "op ", "den ", "w dniu ", "dnia ",
];
/// Names of the field with the sender in the header of a quoted mail.
const FROM: [&str; 8] = ["from", "von", "de", "da", "van", "från", "od", "от"];
/// Names of the field with the recipients in the header of older Notes.
const TO: [&str; 5] = ["to", "an", "para", "pour", "a"];
/// Names of the field with the subject there.
const SUBJECT: [&str; 6] = ["subject", "thema", "betreff", "asunto", "objet", "oggetto"];
/// Maximum number of lines of an attribution, which may be wrapped.
const MAX_ATTRIBUTION: usize = 3;
/// Maximum number of characters of an attribution.
const MAX_ATTRIBUTION_CHARS: usize = 400;
/// Maximum number of lines of the header of a quoted mail.
const MAX_HEADER_LINES: usize = 12;
/// Minimum number of its fields, unless a rule separates it from the text.
const MIN_HEADER_FIELDS: usize = 3;

/// Whether the line is quoted.
pub fn is_quote(line: &str) -> bool {
    line.trim_start().starts_with('>')
}

/// Returns the number of lines at the end that are the attribution of a quote, such as
/// `On Friday, Alice wrote:`.
pub fn attribution(lines: &[&str]) -> usize {
    let counts = 1..=MAX_ATTRIBUTION.min(lines.len());
    // As an attribution may be wrapped, one with a known beginning is searched for first, then one with
    // a date or an address.
    let wanted: [fn(&[&str]) -> bool; 3] = [
        |sentence| begins(sentence) && has_detail(sentence),
        has_detail,
        |_| true,
    ];
    for is_wanted in wanted {
        for count in counts.clone() {
            let sentence = &lines[lines.len() - count..];
            if is_attribution(sentence) && is_wanted(sentence) {
                return count;
            }
        }
    }
    0
}

/// Whether the line is a complete attribution.
pub fn is_complete_attribution(line: &str) -> bool {
    begins(&[line]) && has_detail(&[line]) && is_attribution(&[line])
}

/// Whether the lines begin as an attribution.
fn begins(lines: &[&str]) -> bool {
    let first = lines.first().map_or("", |line| without_dashes(line));
    let first = first.to_lowercase();
    OPENERS.iter().any(|opener| first.starts_with(opener))
        || first.starts_with(|c: char| c.is_numeric())
}

/// Whether the lines contain a digit, as in a date, or an `@`, as in an address.
pub fn has_detail(lines: &[&str]) -> bool {
    let mut chars = lines.iter().flat_map(|line| line.chars());
    chars.any(|c| c == '@' || c.is_numeric())
}

/// Returns a line without the dashes around it.
fn without_dashes(line: &str) -> &str {
    line.trim_matches(|c: char| c == '-' || c.is_whitespace())
}

/// Whether these lines are an attribution.
fn is_attribution(lines: &[&str]) -> bool {
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
    let is_between_dashes = sentence.starts_with("---") && sentence.ends_with("---");
    let Some(sentence) = (match sentence.strip_suffix([':', '：']) {
        // Zoho writes `---- On Monday, Alice wrote ----`.
        None if is_between_dashes => Some(without_dashes(sentence)),
        sentence => sentence,
    }) else {
        return false;
    };
    let lower = sentence.trim_end().to_lowercase();
    let has_verb = WROTE
        .iter()
        .any(|verb| lower.ends_with(verb) || lower.contains(&format!(" {verb} ")));
    has_verb || sentence.contains('@') && sentence.chars().any(char::is_numeric)
}

/// Returns the number of lines at the end that are the header of a quoted mail, as Outlook writes it in
/// many languages, with the rule before it. The caller has checked that a quoted mail follows.
pub fn header(lines: &[&str]) -> usize {
    // Notes writes a rule below the header.
    let mut above = lines;
    while let Some(last) = above.iter().rposition(|line| !line.trim().is_empty())
        && is_rule(above[last])
    {
        above = &above[..last];
    }
    let count = match notes_header(above) {
        0 => outlook_header(above),
        count => count,
    };
    lines.len() - above.len() + count
}

/// Returns the number of lines at the end that are the header of older Notes: the sender, the date, then
/// names such as `To` and `Subject`, each on a line of its own, and their values on the next ones.
fn notes_header(lines: &[&str]) -> usize {
    let filled: Vec<(usize, &str)> = (0..lines.len())
        .rev()
        .map(|index| (index, lines[index].trim()))
        .filter(|(_, line)| !line.is_empty())
        .take(MAX_HEADER_LINES)
        .collect();
    let is_one_of = |line: &str, names: &[&str]| names.contains(&line.to_lowercase().as_str());
    let Some(subject) = filled
        .iter()
        .position(|(_, line)| is_one_of(line, &SUBJECT))
    else {
        return 0;
    };
    let Some(to) = filled.iter().rposition(|(_, line)| is_one_of(line, &TO)) else {
        return 0;
    };
    match (filled.get(to + 1), filled.get(to + 2)) {
        (Some((_, date)), Some((first, sender)))
            if subject < to && has_detail(&[date]) && sender.contains('@') =>
        {
            lines.len() - first
        }
        _ => 0,
    }
}

fn outlook_header(lines: &[&str]) -> usize {
    let start = lines.len().saturating_sub(MAX_HEADER_LINES);
    let mut fields = 0;
    let mut first = lines.len();
    for index in (start..lines.len()).rev() {
        let line = lines[index].trim();
        if header_field_name(line).is_some() {
            fields += 1;
            first = index;
        } else if fields > 0 || !line.is_empty() {
            break;
        }
    }
    let is_complete = fields >= MIN_HEADER_FIELDS && is_sender(lines[first]);
    if !is_complete && !has_rule(&lines[..first]) {
        first = lines.len();
    }
    if has_rule(&lines[..first]) {
        let rule = lines[..first].iter().rposition(|line| is_rule(line));
        first = rule.unwrap_or(first);
    }
    lines.len() - first
}

/// Whether the last line that is not blank is a rule before a quoted mail.
fn has_rule(lines: &[&str]) -> bool {
    let last = lines.iter().rfind(|line| !line.trim().is_empty());
    last.is_some_and(|line| is_rule(line))
}

/// Whether the line is the field with the sender.
fn is_sender(line: &str) -> bool {
    let name = header_field_name(line).unwrap_or_default();
    line.contains('@') || FROM.contains(&name.to_lowercase().as_str())
}

/// Whether the line separates a quoted mail: `-----Original Message-----`, or a rule.
pub fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 20 && line.bytes().all(|byte| byte == b'_')
        || line.len() > 10 && line.starts_with("-----") && line.ends_with("-----")
}
