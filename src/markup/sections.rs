//! The sections of a text: each begins with a heading and ends before the next one of the same or a
//! higher level.
//!
//! Invariant: sections are counted as by the links of
//! [`RenderOptions::section_edit`](crate::RenderOptions::section_edit).

use super::limits::MAX_LENGTH;
use super::options::{RenderOptions, TextFormat};
use super::reference::NoLinks;
use super::render::{with_line_feeds, write};
use super::writer::HtmlWriter;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A text that is split at a section. Its lines end with LF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitText {
    before: String,
    /// The text of the section, with its heading.
    pub section: String,
    after: String,
}

impl SplitText {
    /// Splits a text at the section with this number, from 1. Returns `None` if there is no such
    /// section, or the text is too long to be rendered.
    pub fn at(text: &str, format: TextFormat, number: usize) -> Option<SplitText> {
        if text.len() > MAX_LENGTH {
            return None;
        }
        let text = with_line_feeds(text);
        let sections = catch_unwind(AssertUnwindSafe(|| {
            let options = RenderOptions::default();
            let mut writer = HtmlWriter::new(&NoLinks, &options);
            let written = write(&text, format, &mut writer);
            written.ok().map(|()| writer.into_sections())
        }));
        let sections = sections.ok().flatten()?;
        let index = number.checked_sub(1)?;
        let section = sections.get(index)?;
        let end = sections[index + 1..]
            .iter()
            .find(|next| next.level <= section.level)
            .map_or(text.len(), |next| next.start);
        Some(SplitText {
            before: text.get(..section.start)?.to_owned(),
            section: text.get(section.start..end)?.to_owned(),
            after: text.get(end..)?.to_owned(),
        })
    }

    /// Returns the whole text with another text in place of the section. What follows starts on a
    /// line of its own, after a blank one.
    pub fn with_section(&self, section: &str) -> String {
        let section = with_line_feeds(section);
        let section = section.trim_end_matches('\n');
        let before = self.section.trim_end_matches('\n');
        // The blank lines after the section stay as they are, where there are enough of them.
        let kept = &self.section[before.len()..];
        let separator = if section.is_empty() {
            ""
        } else if section == before || self.after.is_empty() || kept.len() > 1 {
            kept
        } else {
            "\n\n"
        };
        format!("{}{section}{separator}{}", self.before, self.after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARKDOWN: &str = "Intro\n\n# A\n\na\n\n## B\n\n> # quoted\n\nb\n\nC\n=\n\nc\n";

    fn section(text: &str, format: TextFormat, number: usize) -> Option<String> {
        SplitText::at(text, format, number).map(|split| split.section)
    }

    #[test]
    fn section_ends_at_the_next_heading_of_its_level() {
        let of = |number| section(MARKDOWN, TextFormat::Markdown, number);
        assert_eq!(
            of(1).as_deref(),
            Some("# A\n\na\n\n## B\n\n> # quoted\n\nb\n\n")
        );
        assert_eq!(of(2).as_deref(), Some("## B\n\n> # quoted\n\nb\n\n"));
        assert_eq!(of(3).as_deref(), Some("C\n=\n\nc\n"));
        assert_eq!((of(0), of(4)), (None, None));
        let textile = "h1. A\r\n\r\na\r\n\r\nh2. B\r\n\r\n> h1. quoted\r\n\r\nh1. C";
        let of = |number| section(textile, TextFormat::Textile, number);
        assert_eq!(of(2).as_deref(), Some("h2. B\n\n> h1. quoted\n\n"));
        assert_eq!(of(3).as_deref(), Some("h1. C"));
        assert_eq!(section("# A", TextFormat::Plain, 1), None);
    }

    #[test]
    fn replaced_section_leaves_the_rest() {
        let split = SplitText::at(MARKDOWN, TextFormat::Markdown, 2).unwrap();
        assert_eq!(split.with_section(&split.section), MARKDOWN);
        assert_eq!(
            split.with_section("## X\r\n\r\nx"),
            "Intro\n\n# A\n\na\n\n## X\n\nx\n\nC\n=\n\nc\n"
        );
        assert_eq!(split.with_section(""), "Intro\n\n# A\n\na\n\nC\n=\n\nc\n");
        let tight = SplitText::at("# A\n# B\n", TextFormat::Markdown, 1).unwrap();
        assert_eq!(tight.with_section("# A\nmore"), "# A\nmore\n\n# B\n");
        assert_eq!(tight.with_section(&tight.section), "# A\n# B\n");
        let last = SplitText::at("# A\n\n# B", TextFormat::Markdown, 2).unwrap();
        assert_eq!(last.with_section("# B"), "# A\n\n# B");
    }
}
