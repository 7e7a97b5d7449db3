//! Texts of records as HTML, with links to what the viewer may see.
//!
//! Invariant: what the viewer may not see gets no link, as if it did not exist.

use quarry_actions::wiki;
use quarry_domain::access::permission::Permission;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::access::visibility;
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::administration::setting::Setting;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::content::attachment::{Attachment, clean_name, is_image_name};
use quarry_domain::content::wiki::normalize_title;
use quarry_domain::ids::{AttachmentId, IssueId, ProjectId, UserId, VersionId};
use quarry_domain::index_feed::kind::Kind;
use quarry_http::resources::paths;
use quarry_http::resources::search::title;
use quarry_http::{Error, RequestContext};
use quarry_markup::{
    Key, Link, LinkResolver, LinkState, Reference, RenderOptions, SafeHtml, Target, TextFormat,
    render,
};
use quarry_store::index_feed::search_records;
use quarry_store::projects::changesets;
use quarry_store::{Read, issues};
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

/// Resolves references of the texts of a record.
pub struct Links<'a> {
    pub db: &'a Read<'a>,
    pub viewer: &'a Viewer,
    /// The project of the text.
    pub project: ProjectId,
    /// The files of the record.
    pub files: &'a [Attachment],
    /// The issue of the text.
    pub issue: Option<IssueId>,
}

/// Resolves references of one text of a record.
pub struct TextLinks<'t, 'a> {
    pub links: &'t Links<'a>,
    /// The files that came with the text.
    pub own_files: OwnFiles<'t>,
}

impl LinkResolver for TextLinks<'_, '_> {
    fn resolve(&self, reference: &Reference<'_>) -> Option<Link> {
        self.links.resolve(reference, self.own_files)
    }
}

fn link(href: String) -> Link {
    Link {
        href,
        ..Link::default()
    }
}

impl Links<'_> {
    fn resolve(&self, reference: &Reference<'_>, own_files: OwnFiles<'_>) -> Option<Link> {
        let project = match reference.project {
            Some(identifier) => self.catalogue().project_by(identifier)?.id,
            None => self.project,
        };
        self.viewer.rights(project)?;
        match reference.target {
            Target::Issue {
                id,
                note,
                with_subject,
            } => self.issue(IssueId(id), note, with_subject),
            Target::Note(note) => self.issue.map(|issue| link(paths::note(issue, note))),
            Target::WikiPage(title) => self.wiki_page(project, title),
            Target::Revision(revision) | Target::Commit(revision) => {
                self.changeset(project, revision)
            }
            Target::Attachment(key) => own_files.link(self.files, key),
            Target::Image(name) => own_files.image(self.files, name),
            Target::User(key) => self.user(key),
            Target::Version(key) => self.version(project, key),
            Target::Document(Key::Id(id)) => self.record(Kind::Document, id),
            Target::Message(Key::Id(id)) => self.record(Kind::Message, id),
            Target::News(Key::Id(id)) => self.record(Kind::News, id),
            Target::Project(key) => self.project(key),
            Target::Source(_)
            | Target::Document(_)
            | Target::Forum(_)
            | Target::Message(_)
            | Target::News(_) => None,
        }
    }

    fn catalogue(&self) -> &Catalogue {
        self.db.catalogue()
    }

    fn issue(&self, id: IssueId, note: Option<u32>, with_subject: bool) -> Option<Link> {
        let issue = issues::find(self.db, visibility::issues(self.viewer), id).ok()??;
        let tracker = self
            .catalogue()
            .tracker(issue.tracker)
            .map_or("", |tracker| &tracker.name);
        let status = self.catalogue().status(issue.status);
        let note = note.map(|note| format!("#note-{note}")).unwrap_or_default();
        Some(Link {
            href: format!("{}{note}", paths::issue(id)),
            label: with_subject.then(|| format!("{tracker} #{id}: {}", issue.subject)),
            title: Some(format!(
                "{tracker}: {} ({})",
                issue.subject,
                status.map_or("", |status| &status.name)
            )),
            state: if status.is_some_and(|status| status.is_closed) {
                LinkState::Closed
            } else {
                LinkState::Normal
            },
        })
    }

    fn wiki_page(&self, project: ProjectId, title: &str) -> Option<Link> {
        let identifier = &self.catalogue().projects.get(&project)?.identifier;
        match wiki::find(
            self.db,
            self.viewer,
            project,
            Some(title).filter(|title| !title.is_empty()),
        ) {
            Ok(found) => {
                let page = found.into_page();
                let project = self.catalogue().projects.get(&page.project)?;
                Some(link(paths::wiki_page(&project.identifier, &page.title)))
            }
            Err(_) if self.viewer.may(Permission::EditWikiPages, project) => {
                let href = paths::wiki_page(identifier, &normalize_title(title));
                Some(Link {
                    state: LinkState::Missing,
                    ..link(href)
                })
            }
            Err(_) => None,
        }
    }

    fn changeset(&self, project: ProjectId, revision: &str) -> Option<Link> {
        let changeset =
            changesets::find_in_project(self.db, self.viewer, project, None, revision).ok()??;
        let record = search_records::load(self.db, self.viewer, Kind::Changeset, &[changeset.id])
            .ok()?
            .remove(&changeset.id)?;
        let first_line: String = changeset
            .comments
            .lines()
            .next()
            .unwrap_or_default()
            .chars()
            .take(200)
            .collect();
        Some(Link {
            title: Some(first_line),
            ..link(title::path(&record, self.catalogue()))
        })
    }

    fn user(&self, key: Key<'_>) -> Option<Link> {
        let user = match key {
            Key::Id(id) => self.catalogue().users.get(&UserId(id)),
            Key::Name(login) => self.catalogue().user_by_login(login),
        }?;
        let is_visible = user.status == UserStatus::Active
            && visibility::can_see_principal(self.viewer, self.catalogue(), user.id.into());
        (is_visible || self.viewer.admin).then(|| Link {
            label: Some(user.name.clone()),
            ..link(paths::user(user.id))
        })
    }

    fn version(&self, project: ProjectId, key: Key<'_>) -> Option<Link> {
        let version = match key {
            Key::Id(id) => self.catalogue().versions.get(&VersionId(id)),
            Key::Name(name) => self
                .catalogue()
                .versions
                .values()
                .find(|version| version.project == project && version.name == name),
        }?;
        let state = if version.status == "closed" {
            LinkState::Closed
        } else {
            LinkState::Normal
        };
        let is_visible = self.viewer.may(Permission::ViewIssues, version.project);
        is_visible.then(|| Link {
            label: Some(version.name.clone()),
            state,
            ..link(paths::version(version.id))
        })
    }

    fn project(&self, key: Key<'_>) -> Option<Link> {
        let project = match key {
            Key::Id(id) => self.catalogue().projects.get(&ProjectId(id)),
            Key::Name(identifier) => self.catalogue().project_by(identifier),
        }?;
        if !self.viewer.sees(project.id) {
            return None;
        }
        Some(Link {
            label: Some(project.name.clone()),
            ..link(paths::project(project))
        })
    }

    fn record(&self, kind: Kind, id: i64) -> Option<Link> {
        let record = search_records::load(self.db, self.viewer, kind, &[id])
            .ok()?
            .remove(&id)?;
        Some(Link {
            label: Some(record.title.clone()),
            ..link(title::path(&record, self.catalogue()))
        })
    }
}
