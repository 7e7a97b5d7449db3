//! The searchable content types (docs/search.md section 3).

use crate::access::permission::Permission;
use strum::{EnumString, IntoStaticStr};

/// A content type. The text of a variant is the name of Redmine's model.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, EnumString, IntoStaticStr,
)]
#[repr(u8)]
pub enum Kind {
    /// An issue with its notes.
    #[default]
    Issue = 0,
    /// A news item.
    News = 1,
    /// A document.
    Document = 2,
    /// A changeset of a repository.
    Changeset = 3,
    /// A wiki page in its current version.
    WikiPage = 4,
    /// A forum message: a topic or a reply.
    Message = 5,
    /// A project.
    Project = 6,
}

impl Kind {
    /// All content types, in the order in which Redmine lists them.
    pub const ALL: [Kind; 7] = [
        Kind::Issue,
        Kind::News,
        Kind::Document,
        Kind::Changeset,
        Kind::WikiPage,
        Kind::Message,
        Kind::Project,
    ];

    /// Returns the content type with this code.
    pub fn from_code(code: u8) -> Option<Kind> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// Returns the code of the type in the store and the index.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// Returns the name of the request parameter that selects the type (docs/search.md section 2).
    pub fn parameter(self) -> &'static str {
        match self {
            Kind::Issue => "issues",
            Kind::News => "news",
            Kind::Document => "documents",
            Kind::Changeset => "changesets",
            Kind::WikiPage => "wiki_pages",
            Kind::Message => "messages",
            Kind::Project => "projects",
        }
    }

    /// Returns the permission to view records of the type (docs/search.md section 5).
    pub fn permission(self) -> Permission {
        match self {
            Kind::Issue => Permission::ViewIssues,
            Kind::News => Permission::ViewNews,
            Kind::Document => Permission::ViewDocuments,
            Kind::Changeset => Permission::ViewChangesets,
            Kind::WikiPage => Permission::ViewWikiPages,
            Kind::Message => Permission::ViewMessages,
            Kind::Project => Permission::ViewProject,
        }
    }
}
