//! Texts of records as HTML, with links to what the viewer may see.
//!
//! Invariant: what the viewer may not see gets no link, as if it did not exist.

mod links;
mod own_files;

pub use own_files::OwnFiles;

use crate::prelude::*;
use links::{Links, TextLinks};
use quarry_domain::administration::setting::Setting;
use quarry_domain::content::attachment::Attachment;
use quarry_markup::{RenderOptions, SafeHtml, TextFormat, render};
use std::time::Instant;

/// Renders the texts of one record.
pub struct TextRenderer<'a> {
    request: &'a RequestContext,
    format: TextFormat,
    links: Links<'a>,
    page_title: Option<&'a str>,
    section_edit: Option<&'a str>,
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
            page_title: None,
            section_edit: None,
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

    /// Leaves out a heading at the start of the text that repeats the title of its page. With
    /// `section_edit`, the beginning of an address, each section has a link to its form.
    #[must_use]
    pub fn of_page(self, page_title: &'a str, section_edit: Option<&'a str>) -> TextRenderer<'a> {
        TextRenderer {
            page_title: Some(page_title),
            section_edit,
            ..self
        }
    }

    /// Renders a text. Texts that share a page have different prefixes for the ids of their
    /// headings. Fails with [`Error::LongText`] when the page needs a slot for long texts.
    pub fn render(&self, text: &str, id_prefix: &str) -> Result<SafeHtml, Error> {
        self.render_with_files(text, id_prefix, OwnFiles::default())
    }

    /// Prepares for the texts to be rendered: loads the issues and wiki pages that they name.
    pub fn preload<'t>(
        &self,
        texts: impl IntoIterator<Item = &'t str> + Clone,
    ) -> Result<(), Error> {
        self.links.preload(texts)
    }

    /// Renders a text that came with files, as [`TextRenderer::render`] does.
    pub fn render_with_files(
        &self,
        text: &str,
        id_prefix: &str,
        own_files: OwnFiles<'_>,
    ) -> Result<SafeHtml, Error> {
        self.preload([text])?;
        let budget = self.request.render_budget();
        let mut options = RenderOptions {
            id_prefix,
            page_title: self.page_title,
            section_edit: self.section_edit,
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
