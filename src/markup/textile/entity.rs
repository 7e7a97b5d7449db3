//! Character references of HTML. Imported texts use them for characters that are markup.

/// The named entities that are decoded.
const NAMED: [(&str, &str); 8] = [
    ("amp", "&"),
    ("lt", "<"),
    ("gt", ">"),
    ("quot", "\""),
    ("nbsp", "\u{a0}"),
    ("copy", "©"),
    ("rarr", "→"),
    ("larr", "←"),
];

/// Returns the text of the entity at the start, such as `&nbsp;` or `&#124;`, and its length.
pub(super) fn decode(text: &str) -> Option<(String, usize)> {
    let window = &text[1..text.floor_char_boundary(10)];
    let (name, _) = window.split_once(';')?;
    let length = name.len() + 2;
    if let Some((_, decoded)) = NAMED.iter().find(|(entity, _)| *entity == name) {
        return Some(((*decoded).to_owned(), length));
    }
    let number = name.strip_prefix('#')?.parse().ok()?;
    let character = char::from_u32(number).filter(|c| !c.is_control())?;
    Some((character.to_string(), length))
}
