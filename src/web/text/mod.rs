//! Texts of records as HTML, with links to what the viewer may see.

mod files;
mod links;

use crate::domain::attachment::Attachment;
use crate::domain::ids::{IssueId, ProjectId};
use crate::domain::setting::Setting;
use crate::http::{Error, RequestContext};
use crate::markup::{RenderOptions, SafeHtml, TextFormat, render};
use crate::store::Read;
pub use files::OwnFiles;
use links::{Links, TextLinks};
use std::time::Instant;

/// Renders the texts of one record.
pub struct TextRenderer<'a> {
    request: &'a RequestContext,
    format: TextFormat,
    links: Links<'a>,
}

impl<'a> TextRenderer<'a> {
    /// Creates a renderer for texts of this project, with files that texts can name.
    pub fn new(
        request: &'a RequestContext,
        db: &'a Read<'a>,
        project: ProjectId,
        files: &'a [Attachment],
    ) -> TextRenderer<'a> {
        let format = TextFormat::from_setting(db.catalogue().setting(Setting::TextFormatting));
        TextRenderer {
            request,
            format,
            links: Links {
                db,
                viewer: request.viewer(),
                project,
                files,
                issue: None,
            },
        }
    }

    /// Makes `#note-3` a link to a note of this issue.
    #[must_use]
    pub fn of_issue(mut self, issue: IssueId) -> TextRenderer<'a> {
        self.links.issue = Some(issue);
        self
    }

    /// Renders a text. Texts that share a page have different prefixes for the ids of their
    /// headings. Fails with [`Error::LongText`] when the page needs a slot for long texts.
    pub fn render(&self, text: &str, id_prefix: &str) -> Result<SafeHtml, Error> {
        self.render_with_files(text, id_prefix, OwnFiles::default())
    }

    /// Renders a text that came with files, as [`TextRenderer::render`] does.
    pub fn render_with_files(
        &self,
        text: &str,
        id_prefix: &str,
        own_files: OwnFiles<'_>,
    ) -> Result<SafeHtml, Error> {
        let budget = self.request.render_budget();
        let mut options = RenderOptions {
            id_prefix,
            ..RenderOptions::default()
        };
        options.timeout = options.timeout.min(budget.time_for(text.len())?);
        let started = Instant::now();
        let html = render(
            text,
            self.format,
            &TextLinks {
                links: &self.links,
                own_files,
            },
            &options,
        );
        budget.record(started.elapsed());
        Ok(html)
    }
}
