//! The files that a text names.

use quarry_domain::content::attachment::{Attachment, clean_name, is_image_name};
use quarry_domain::ids::AttachmentId;
use quarry_http::resources::paths;
use quarry_markup::{Key, Link};

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
    pub(super) fn image(&self, all: &[Attachment], name: &str) -> Option<Link> {
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
    pub(super) fn link(&self, all: &[Attachment], key: Key<'_>) -> Option<Link> {
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
