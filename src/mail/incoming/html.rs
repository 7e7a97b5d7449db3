//! HTML to text: block elements become lines, quotes get `> `, links keep their addresses.
//!
//! The conversion takes one pass, so that its time is linear in the size of the HTML.

use mail_parser::decoders::html::add_html_token;

/// Maximum number of bytes of a tag that are parsed; the rest is ignored.
const MAX_TAG: usize = 4096;
/// Maximum length of an entity, with `&` and `;`.
const MAX_ENTITY: usize = 12;
/// Maximum depth of quotes that is shown.
const MAX_QUOTES: usize = 5;
/// Elements whose content is not shown.
const HIDDEN: [&str; 3] = ["head", "title", "template"];
/// Elements that begin a line.
const BLOCKS: [&str; 22] = [
    "p", "div", "tr", "li", "ul", "ol", "dl", "dt", "dd", "table", "section", "article", "header",
    "footer", "hr", "pre", "h1", "h2", "h3", "h4", "h5", "h6",
];

/// Returns the text of an HTML document.
pub fn to_text(html: &str) -> String {
    let mut writer = Writer::default();
    let mut chars = html.chars().peekable();
    while let Some(c) = chars.next() {
        if let Some(raw) = &mut writer.raw {
            if raw.ends_after(c) {
                writer.raw = None;
                take_tag(&mut chars);
            }
        } else if c == '<'
            && chars
                .peek()
                .is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'))
        {
            let tag = take_tag(&mut chars);
            writer.tag(&tag);
        } else if writer.hidden.is_none() {
            writer.character(c);
        }
    }
    writer.finish()
}

/// Takes the rest of a tag or a comment, without its `<` and `>`.
fn take_tag(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> String {
    let mut tag = String::new();
    let mut quote = None;
    let mut hyphens = 0;
    for c in chars.by_ref() {
        let is_comment = tag.starts_with("!--");
        let is_end = c == '>'
            && if is_comment {
                hyphens >= 2
            } else {
                quote.is_none()
            };
        if is_end {
            break;
        }
        hyphens = if c == '-' { hyphens + 1 } else { 0 };
        match quote {
            Some(open) if open == c => quote = None,
            None if matches!(c, '"' | '\'') && tag.ends_with('=') => quote = Some(c),
            _ => {}
        }
        if tag.len() < MAX_TAG {
            tag.push(c);
        }
    }
    tag
}

/// An open element such as `script`, in which tags and comments are not parsed up to its end tag.
struct Raw {
    /// The beginning of its end tag, such as `</script`.
    end: String,
    /// Number of characters of `end` that were just read.
    matched: usize,
}

impl Raw {
    /// Whether this character completes the beginning of the end tag.
    fn ends_after(&mut self, c: char) -> bool {
        let wanted = self.end.as_bytes().get(self.matched).copied();
        let is_wanted = wanted.is_some_and(|wanted| c.eq_ignore_ascii_case(&char::from(wanted)));
        self.matched = if is_wanted {
            self.matched + 1
        } else {
            usize::from(c == '<')
        };
        self.matched == self.end.len()
    }
}

#[derive(Default)]
struct Writer {
    text: String,
    /// The open element in which tags are not parsed.
    raw: Option<Raw>,
    /// The open element whose content is not shown.
    hidden: Option<String>,
    /// The characters of an entity of which the end was not read yet.
    entity: String,
    /// Number of open quotes.
    quotes: usize,
    /// Whether the line has text.
    has_text: bool,
    /// Whether white space was read that has not been written.
    space: bool,
    is_preformatted: bool,
    /// The URL of the open link, and where its text begins.
    link: Option<(String, usize)>,
}

impl Writer {
    fn character(&mut self, c: char) {
        if self.entity.is_empty() {
            if c == '&' {
                self.entity.push(c);
            } else {
                self.push(c);
            }
            return;
        }
        if c == ';' {
            self.entity.push(c);
            let mut decoded = String::new();
            add_html_token(&mut decoded, self.entity.as_bytes(), false);
            self.entity.clear();
            decoded.chars().for_each(|c| self.push(c));
        } else if (c.is_ascii_alphanumeric() || c == '#') && self.entity.len() < MAX_ENTITY {
            self.entity.push(c);
        } else {
            self.flush_entity();
            self.character(c);
        }
    }

    /// Writes the characters of an incomplete entity as text.
    fn flush_entity(&mut self) {
        for c in std::mem::take(&mut self.entity).chars() {
            self.push(c);
        }
    }

    fn push(&mut self, c: char) {
        if self.is_preformatted && c == '\n' {
            self.new_line();
        } else if !self.is_preformatted && (c.is_whitespace() || c == '\u{a0}') {
            self.space = true;
        } else {
            if !self.has_text {
                for _ in 0..self.quotes.min(MAX_QUOTES) {
                    self.text.push_str("> ");
                }
            } else if self.space {
                self.text.push(' ');
            }
            self.space = false;
            self.has_text = true;
            self.text.push(c);
        }
    }

    fn new_line(&mut self) {
        // The line `-- ` before a signature needs its space.
        if self.space && self.text.rsplit('\n').next() == Some("--") {
            self.text.push(' ');
        }
        self.text.push('\n');
        self.has_text = false;
        self.space = false;
    }

    /// Begins a line unless the current one is empty.
    fn block(&mut self) {
        if self.has_text {
            self.new_line();
        }
    }

    fn tag(&mut self, tag: &str) {
        let (is_end, rest) = match tag.strip_prefix('/') {
            Some(rest) => (true, rest),
            None => (false, tag),
        };
        let name: String = rest
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .take(20)
            .collect::<String>()
            .to_ascii_lowercase();
        if matches!(name.as_str(), "script" | "style") && !is_end && !rest.ends_with('/') {
            self.raw = Some(Raw {
                end: format!("</{name}"),
                matched: 0,
            });
            return;
        }
        if let Some(hidden) = &self.hidden {
            // The body ends a head without end tag.
            if is_end && *hidden == name || name == "body" {
                self.hidden = None;
            }
            return;
        }
        self.flush_entity();
        match name.as_str() {
            hidden if HIDDEN.contains(&hidden) && !is_end && !rest.ends_with('/') => {
                self.hidden = Some(name);
            }
            "br" => self.new_line(),
            "blockquote" => {
                self.block();
                self.quotes = if is_end {
                    self.quotes.saturating_sub(1)
                } else {
                    self.quotes.saturating_add(1)
                };
            }
            "a" => {
                self.end_link();
                if !is_end && let Some(address) = attribute(rest, "href") {
                    self.link = Some((address, self.text.len()));
                }
            }
            block if BLOCKS.contains(&block) => self.block_tag(block, is_end),
            "td" | "th" if is_end => self.space = true,
            _ => {}
        }
    }

    fn block_tag(&mut self, name: &str, is_end: bool) {
        self.block();
        match name {
            "p" if is_end => self.new_line(),
            "li" if !is_end => "- ".chars().for_each(|c| self.push(c)),
            "pre" => self.is_preformatted = !is_end,
            _ => {}
        }
        if name == "li" && !is_end {
            self.space = true;
        }
    }

    /// Writes the URL of the open link after its text, unless the text contains it.
    fn end_link(&mut self) {
        let Some((address, start)) = self.link.take() else {
            return;
        };
        let text = self.text.get(start..).unwrap_or_default().trim();
        let bare = address.trim_start_matches("mailto:").trim_end_matches('/');
        let bare = bare.replace("%2B", "+").replace("%2b", "+");
        let is_shown = !(address.starts_with("http://")
            || address.starts_with("https://")
            || address.starts_with("mailto:"))
            || text.contains(&bare)
            || text.is_empty();
        if !is_shown {
            self.space = true;
            for c in format!("<{address}>").chars() {
                self.push(c);
            }
        }
    }

    fn finish(mut self) -> String {
        self.flush_entity();
        self.end_link();
        self.text
    }
}

/// Returns the value of an attribute of a tag.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let lower = tag.to_ascii_lowercase();
    let start = lower.find(&format!("{name}="))? + name.len() + 1;
    let rest = &tag[start..];
    let value = match rest.chars().next()? {
        quote @ ('"' | '\'') => rest[1..].split(quote).next()?,
        _ => rest.split(|c: char| c.is_whitespace()).next()?,
    };
    let mut value = decoded(value);
    value.retain(|c| !c.is_whitespace() && !c.is_control());
    Some(value)
}

/// Decodes the entities of the value of an attribute.
fn decoded(value: &str) -> String {
    let mut parts = value.split('&');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_entity = |name: &str| {
            name.len() < MAX_ENTITY && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '#')
        };
        match part.split_once(';').filter(|(name, _)| is_entity(name)) {
            Some((name, rest)) => {
                add_html_token(&mut text, format!("&{name};").as_bytes(), false);
                text.push_str(rest);
            }
            None => {
                text.push('&');
                text.push_str(part);
            }
        }
    }
    text
}
