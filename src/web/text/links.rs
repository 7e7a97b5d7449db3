//! Links in the texts of a record, to what the viewer may see.

use super::own_files::OwnFiles;
use crate::prelude::*;
use quarry_actions::content::wiki;
use quarry_domain::access::visibility;
use quarry_domain::accounts::user::{User, UserStatus};
use quarry_domain::content::attachment::Attachment;
use quarry_domain::content::wiki::normalize_title;
use quarry_domain::ids::VersionId;
use quarry_domain::index_feed::kind::Kind;
use quarry_http::resources::search::title;
use quarry_markup::{
    Key, Link, LinkResolver, LinkState, MAX_REFERENCES, Reference, Target, references,
};
use quarry_store::content::wiki as stored_wiki;
use quarry_store::index_feed::search_records;
use quarry_store::issues;
use quarry_store::projects::changesets;

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
    /// Prepares for the texts to be rendered: loads the issues and wiki pages that they name.
    pub fn preload<'t>(
        &self,
        texts: impl IntoIterator<Item = &'t str> + Clone,
    ) -> Result<(), Error> {
        let targets = || {
            let references = texts.clone().into_iter().flat_map(references);
            references.take(MAX_REFERENCES)
        };
        let issues = targets().filter_map(|reference| match reference.target {
            Target::Issue { id, .. } => Some(IssueId(id)),
            _ => None,
        });
        issues::preload(self.db, issues)?;
        let pages = targets().filter_map(|reference| match reference.target {
            Target::WikiPage(title) if !title.is_empty() => {
                Some((self.wiki(reference.project)?, title))
            }
            _ => None,
        });
        Ok(stored_wiki::preload(self.db, pages)?)
    }

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
            Target::FullName(name) => self.link_to(self.catalogue().user_by_full_name(name)?),
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

    /// Returns the wiki of a project, by default of that of the text.
    fn wiki(&self, project: Option<&str>) -> Option<i64> {
        let project = match project {
            Some(identifier) => self.catalogue().project_by(identifier)?.id,
            None => self.project,
        };
        let wiki = stored_wiki::find_by_project(self.db, project).ok()??;
        Some(wiki.id)
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
        Some(Link {
            title: Some(changeset.subject()),
            ..link(title::path(&record, self.catalogue()))
        })
    }

    fn user(&self, key: Key<'_>) -> Option<Link> {
        self.link_to(match key {
            Key::Id(id) => self.catalogue().users.get(&UserId(id)),
            Key::Name(login) => self.catalogue().user_by_login(login),
        }?)
    }

    fn link_to(&self, user: &User) -> Option<Link> {
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
