//! The page that a form edits, and the text that the form is based on.

use super::address::{Target, name, path, require};
use crate::access;
use crate::components::form_field::typed;
use crate::prelude::*;
use quarry_domain::administration::setting::Setting;
use quarry_domain::content::wiki::{WikiChange, WikiPage, is_protected_by_name, normalize_title};
use quarry_domain::values::patch::Patch;
use quarry_markup::TextFormat;
use quarry_markup::sections::SplitText;
use quarry_store::content::wiki;
use twox_hash::XxHash3_64;

/// The page that a form edits.
pub struct EditedPage {
    pub project: ProjectId,
    /// The page; `None` for a new one.
    pub page: Option<WikiPage>,
    /// Its title; `None` if the form has a field for it.
    pub title: Option<String>,
}

/// A section of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub number: usize,
    /// The hash of its text when the form was loaded.
    pub hash: String,
}

/// What the form shows where nothing was typed, and what it is based on.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    pub text: String,
    pub comments: String,
    /// The version that it is based on; 0 for a new page.
    pub version: i64,
    /// The page that it is based on; `None` for a new one.
    pub page: Option<i64>,
    /// The section that is edited; `None` for the whole text.
    pub section: Option<Section>,
    /// The title of the parent when the form was loaded.
    pub parent: String,
}

impl EditedPage {
    /// Returns the page that a form asks the title of.
    pub fn with_new_title(request: &RequestContext, db: &Read<'_>) -> Result<EditedPage, Error> {
        let project = access::project(request, db.catalogue(), Permission::ViewWikiPages)?;
        require_create(request, project, "")?;
        Ok(EditedPage {
            project: project.id,
            page: None,
            title: None,
        })
    }

    /// Returns the page of an address. Fails if the viewer may not edit it.
    pub fn new(request: &RequestContext, target: Target<'_>) -> Result<EditedPage, Error> {
        match target {
            Target::Page(project, page) | Target::Moved(project, page) => {
                require(request, Permission::EditWikiPages, &page)?;
                Ok(EditedPage {
                    project: project.id,
                    title: Some(page.title.clone()),
                    page: Some(*page),
                })
            }
            Target::Missing(project) => {
                let title = normalize_title(request.path_param("title"));
                require_create(request, project, &title)?;
                // Of such a title nothing would be seen.
                if name(&title).trim().is_empty() {
                    return Err(Error::NotFound);
                }
                Ok(EditedPage {
                    project: project.id,
                    page: None,
                    title: Some(title),
                })
            }
        }
    }

    /// Returns the address of the page, or of the wiki.
    pub fn path(&self, project: &Project) -> String {
        match &self.title {
            Some(title) => path(project, title),
            None => format!("{}/wiki", paths::project(project)),
        }
    }
}

fn require_create(request: &RequestContext, project: &Project, title: &str) -> Result<(), Error> {
    let viewer = request.viewer();
    let may_create = viewer.may(Permission::EditWikiPages, project.id)
        && (!is_protected_by_name(title) || viewer.may(Permission::ProtectWikiPages, project.id));
    may_create.then_some(()).ok_or(Error::Forbidden)
}

impl Section {
    /// Describes a section with this text.
    pub fn new(number: usize, text: &str) -> Section {
        Section {
            number,
            hash: format!("{:016x}", XxHash3_64::oneshot(text.as_bytes())),
        }
    }
}

impl Draft {
    /// Returns what the form that was sent is based on, with its text.
    pub fn from_body(body: &Input) -> Draft {
        let text = |name: &str| typed(body, name).unwrap_or_default();
        // There is no section 0, so that a number that cannot be parsed changes nothing.
        let number = Some(text("section"))
            .filter(|number| !number.is_empty())
            .map(|number| number.parse().unwrap_or(0));
        Draft {
            text: text("wiki_page[text]"),
            comments: text("wiki_page[comments]"),
            version: text("wiki_page[version]").parse().unwrap_or(0),
            page: text("page_id").parse().ok(),
            section: number.map(|number| Section {
                number,
                hash: text("section_hash"),
            }),
            parent: text("former_parent"),
        }
    }

    /// Returns the whole text with the section that was typed. `None` if the text that it is based
    /// on has no such section.
    pub fn whole_text(
        &self,
        db: &Read<'_>,
        page: Option<&WikiPage>,
    ) -> Result<Option<String>, Error> {
        let Some(section) = &self.section else {
            return Ok(Some(self.text.clone()));
        };
        let Some(page) = page else {
            return Ok(None);
        };
        let base = wiki::find_version(db, page.id, self.version)?;
        let split =
            base.and_then(|base| SplitText::at(&base.text, text_format(db), section.number));
        let split = split.filter(|split| Section::new(section.number, &split.section) == *section);
        Ok(split.map(|split| split.with_section(&self.text)))
    }

    /// Returns the change of the page with this text, from the fields of the form. What somebody else has
    /// chosen meanwhile stays: the parent changes only if it was changed in the form.
    pub fn change(&self, text: String, fields: WikiChange) -> WikiChange {
        let typed_parent = normalize_title(fields.parent.value().map_or("", String::as_str));
        let is_same_parent = typed_parent == normalize_title(&self.parent);
        WikiChange {
            text: Patch::Set(text),
            comments: fields.comments.filter(|comments| !comments.is_empty()),
            base_version: Patch::Set(self.version),
            parent: if self.section.is_some() || is_same_parent {
                Patch::Unset
            } else {
                fields.parent
            },
            deleted_files: fields.deleted_files,
            ..WikiChange::default()
        }
    }
}

/// Returns the notation of texts.
pub fn text_format(db: &Read<'_>) -> TextFormat {
    TextFormat::from_setting(db.catalogue().setting(Setting::TextFormatting))
}
