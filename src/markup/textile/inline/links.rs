//! Links, images, addresses, wiki links, and references to footnotes.

use super::{MAX_DEPTH, Phrases};
use crate::limits::Interrupted;
use crate::reference_parser;
use crate::textile::link;

impl Phrases<'_, '_, '_> {
    pub(super) fn link(&mut self, at: usize) -> Result<Option<usize>, Interrupted> {
        let is_start = self.char_before(at).is_none_or(|c| !c.is_alphanumeric());
        let Some(link) = Some(&self.text[at..])
            .filter(|_| is_start && self.depth < MAX_DEPTH)
            .and_then(link::Link::parse)
        else {
            return Ok(None);
        };
        self.flush(at)?;
        let opened = self.writer.open_link(link.address, link.title)?;
        self.write_inner(link.text)?;
        self.writer.close_if(opened)?;
        Ok(Some(at + link.length))
    }

    pub(super) fn image(&mut self, at: usize) -> Result<Option<usize>, Interrupted> {
        let is_start = self.char_before(at).is_none_or(|c| !c.is_alphanumeric());
        let Some(image) = Some(&self.text[at..])
            .filter(|_| is_start)
            .and_then(link::Image::parse)
        else {
            return Ok(None);
        };
        self.flush(at)?;
        let opened = !image.link.is_empty() && self.writer.open_link(image.link, "")?;
        self.writer
            .image(image.address, image.alt, image.alt, image.class)?;
        self.writer.close_if(opened)?;
        Ok(Some(at + image.length))
    }

    /// Writes a wiki link, `[[Page]]`, or a reference to a footnote, `[1]`.
    pub(super) fn bracket(&mut self, at: usize) -> Result<Option<usize>, Interrupted> {
        let rest = &self.text[at..];
        if rest.starts_with("[[") {
            let Some(end) = reference_parser::wiki_link_end(rest) else {
                return Ok(None);
            };
            // An exclamation mark before it belongs to it: it prevents the link.
            let start = if self.char_before(at) == Some('!') && at > self.pending {
                at - 1
            } else {
                at
            };
            self.flush(start)?;
            self.writer.text(&self.text[start..at + end])?;
            return Ok(Some(at + end));
        }
        let digits = rest[1..]
            .bytes()
            .take(4)
            .take_while(u8::is_ascii_digit)
            .count();
        let number = &rest[1..1 + digits];
        if !rest[1 + digits..].starts_with(']') || !self.footnotes.is_defined(number) {
            return Ok(None);
        }
        self.flush(at)?;
        let id = if self.footnotes.is_first_reference(number) {
            self.writer.footnote_id("fnref", number)
        } else {
            String::new()
        };
        let target = self.writer.footnote_id("fn", number);
        self.writer.open_with("sup", &[("class", "footnote-ref")])?;
        self.writer.footnote_link(&target, &id, "", number)?;
        self.writer.close();
        Ok(Some(at + digits + 2))
    }

    pub(super) fn address(&mut self, at: usize) -> Result<Option<usize>, Interrupted> {
        let Some(address) = link::address(self.text, at, self.pending) else {
            return Ok(None);
        };
        self.flush(address.range.start)?;
        link::write_address(&address, self.writer)?;
        Ok(Some(address.range.end))
    }
}
