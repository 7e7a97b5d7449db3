//! Headings with anchors, and the table of contents.

use super::anchors::Heading;
use super::{HtmlWriter, Interrupted, SectionStart, Written};

/// Names of the heading elements.
const ELEMENTS: [&str; 6] = ["h1", "h2", "h3", "h4", "h5", "h6"];

impl HtmlWriter<'_> {
    /// Opens a heading of this level of the text, from 1 to 6. `start` is the offset in the text at
    /// which the heading starts a section.
    pub fn open_heading(&mut self, level: u8, start: Option<usize>) -> Written {
        let level = usize::from(level.saturating_add(self.options.heading_offset)).clamp(1, 6);
        if self.heading.is_some() {
            return self.open("p");
        }
        self.line_feed();
        let before = std::mem::take(&mut self.html);
        self.heading = Some((
            Heading {
                level,
                start,
                ..Heading::default()
            },
            before,
        ));
        self.open.push(Some(ELEMENTS[level - 1]));
        Ok(())
    }

    /// Closes the heading, and gives it an anchor and a link to itself.
    pub fn close_heading(&mut self) -> Written {
        let Some((mut heading, before)) = self.heading.take() else {
            self.close();
            return Ok(());
        };
        let content = std::mem::replace(&mut self.html, before);
        self.open.pop();
        let section = heading.start.map(|_| self.sections.len() + 1);
        if let Some(start) = heading.start {
            self.sections.push(SectionStart {
                level: heading.level,
                start,
            });
        }
        if self.repeats_page_title(&heading) {
            return Ok(());
        }
        heading.anchor = format!(
            "{}{}",
            self.options.id_prefix,
            self.anchors.anchor(&heading.text)
        );
        self.open_with(ELEMENTS[heading.level - 1], &[("id", &heading.anchor)])?;
        self.html.push_str(&content);
        if !heading.text.trim().is_empty() {
            let link = format!("#{}", heading.anchor);
            self.tag(
                "a",
                &[
                    ("class", "anchor"),
                    ("href", &link),
                    ("aria-hidden", "true"),
                    ("tabindex", "-1"),
                ],
            );
            self.html.push_str("¶</a>");
        }
        if let Some((prefix, number)) = self.options.section_edit.zip(section) {
            let link = format!("{prefix}{number}");
            self.tag(
                "a",
                &[
                    ("class", "edit-section"),
                    ("href", &link),
                    ("title", "Edit this section"),
                ],
            );
            self.html.push_str("Edit</a>");
        }
        self.close();
        self.line_feed();
        self.headings.push(heading);
        Ok(())
    }

    /// Whether nothing comes before the heading, and it is the title of the page.
    fn repeats_page_title(&self, heading: &Heading) -> bool {
        self.open.is_empty()
            && self.contents.is_none()
            && self.clean.trim().is_empty()
            && self.html.trim().is_empty()
            && self
                .options
                .page_title
                .is_some_and(|title| comparable(title) == comparable(&heading.text))
    }

    /// Marks the position of the table of contents, if the text is the macro for it: `{{toc}}`,
    /// `{{>toc}}` or `{{<toc}}`. Only the first counts.
    pub fn contents_macro(&mut self, text: &str) -> Result<bool, Interrupted> {
        let class = match text.trim() {
            "{{toc}}" => "toc",
            "{{>toc}}" => "toc right",
            "{{<toc}}" => "toc left",
            _ => return Ok(false),
        };
        if self.contents.is_none() && self.open.is_empty() {
            self.line_feed();
            self.sanitize_piece()?;
            self.contents = Some((self.clean.len(), class));
        }
        Ok(true)
    }

    pub(super) fn insert_contents(&mut self) -> Written {
        let Some((at, class)) = self.contents else {
            return Ok(());
        };
        let after = self.clean.split_off(at);
        let headings = std::mem::take(&mut self.headings);
        let mut levels: Vec<usize> = Vec::new();
        for heading in headings
            .iter()
            .filter(|heading| !heading.text.trim().is_empty())
        {
            // A level that was skipped has no list of its own to return to.
            while levels.len() > 1 && levels[levels.len() - 2] >= heading.level {
                levels.pop();
                self.html.push_str("</li></ul>");
            }
            match levels.last_mut() {
                Some(level) if *level >= heading.level => {
                    *level = heading.level;
                    self.html.push_str("</li>");
                }
                _ => {
                    self.tag(
                        "ul",
                        &[("class", if levels.is_empty() { class } else { "" })],
                    );
                    levels.push(heading.level);
                }
            }
            self.html.push_str("<li>");
            self.tag("a", &[("href", &format!("#{}", heading.anchor))]);
            super::escape_into(heading.text.trim(), &mut self.html);
            self.html.push_str("</a>");
        }
        for _ in levels {
            self.html.push_str("</li></ul>");
        }
        self.line_feed();
        self.sanitize_piece()?;
        self.clean.push_str(&after);
        Ok(())
    }
}

/// Returns a title without what people write differently: case, and underscores for spaces.
fn comparable(title: &str) -> String {
    let words: Vec<&str> = title
        .split(|c: char| c.is_whitespace() || c == '_')
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ").to_lowercase()
}
