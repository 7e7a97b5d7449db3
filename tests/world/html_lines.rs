//! HTML as tests compare it: how a template is laid out does not matter to them.

/// Elements in which line breaks are content.
const PREFORMATTED: [&str; 4] = ["pre", "script", "style", "textarea"];
/// Elements that are part of a line of text: a line break before or after them is a blank.
const INLINE: [&str; 17] = [
    "a", "b", "button", "code", "em", "i", "img", "input", "kbd", "label", "mark", "s", "select",
    "small", "span", "strong", "time",
];

/// White space that a browser collapses, unlike the no-break space.
const BLANKS: [char; 2] = [' ', '\n'];

/// Joins the lines of HTML. A line break with its indentation is a blank between words and between
/// attributes, and nothing next to block elements.
pub fn join(html: &str) -> String {
    let mut joined = String::with_capacity(html.len());
    let mut previous = "";
    let mut rest = html;
    while !rest.is_empty() {
        let (text, at_tag) = rest.split_at(rest.find('<').unwrap_or(rest.len()));
        let (tag, mut after) = at_tag.split_at(tag_length(at_tag));
        push_text(&mut joined, previous, text, tag);
        push_tag(&mut joined, tag);
        if PREFORMATTED.contains(&element(tag)) && !tag.starts_with("</") {
            let end = after.find(&format!("</{}", element(tag)));
            let (content, end_tag) = after.split_at(end.unwrap_or(after.len()));
            joined.push_str(content);
            after = end_tag;
        }
        previous = tag;
        rest = after;
    }
    joined
}

/// Returns the length of the tag at the beginning; values of attributes may contain `>`.
fn tag_length(html: &str) -> usize {
    let mut is_value = false;
    let end = html.find(|character| {
        is_value ^= character == '"';
        character == '>' && !is_value
    });
    end.map_or(html.len(), |end| end + 1)
}

/// Returns the name of the element of a tag.
fn element(tag: &str) -> &str {
    let name = tag.trim_start_matches(['<', '/']);
    let end = name.find(|character: char| !character.is_ascii_alphanumeric());
    &name[..end.unwrap_or(name.len())]
}

/// Returns whether a line break between the tag and a word is a blank: after elements without
/// content, and outside of others.
fn separates(tag: &str, is_before: bool) -> bool {
    let is_end = tag.starts_with("</");
    let is_void = matches!(element(tag), "img" | "input");
    INLINE.contains(&element(tag)) && (is_end == is_before || is_void)
}

fn push_text(joined: &mut String, previous: &str, text: &str, next: &str) {
    let words = text.trim_matches(BLANKS);
    let has_break = |blanks: &str| blanks.contains('\n');
    let blank = |blanks: &str, separates: bool| match has_break(blanks) {
        true if separates => " ".to_owned(),
        true => String::new(),
        false => blanks.to_owned(),
    };
    if words.is_empty() {
        let is_in_line = separates(previous, true) && separates(next, false);
        joined.push_str(&blank(text, is_in_line));
        return;
    }
    let start = text.len() - text.trim_start_matches(BLANKS).len();
    joined.push_str(&blank(&text[..start], separates(previous, true)));
    push_joined(joined, words);
    joined.push_str(&blank(&text[start + words.len()..], separates(next, false)));
}

/// Adds the tag with its attributes on one line.
fn push_tag(joined: &mut String, tag: &str) {
    for (index, part) in tag.split_inclusive('"').enumerate() {
        // Every second part is a value.
        if index % 2 == 1 {
            joined.push_str(part);
        } else {
            let start = joined.len();
            push_joined(joined, part);
            if let Some(end) = joined[start..].rfind(" >") {
                joined.replace_range(start + end..start + end + 1, "");
            }
        }
    }
}

/// Adds a text with a blank in place of each line break and its indentation.
fn push_joined(joined: &mut String, text: &str) {
    for (index, line) in text.split('\n').enumerate() {
        if index == 0 {
            joined.push_str(line);
            continue;
        }
        joined.truncate(joined.trim_end_matches(' ').len());
        joined.push(' ');
        joined.push_str(line.trim_start_matches(' '));
    }
}
