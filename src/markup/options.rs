//! In which notation a text is, and how it is rendered.

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
    /// The format for a value of the setting `text_formatting`; unknown values are Markdown.
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
    /// What the ids of headings and footnotes start with. Texts that share a page need different prefixes.
    pub id_prefix: &'a str,
    /// The level of the page's headings under which the text stands: with 1, `# Title` becomes `<h2>`.
    pub heading_offset: u8,
    /// How long rendering may take before the text is shown as it is.
    pub timeout: Duration,
}

impl Default for RenderOptions<'_> {
    fn default() -> Self {
        RenderOptions { id_prefix: "", heading_offset: 1, timeout: Duration::from_millis(250) }
    }
}
