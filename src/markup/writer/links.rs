//! Links, images, and texts with references.

use super::anchors::fragment_anchor;
use super::{HtmlWriter, Written};
use crate::limits::{MAX_NESTING, MAX_REFERENCES};
use crate::reference::{Link, LinkState, Reference, Target};
use crate::reference_parser;
use crate::url;
use crate::url::Destination;
use percent_encoding::percent_decode_str;

/// The `rel` of links to other hosts.
const REL: &str = "nofollow noopener noreferrer";

impl HtmlWriter<'_> {
    /// Writes a text in which references become links.
    pub fn text(&mut self, text: &str) -> Written {
        let mut from = 0;
        if self.open_links == 0 {
            while let Some(found) = reference_parser::find(text, from) {
                self.literal(&text[from..found.range.start])?;
                from = found.range.end;
                match found.reference {
                    Some(reference) => {
                        self.reference(&reference, found.label, found.fragment, &text[found.range])?
                    }
                    None => self.literal(found.label)?,
                }
            }
        }
        self.literal(&text[from..])
    }

    /// Writes a reference: as a link, or as it was typed where it leads nowhere.
    pub fn reference(
        &mut self,
        reference: &Reference<'_>,
        label: &str,
        fragment: Option<&str>,
        typed: &str,
    ) -> Written {
        let own_section = fragment
            .filter(|_| reference.project.is_none() && reference.target == Target::WikiPage(""));
        if let Some(section) = own_section.filter(|section| !section.is_empty()) {
            let href = format!("#{}{}", self.options.id_prefix, fragment_anchor(section));
            let opened = self.open_anchor(&href, "", "wiki-page", "")?;
            self.literal(if label.starts_with('#') {
                section
            } else {
                label
            })?;
            return self.close_if(opened);
        }
        let Some(mut link) = self.resolve(reference) else {
            return self.literal(typed);
        };
        if let Some(fragment) =
            fragment.filter(|fragment| !fragment.is_empty() && !link.href.contains('#'))
        {
            link.href = format!("{}#{}", link.href, fragment_anchor(fragment));
        }
        let class = match link.state {
            LinkState::Normal => reference.target.class().to_owned(),
            LinkState::Closed => format!("{} closed", reference.target.class()),
            LinkState::Missing => format!("{} missing", reference.target.class()),
        };
        let opened = self.open_anchor(
            &link.href,
            link.title.as_deref().unwrap_or_default(),
            &class,
            "",
        )?;
        let is_titled = matches!(reference.target, Target::WikiPage(title) if title != label && !title.is_empty());
        self.literal(
            link.label
                .as_deref()
                .filter(|_| !is_titled)
                .unwrap_or(label),
        )?;
        self.close_if(opened)
    }

    /// Opens a link to an address that was typed. Returns whether it was opened: not when the
    /// address is refused, nor within another link.
    pub fn open_link(&mut self, address: &str, title: &str) -> Result<bool, super::Interrupted> {
        match url::destination(address) {
            Destination::Local => self.open_anchor(address, title, "", ""),
            Destination::External => self.open_anchor(address, title, "external", REL),
            Destination::Refused => match reference_parser::parse_whole(address)
                .and_then(|reference| self.resolve(&reference))
            {
                Some(link) => self.open_anchor(&link.href, title, "", ""),
                None => Ok(false),
            },
        }
    }

    /// Closes a link if it was opened.
    pub fn close_if(&mut self, opened: bool) -> Written {
        if opened {
            self.close();
        }
        Ok(())
    }

    /// Writes an image of this service. An image of another host becomes a link, so that reading a
    /// text tells nobody about it.
    pub fn image(&mut self, address: &str, alt: &str, title: &str, class: &str) -> Written {
        let source = if url::is_attachment_path(address) {
            Some(address.to_owned())
        } else {
            let name = percent_decode_str(address).decode_utf8_lossy();
            let reference = Reference {
                project: None,
                target: Target::Image(&name),
            };
            let link = if url::is_file_name(&name) {
                self.resolve(&reference)
            } else {
                None
            };
            link.map(|link| link.href)
                .filter(|href| url::destination(href) != Destination::Refused)
        };
        // Without a description the file name says more than nothing.
        let text = if alt.is_empty() { address } else { alt };
        if let Some((heading, _)) = &mut self.heading
            && source.is_some()
        {
            heading.text.push_str(text);
        }
        if let Some(source) = source {
            let attributes = [
                ("class", class),
                ("src", source.as_str()),
                ("alt", text),
                ("title", title),
                ("loading", "lazy"),
            ];
            self.step()?;
            self.tag("img", &attributes);
            return Ok(());
        }
        let opened =
            url::destination(address) == Destination::External && self.open_link(address, title)?;
        self.literal(text)?;
        self.close_if(opened)
    }

    /// Writes a link between a footnote and its reference.
    pub fn footnote_link(&mut self, target: &str, id: &str, class: &str, text: &str) -> Written {
        let opened = self.open_links == 0;
        if opened {
            self.open_with(
                "a",
                &[
                    ("href", &format!("#{target}")),
                    ("id", id),
                    ("class", class),
                ],
            )?;
            self.open_links += usize::from(self.open.last().is_some_and(Option::is_some));
        }
        self.literal(text)?;
        self.close_if(opened)
    }

    fn resolve(&mut self, reference: &Reference<'_>) -> Option<Link> {
        if self.resolved >= MAX_REFERENCES {
            return None;
        }
        self.resolved += 1;
        self.links.resolve(reference)
    }

    fn open_anchor(
        &mut self,
        href: &str,
        title: &str,
        class: &str,
        rel: &str,
    ) -> Result<bool, super::Interrupted> {
        let is_refused = url::destination(href) == Destination::Refused;
        if self.open_links > 0 || self.open.len() >= MAX_NESTING || is_refused {
            return Ok(false);
        }
        self.step()?;
        self.open.push(Some("a"));
        self.open_links += 1;
        // An empty address is the page itself, which a link without an address would not be.
        let href = if href.is_empty() { "#" } else { href };
        self.tag(
            "a",
            &[
                ("href", href),
                ("class", class),
                ("title", title),
                ("rel", rel),
            ],
        );
        Ok(true)
    }
}
