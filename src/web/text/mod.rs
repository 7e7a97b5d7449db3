//! Texts of records as HTML, with links to what the viewer may see.

mod files;
mod links;

use crate::domain::attachment::Attachment;
use crate::domain::ids::{IssueId, ProjectId};
use crate::domain::setting::Setting;
use crate::domain::viewer::Viewer;
use crate::markup::{RenderOptions, SafeHtml, TextFormat, render};
use crate::store::Read;
pub use files::OwnFiles;
use links::{Links, TextLinks};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// How long the texts of a page may take together; further ones are shown without their markup.
const MAX_TIME: Duration = Duration::from_secs(1);

/// Renders the texts of one record.
pub struct TextRenderer<'a> {
    format: TextFormat,
    links: Links<'a>,
    /// The time that rendering has taken so far.
    spent: Cell<Duration>,
}

impl<'a> TextRenderer<'a> {
    /// Creates a renderer for texts of this project, with files that texts can name.
    pub fn new(db: &'a Read<'a>, viewer: &'a Viewer, project: ProjectId, files: &'a [Attachment]) -> TextRenderer<'a> {
        let format = TextFormat::from_setting(db.catalogue().setting(Setting::TextFormatting));
        TextRenderer { format, links: Links { db, viewer, project, files, issue: None }, spent: Cell::default() }
    }

    /// Makes `#note-3` a link to a note of this issue.
    #[must_use]
    pub fn of_issue(mut self, issue: IssueId) -> TextRenderer<'a> {
        self.links.issue = Some(issue);
        self
    }

    /// Renders a text. Texts that share a page have different prefixes for the ids of their headings.
    pub fn render(&self, text: &str, id_prefix: &str) -> SafeHtml {
        self.render_with_files(text, id_prefix, OwnFiles::default())
    }

    /// Renders a text that came with files.
    pub fn render_with_files(&self, text: &str, id_prefix: &str, own_files: OwnFiles<'_>) -> SafeHtml {
        let mut options = RenderOptions { id_prefix, ..RenderOptions::default() };
        options.timeout = options.timeout.min(MAX_TIME.saturating_sub(self.spent.get()));
        let started = Instant::now();
        let html = render(text, self.format, &TextLinks { links: &self.links, own_files }, &options);
        self.spent.set(self.spent.get() + started.elapsed());
        html
    }
}
