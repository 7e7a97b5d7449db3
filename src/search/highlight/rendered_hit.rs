//! The title and the excerpt of one hit.

use super::excerpt::Excerpt;
use super::fields::TextField;
use super::highlighter::Highlighter;
use super::passage::Passage;

/// The highlighted title and the excerpt of a hit.
#[derive(Debug, PartialEq, Eq)]
pub struct RenderedHit {
    /// The title, with the words of the query marked.
    pub title: Passage,
    /// Passages around the words of the query, preferably those that the title does not contain.
    pub excerpt: Excerpt,
}

impl Highlighter<'_> {
    /// Renders a hit: its title after `prefix`, and an excerpt of the texts.
    pub fn render<'t>(
        &self,
        prefix: &str,
        title: &str,
        texts: impl Iterator<Item = (TextField, &'t str)> + Clone,
    ) -> RenderedHit {
        let (title, covered) = self.title(prefix, title);
        RenderedHit {
            title,
            excerpt: self.excerpt(texts, &covered),
        }
    }
}
