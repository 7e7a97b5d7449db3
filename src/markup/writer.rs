//! Writes HTML for both notations: balanced, escaped, within the limits.

mod anchors;
mod headings;
mod links;

use super::highlight;
use super::html::{escape_content_into, escape_into};
use super::limits::{
    Deadline, Interrupted, MAX_AMPERSANDS, MAX_NESTING, MAX_OUTPUT, MAX_PIECE_ITEMS, MIN_PIECE,
    TIME_PER_ITEM,
};
use super::options::RenderOptions;
use super::reference::LinkResolver;
use super::sanitizer;
use anchors::{Anchors, Heading};

/// The result of writing a part of a text.
pub(super) type Written = Result<(), Interrupted>;

/// A heading that starts a section.
#[derive(Clone, Copy, Debug)]
pub(super) struct SectionStart {
    /// Its level in the page.
    pub level: usize,
    /// Its offset in the text, in bytes.
    pub start: usize,
}

/// Builds sanitized HTML. Elements are closed in the reverse order of their opening. Elements that
/// are nested too deep are left out.
///
/// HTML is sanitized in pieces of top-level blocks. The deadline is checked between pieces, and
/// little memory is used.
pub(super) struct HtmlWriter<'c> {
    /// The pieces before `html`, sanitized.
    clean: String,
    html: String,
    /// The number of elements in `html`.
    elements: usize,
    /// The number of ampersands in the text so far.
    ampersands: usize,
    /// The open elements; `None` for one that was left out.
    open: Vec<Option<&'static str>>,
    links: &'c dyn LinkResolver,
    options: &'c RenderOptions<'c>,
    deadline: Deadline,
    anchors: Anchors,
    /// The heading that is being written, and the HTML before it.
    heading: Option<(Heading, String)>,
    headings: Vec<Heading>,
    /// The headings that start sections, in their order.
    sections: Vec<SectionStart>,
    /// The offset of the sign in each check box, in their order.
    tasks: Vec<usize>,
    /// Where the table of contents goes in `clean`, and its class.
    contents: Option<(usize, &'static str)>,
    open_links: usize,
    resolved: usize,
}

impl<'c> HtmlWriter<'c> {
    /// Creates a writer without output. The time for the text starts now.
    pub fn new(links: &'c dyn LinkResolver, options: &'c RenderOptions<'c>) -> HtmlWriter<'c> {
        HtmlWriter {
            clean: String::new(),
            html: String::new(),
            elements: 0,
            ampersands: 0,
            open: Vec::new(),
            links,
            options,
            deadline: Deadline::new(options.timeout),
            anchors: Anchors::default(),
            heading: None,
            headings: Vec::new(),
            sections: Vec::new(),
            tasks: Vec::new(),
            contents: None,
            open_links: 0,
            resolved: 0,
        }
    }

    /// Returns the HTML, with every element closed and the table of contents in its place.
    pub fn finish(mut self) -> Result<String, Interrupted> {
        while !self.open.is_empty() {
            self.close();
        }
        self.sanitize_piece()?;
        self.insert_contents()?;
        Ok(self.clean)
    }

    /// Returns the headings so far that start sections.
    pub fn into_sections(self) -> Vec<SectionStart> {
        self.sections
    }

    /// Returns the offsets in the text of the signs in the check boxes so far.
    pub fn into_tasks(self) -> Vec<usize> {
        self.tasks
    }

    /// Writes the check box of a task, whose sign has this offset in the text.
    pub fn task_box(&mut self, is_done: bool, offset: usize) -> Written {
        self.tasks.push(offset);
        let checked = if is_done { "checked" } else { "" };
        self.void(
            "input",
            &[
                ("type", "checkbox"),
                ("disabled", "disabled"),
                ("checked", checked),
            ],
        )
    }

    /// Whether parsing has to stop, because it has taken half of the time for the text.
    pub fn is_parsing_over(&self) -> bool {
        self.deadline.is_half_over()
    }

    /// Ends a block. When no element is open and enough HTML is waiting, that is sanitized.
    pub fn end_block(&mut self) -> Written {
        let is_piece = self.open.is_empty() && self.html.len() >= MIN_PIECE;
        if is_piece {
            self.sanitize_piece()
        } else {
            Ok(())
        }
    }

    /// Moves the HTML to the sanitized pieces. Fails when the text has taken too long or its HTML
    /// is too long.
    fn sanitize_piece(&mut self) -> Written {
        self.ampersands += self.html.matches("&amp;").count();
        let items = self.elements + self.html.bytes().filter(|byte| *byte == b'&').count();
        if !self
            .deadline
            .leaves(TIME_PER_ITEM.saturating_mul(u32::try_from(items).unwrap_or(u32::MAX)))
        {
            return Err(Interrupted::TimedOut);
        }
        let length = self.clean.len() + self.html.len();
        if length > MAX_OUTPUT || self.ampersands > MAX_AMPERSANDS || items > MAX_PIECE_ITEMS {
            return Err(Interrupted::TooLong);
        }
        self.clean.push_str(&sanitizer::sanitize(&self.html));
        self.html.clear();
        self.elements = 0;
        Ok(())
    }

    /// Returns how many elements are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Opens an element.
    pub fn open(&mut self, name: &'static str) -> Written {
        self.open_with(name, &[])
    }

    /// Opens an element with attributes; those with an empty value are left out.
    pub fn open_with(&mut self, name: &'static str, attributes: &[(&str, &str)]) -> Written {
        self.step()?;
        if self.open.len() >= MAX_NESTING {
            self.open.push(None);
            return Ok(());
        }
        self.open.push(Some(name));
        self.tag(name, attributes);
        Ok(())
    }

    /// Closes the element that was opened last.
    pub fn close(&mut self) {
        let Some(Some(name)) = self.open.pop() else {
            return;
        };
        if name == "a" {
            self.open_links -= 1;
        }
        self.html.push_str("</");
        self.html.push_str(name);
        self.html.push('>');
    }

    /// Closes elements until this many are open.
    pub fn close_to(&mut self, depth: usize) {
        while self.open.len() > depth {
            self.close();
        }
    }

    /// Writes an element without content.
    pub fn void(&mut self, name: &'static str, attributes: &[(&str, &str)]) -> Written {
        self.step()?;
        self.tag(name, attributes);
        Ok(())
    }

    /// Writes an element that contains a text only.
    pub fn element(
        &mut self,
        name: &'static str,
        attributes: &[(&str, &str)],
        text: &str,
    ) -> Written {
        self.open_with(name, attributes)?;
        self.literal(text)?;
        self.close();
        Ok(())
    }

    /// Writes a text as it is.
    pub fn literal(&mut self, text: &str) -> Written {
        self.step()?;
        if let Some((heading, _)) = &mut self.heading {
            heading.text.push_str(text);
        }
        escape_content_into(text, &mut self.html);
        Ok(())
    }

    /// Writes a line feed between blocks, for people who read the HTML.
    pub fn line_feed(&mut self) {
        let before = if self.html.is_empty() && self.heading.is_none() {
            &self.clean
        } else {
            &self.html
        };
        if !before.is_empty() && !before.ends_with('\n') {
            self.html.push('\n');
        }
    }

    /// Writes a line break.
    pub fn line_break(&mut self) -> Written {
        if let Some((heading, _)) = &mut self.heading {
            heading.text.push(' ');
        }
        self.void("br", &[])?;
        self.html.push('\n');
        Ok(())
    }

    /// Writes a block of code, highlighted where the language is known. It can be focused, so that
    /// the keyboard can scroll it.
    pub fn code_block(&mut self, language: &str, code: &str) -> Written {
        self.open_with("pre", &[("class", "code"), ("tabindex", "0")])?;
        self.open("code")?;
        match highlight::spans(language, code) {
            None => self.literal(code)?,
            Some(spans) => {
                for (class, text) in spans {
                    if class.is_empty() {
                        self.literal(text)?;
                    } else {
                        self.element("span", &[("class", class)], text)?;
                    }
                }
            }
        }
        self.close();
        self.close();
        self.line_feed();
        Ok(())
    }

    /// Returns the id of a footnote or of a reference to one.
    pub fn footnote_id(&self, name: &str, number: &str) -> String {
        format!("{}{name}-{number}", self.options.id_prefix)
    }

    fn tag(&mut self, name: &'static str, attributes: &[(&str, &str)]) {
        self.elements += 1;
        self.html.push('<');
        self.html.push_str(name);
        for (attribute, value) in attributes.iter().filter(|(_, value)| !value.is_empty()) {
            self.html.push(' ');
            self.html.push_str(attribute);
            self.html.push_str("=\"");
            escape_into(value, &mut self.html);
            self.html.push('"');
        }
        self.html.push('>');
    }

    /// Counts a step of the work. Fails when the text has taken too long or its HTML is too long.
    pub fn step(&mut self) -> Written {
        if self.clean.len() + self.html.len() > MAX_OUTPUT || self.elements > MAX_PIECE_ITEMS {
            return Err(Interrupted::TooLong);
        }
        self.deadline.tick()
    }
}
