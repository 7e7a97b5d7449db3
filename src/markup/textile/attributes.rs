//! Signatures of blocks, such as `h2(#id). ` and `p=. `, and attributes of cells.

/// The start of a block that names its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Signature<'t> {
    /// `h1` to `h6`, `p`, `bq`, `bc`, `pre`, `notextile`, or `fn` with a number.
    pub name: &'t str,
    /// The class for the alignment, or nothing.
    pub alignment: &'static str,
    /// Whether the block goes on over blank lines: `bc.. `.
    pub is_extended: bool,
    /// Length of the signature in bytes.
    pub length: usize,
}

impl<'t> Signature<'t> {
    /// Returns the signature at the start of a line.
    pub fn parse(line: &'t str) -> Option<Signature<'t>> {
        let letters = line
            .bytes()
            .take(10)
            .take_while(u8::is_ascii_lowercase)
            .count();
        let digits = line[letters..]
            .bytes()
            .take(4)
            .take_while(u8::is_ascii_digit)
            .count();
        let name = &line[..letters + digits];
        let is_known = match &name[..letters] {
            "h" => digits == 1 && (b'1'..=b'6').contains(&name.as_bytes()[1]),
            "fn" => (1..=3).contains(&digits),
            "p" | "bq" | "bc" | "pre" | "notextile" => digits == 0,
            _ => false,
        };
        if !is_known {
            return None;
        }
        let attributes = Attributes::parse(&line[name.len()..]);
        let rest = line[name.len() + attributes.length..].strip_prefix('.')?;
        let (is_extended, rest) = match rest.strip_prefix('.') {
            Some(rest) if name == "bq" || name == "bc" => (true, rest),
            _ => (false, rest),
        };
        // A link may follow a quotation: `bq.:http://example.org text` is rare and its address is
        // not shown.
        let rest = rest
            .strip_prefix(' ')
            .or_else(|| rest.is_empty().then_some(rest))?;
        Some(Signature {
            name,
            alignment: attributes.alignment,
            is_extended,
            length: line.len() - rest.len(),
        })
    }
}

/// The attributes before the dot of a signature or a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Attributes<'t> {
    /// The class for the alignment, or nothing.
    pub alignment: &'static str,
    /// The class for the vertical alignment, or nothing.
    pub vertical: &'static str,
    /// Whether the cell is a heading.
    pub is_heading: bool,
    /// Number of columns that the cell spans, as digits.
    pub columns: &'t str,
    /// Number of rows that the cell spans, as digits.
    pub rows: &'t str,
    /// The style in braces.
    pub style: &'t str,
    /// Length of the attributes in bytes.
    pub length: usize,
}

impl<'t> Attributes<'t> {
    /// Returns the attributes at the start of a text.
    pub fn parse(text: &'t str) -> Attributes<'t> {
        let mut attributes = Attributes::default();
        loop {
            let rest = &text[attributes.length..];
            let length = match rest.as_bytes() {
                [b'<', b'>', ..] => attributes.aligned("align-justify", 2),
                [b'<', ..] => attributes.aligned("align-left", 1),
                [b'>', ..] => attributes.aligned("align-right", 1),
                [b'=', ..] => attributes.aligned("align-center", 1),
                [b'^', ..] => attributes.aligned_vertically("valign-top"),
                [b'~', ..] => attributes.aligned_vertically("valign-bottom"),
                [b'-', ..] => attributes.aligned_vertically("valign-middle"),
                [b'_', ..] => {
                    attributes.is_heading = true;
                    1
                }
                [b'\\', digit, ..] if digit.is_ascii_digit() => {
                    attributes.columns = span(&rest[1..]);
                    1 + attributes.columns.len()
                }
                [b'/', digit, ..] if digit.is_ascii_digit() => {
                    attributes.rows = span(&rest[1..]);
                    1 + attributes.rows.len()
                }
                [b'(' | b')', b'(' | b')' | b'.', ..] => 1,
                [b'(', ..] => match enclosed_len(rest, ')') {
                    0 if rest[1..].starts_with(['<', '>', '=']) => 1,
                    length => length,
                },
                [b')', ..] => 1,
                [b'{', ..] => {
                    let length = enclosed_len(rest, '}');
                    attributes.style = rest.get(1..length.saturating_sub(1)).unwrap_or_default();
                    length
                }
                [b'[', ..] => enclosed_len(rest, ']'),
                _ => 0,
            };
            if length == 0 || attributes.length > 200 {
                return attributes;
            }
            attributes.length += length;
        }
    }

    fn aligned(&mut self, class: &'static str, length: usize) -> usize {
        self.alignment = class;
        length
    }

    fn aligned_vertically(&mut self, class: &'static str) -> usize {
        self.vertical = class;
        1
    }
}

/// Returns at most two digits: a cell that spans more columns is a mistake.
fn span(text: &str) -> &str {
    &text[..text.bytes().take(2).take_while(u8::is_ascii_digit).count()]
}

/// Returns the length of what is enclosed in brackets at the start, or 0.
fn enclosed_len(text: &str, end: char) -> usize {
    let limit = text.floor_char_boundary(100);
    match text[..limit].find([end, '\n', '|']) {
        Some(at) if text[at..].starts_with(end) => at + 1,
        _ => 0,
    }
}

/// Whether the line is `table(class). `, which gives a table attributes.
pub(super) fn table(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("table") else {
        return false;
    };
    let length = Attributes::parse(rest).length;
    rest[length..].trim_end() == "."
}

/// Returns the row without the attributes in front of it: `(class). |a|b|`.
pub(super) fn row(line: &str) -> Option<&str> {
    let length = Attributes::parse(line).length;
    line[length..]
        .strip_prefix(". ")
        .filter(|row| length > 0 && row.starts_with('|'))
}

/// Returns the style of a phrase and its text: `{color:red}text`. Classes are dropped where the
/// phrase can have nothing but attributes.
pub(super) fn phrase(text: &str, has_class: bool) -> (&str, &str) {
    let mut style = "";
    let mut rest = text;
    loop {
        let length = match rest.as_bytes().first() {
            Some(b'{') => enclosed_len(rest, '}'),
            Some(b'(') if has_class => enclosed_len(rest, ')'),
            Some(b'[') if has_class => enclosed_len(rest, ']'),
            _ => 0,
        };
        if length == 0 || length == rest.len() {
            return (style, rest);
        }
        if rest.starts_with('{') {
            style = &rest[1..length - 1];
        }
        rest = &rest[length..];
    }
}

/// Named colours that a phrase may have: `%{color:red}text%`.
pub(super) fn text_color(style: &str) -> Option<&'static str> {
    let value = style
        .split(';')
        .find_map(|rule| rule.trim().strip_prefix("color:"))?
        .trim();
    COLORS
        .into_iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(value))
        .map(|(_, class)| class)
}

const COLORS: [(&str, &str); 16] = [
    ("black", "text-black"),
    ("blue", "text-blue"),
    ("brown", "text-brown"),
    ("gray", "text-gray"),
    ("green", "text-green"),
    ("grey", "text-grey"),
    ("maroon", "text-maroon"),
    ("navy", "text-navy"),
    ("olive", "text-olive"),
    ("orange", "text-orange"),
    ("purple", "text-purple"),
    ("red", "text-red"),
    ("silver", "text-silver"),
    ("teal", "text-teal"),
    ("white", "text-white"),
    ("yellow", "text-yellow"),
];
