//! Renders a text to HTML: parse, write and sanitize.
//!
//! Invariant: [`SafeHtml`] is created here only, from the output of the sanitizer or from escaped
//! text.

use super::html::escape_into;
use super::limits::{Interrupted, MAX_LENGTH};
use super::options::{RenderOptions, TextFormat};
use super::reference::LinkResolver;
use super::writer::{HtmlWriter, Written};
use super::{markdown, plain, textile};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// HTML that is safe to put into a page. Only [`render`] makes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SafeHtml(pub(super) String);

impl SafeHtml {
    /// Returns the HTML.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for SafeHtml {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl askama::filters::HtmlSafe for SafeHtml {}

/// Renders a text to sanitized HTML. References become links where the resolver gives one. A text
/// that is too long, takes too long, or makes the renderer fail is shown as it is.
pub fn render(
    text: &str,
    format: TextFormat,
    links: &dyn LinkResolver,
    options: &RenderOptions<'_>,
) -> SafeHtml {
    if text.trim().is_empty() {
        return SafeHtml::default();
    }
    let rendered = catch_unwind(AssertUnwindSafe(|| {
        try_render(text, format, links, options)
    }));
    match rendered.unwrap_or(Err(Interrupted::Panicked)) {
        Ok(html) => SafeHtml(html),
        Err(reason) => {
            tracing::warn!(%reason, length = text.len(), "a text is shown without its markup");
            unrendered(text)
        }
    }
}

fn try_render(
    text: &str,
    format: TextFormat,
    links: &dyn LinkResolver,
    options: &RenderOptions<'_>,
) -> Result<String, Interrupted> {
    if text.len() > MAX_LENGTH {
        return Err(Interrupted::TooLong);
    }
    if options.timeout.is_zero() {
        return Err(Interrupted::TimedOut);
    }
    let text = with_line_feeds(text);
    let mut writer = HtmlWriter::new(links, options);
    write(&text, format, &mut writer)?;
    writer.finish()
}

/// Returns the text as it is parsed.
pub(super) fn with_line_feeds(text: &str) -> String {
    text.replace("\r\n", "\n").replace(['\r', '\u{0}'], "\n")
}

/// Parses a text and writes its HTML.
pub(super) fn write(text: &str, format: TextFormat, writer: &mut HtmlWriter<'_>) -> Written {
    match format {
        TextFormat::Markdown => markdown::write(text, writer),
        TextFormat::Textile => textile::write(text, writer),
        TextFormat::Plain => plain::write(text, writer),
    }
}

/// Returns the text without markup, as escaped preformatted text.
fn unrendered(text: &str) -> SafeHtml {
    let mut html = String::with_capacity(text.len() + text.len() / 8 + 64);
    html.push_str("<pre class=\"plain-text\">");
    escape_into(text, &mut html);
    html.push_str("</pre>");
    SafeHtml(html)
}
