//! The title and the excerpt of one hit.

use super::excerpt::Excerpt;
use super::fields::TextField;
use super::highlighter::Highlighter;
use super::passage::Passage;

/// The highlighted title and the excerpt of a hit.
#[derive(Debug, PartialEq, Eq)]
pub struct RenderedHit {
    /// The title, with the words marked.
    pub title: Passage,
    /// The text around the words that are not in the title.
    pub excerpt: Excerpt,
}

impl Highlighter<'_> {
    /// Renders a hit: its title with the prefix `before`, and an excerpt of the texts.
    pub fn render<'t>(&self, before: &str, title: &str, texts: impl Iterator<Item = (TextField, &'t str)> + Clone) -> RenderedHit {
        let (title, covered) = self.title(before, title);
        RenderedHit { title, excerpt: self.excerpt(texts, &covered) }
    }
}
