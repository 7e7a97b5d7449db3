//! Texts of records as HTML, with links to what the viewer may see.
//!
//! Invariant: what the viewer may not see gets no link, as if it did not exist.

mod links;

use links::{Links, TextLinks};
use quarry_domain::administration::setting::Setting;
use quarry_domain::content::attachment::{Attachment, clean_name, is_image_name};
use quarry_domain::ids::{AttachmentId, IssueId, ProjectId};
use quarry_http::resources::paths;
use quarry_http::{Error, RequestContext};
use quarry_markup::{Key, Link, RenderOptions, SafeHtml, TextFormat, render};
use quarry_store::Read;
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

/// The files that came with a text. They precede other files of the same name; among themselves,
/// the last one does.
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnFiles<'t> {
    /// Files of the record.
    pub attached: &'t [AttachmentId],
    /// The names of files that are chosen in the form of the text and not sent yet. The script of
    /// the preview shows them in place of the address `#file-` with their index.
    pub chosen: &'t [String],
}

impl OwnFiles<'_> {
    /// Returns the image with this name among these files and `all` files of the record, as the
    /// source of an image.
    fn image(&self, all: &[Attachment], name: &str) -> Option<Link> {
        if let Some(link) = self.chosen(name).filter(|_| is_image_name(name)) {
            return Some(link);
        }
        let file = self.last(all, |file| {
            file.is_image() && file.filename.eq_ignore_ascii_case(name)
        })?;
        Some(Link {
            href: paths::download(file.id, &file.filename),
            ..Link::default()
        })
    }

    /// Returns the link to a file among these and `all` files of the record.
    fn link(&self, all: &[Attachment], key: Key<'_>) -> Option<Link> {
        let file = match key {
            Key::Id(id) => all.iter().find(|file| file.id.0 == id)?,
            Key::Name(name) => match self.chosen(name) {
                Some(link) => return Some(link),
                None => self.last(all, |file| file.filename.eq_ignore_ascii_case(name))?,
            },
        };
        Some(Link {
            href: paths::attachment(file.id),
            ..Link::default()
        })
    }

    fn chosen(&self, name: &str) -> Option<Link> {
        let index = self
            .chosen
            .iter()
            .rposition(|chosen| clean_name(chosen).eq_ignore_ascii_case(name))?;
        Some(Link {
            href: format!("#file-{index}"),
            ..Link::default()
        })
    }

    fn last<'a>(
        &self,
        all: &'a [Attachment],
        matches: impl Fn(&Attachment) -> bool,
    ) -> Option<&'a Attachment> {
        let own = all
            .iter()
            .rfind(|file| self.attached.contains(&file.id) && matches(file));
        own.or_else(|| all.iter().rfind(|file| matches(file)))
    }
}
