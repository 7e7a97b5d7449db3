//! The content of a mail, and its two versions: plain text and HTML.

use super::error::RenderError;
use askama::Template;
use quarry_domain::values::text::is_terminal_control;

/// Maximum number of characters of a line of the text.
const LINE: usize = 72;

/// A part of a mail.
pub enum Block {
    /// A heading within the mail.
    Heading(String),
    /// A paragraph.
    Text(String),
    /// Who did what and when.
    Event(String),
    /// A list of short sentences.
    List(Vec<String>),
    /// A text of a user, with its line breaks.
    Quote(String),
    /// A link on a line of its own.
    Link { label: String, url: String },
    /// Labels and values.
    Facts(Vec<(&'static str, String)>),
}

/// The content of a mail.
#[derive(Default, Template)]
#[template(path = "outgoing/mail.html")]
pub struct Content {
    /// The heading, which is also the subject of most kinds.
    pub title: String,
    pub blocks: Vec<Block>,
    /// The line above which answers are written, if the mail can be answered.
    pub reply_delimiter: Option<&'static str>,
    /// Why the recipient gets the mail.
    pub reason: String,
    /// Labels and URLs at the end.
    pub links: Vec<(&'static str, String)>,
}

impl Content {
    /// Returns the plain-text version.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        if let Some(delimiter) = self.reply_delimiter {
            text.push_str(delimiter);
            text.push_str("\n\n");
        }
        text.push_str(&line(&self.title));
        text.push('\n');
        for block in &self.blocks {
            text.push('\n');
            match block {
                Block::Heading(heading) => {
                    text.push_str(&line(heading));
                    text.push('\n');
                    text.push_str(&"-".repeat(heading.chars().count().clamp(1, LINE)));
                    text.push('\n');
                }
                Block::Text(paragraph) => {
                    text.push_str(&wrap(paragraph));
                    text.push('\n');
                }
                Block::Event(sentence) => {
                    text.push_str(&line(sentence));
                    text.push('\n');
                }
                Block::List(items) => items.iter().for_each(|item| {
                    text.push_str(&line(&format!("* {item}")));
                    text.push('\n');
                }),
                Block::Quote(quote) => {
                    text.push_str(&wrap(quote.trim_end()));
                    text.push('\n');
                }
                Block::Link { label, url } => text.push_str(&format!("{}:\n{url}\n", line(label))),
                Block::Facts(facts) => facts.iter().for_each(|(label, value)| {
                    text.push_str(&line(&format!("{label}: {value}")));
                    text.push('\n');
                }),
            }
        }
        // The separator of signatures, which programs recognize.
        text.push_str("\n-- \n");
        text.push_str(&wrap(&self.reason));
        text.push('\n');
        for (label, url) in &self.links {
            text.push_str(&format!("{label}: {url}\n"));
        }
        without_controls(&text)
    }

    /// Returns the HTML version.
    pub fn to_html(&self) -> Result<String, RenderError> {
        self.render()
            .map(|html| without_controls(&html))
            .map_err(|error| RenderError::Content(error.to_string()))
    }
}

/// Returns a text with spaces in place of control characters, except line breaks and tabs. Marks for the
/// direction of text stay: right-to-left languages need them.
fn without_controls(text: &str) -> String {
    text.replace(|c: char| c.is_control() && !matches!(c, '\n' | '\t'), " ")
}

/// Returns what somebody has typed into a line, such as a subject, as a line of the mail: line breaks
/// in it must not begin lines that look like those of the service.
fn line(text: &str) -> String {
    wrap(&text.replace(is_terminal_control, " "))
}

/// Breaks lines between words. A long word, such as an address, stays whole.
fn wrap(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            let length = line.chars().count() + 1 + word.chars().count();
            if !line.is_empty() && length > LINE {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_of_terminals_are_replaced() {
        let content = Content {
            title: "Esc \u{1b}]0;x\u{7} \u{9b}31m \u{202e}red".to_owned(),
            blocks: vec![Block::Quote("a\u{8}\tb\nc".to_owned())],
            reply_delimiter: None,
            reason: "You have an account.".to_owned(),
            links: Vec::new(),
        };
        for text in [content.to_text(), content.to_html().unwrap()] {
            let controls = text.chars().filter(|c| c.is_control());
            assert_eq!(controls.filter(|c| !matches!(c, '\n' | '\t')).count(), 0);
        }
        assert!(
            content.to_text().starts_with("Esc ]0;x 31m red\n"),
            "{}",
            content.to_text()
        );
    }

    #[test]
    fn line_breaks_in_a_label_begin_no_lines() {
        let content = Content {
            title: "Title\r\nBcc: x".to_owned(),
            blocks: vec![Block::Link {
                label: "Subject\n-- \u{2028}forged".to_owned(),
                url: "https://example.org/".to_owned(),
            }],
            reply_delimiter: None,
            reason: "You have an account.".to_owned(),
            links: Vec::new(),
        };
        let text = content.to_text();
        assert!(
            text.starts_with("Title Bcc: x\n\nSubject -- forged:\n"),
            "{text}"
        );
    }

    #[test]
    fn text_is_wrapped_and_html_escaped() {
        let content = Content {
            title: "A <b> title".to_owned(),
            blocks: vec![
                Block::Text("word ".repeat(40)),
                Block::Link {
                    label: "Open".to_owned(),
                    url: format!("https://example.org/?q=\"{}", "x".repeat(100)),
                },
                Block::Facts(vec![("When", "now".to_owned())]),
            ],
            reply_delimiter: None,
            reason: "You have an account.".to_owned(),
            links: Vec::new(),
        };
        let text = content.to_text();
        assert!(text.starts_with("A <b> title\n\nword word"), "{text}");
        assert!(text.ends_with("\n-- \nYou have an account.\n"), "{text}");
        assert!(text.contains("\n\nOpen:\nhttps://example.org/"), "{text}");
        let is_short = |line: &str| line.chars().count() <= 72 || line.starts_with("https:");
        assert!(text.lines().all(is_short), "{text}");
        let html = content.to_html().unwrap();
        assert!(html.contains("A &#60;b&#62; title"), "{html}");
        assert!(!html.contains("q=\"x"), "{html}");
    }
}
