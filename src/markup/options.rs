//! The notation of a text, and the options for rendering it.

use std::time::Duration;

/// The notation of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TextFormat {
    /// CommonMark with GitHub's extensions.
    #[default]
    Markdown,
    /// Textile as Redmine understands it.
    Textile,
    /// No markup; only addresses and references become links.
    Plain,
}

impl TextFormat {
    /// Returns the format for a value of the setting `text_formatting`; unknown values are
    /// Markdown.
    pub fn from_setting(value: &str) -> TextFormat {
        match value {
            "textile" => TextFormat::Textile,
            "" | "none" => TextFormat::Plain,
            _ => TextFormat::Markdown,
        }
    }
}

/// How a text is rendered.
#[derive(Clone, Copy, Debug)]
pub struct RenderOptions<'a> {
    /// Prefix of the ids of headings and footnotes. Texts that share a page need different
    /// prefixes.
    pub id_prefix: &'a str,
    /// Number that is added to the level of headings: with 1, `# Title` becomes `<h2>`.
    pub heading_offset: u8,
    /// The title of the page, if it has one: a heading at the start of the text that repeats it is
    /// left out.
    pub page_title: Option<&'a str>,
    /// The beginning of the address that edits a section; its number is appended. With it, each
    /// heading that starts a [section](crate::sections) has a link.
    pub section_edit: Option<&'a str>,
    /// How long rendering may take before the text is shown as it is.
    pub timeout: Duration,
}

impl Default for RenderOptions<'_> {
    fn default() -> Self {
        RenderOptions {
            id_prefix: "",
            heading_offset: 1,
            page_title: None,
            section_edit: None,
            timeout: Duration::from_millis(250),
        }
    }
}
