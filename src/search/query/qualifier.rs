//! The qualifiers of the query language, such as `is:open`: their names, and what they expect.

use quarry_domain::values::edit_distance::distance;

macro_rules! qualifiers {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $expects:literal;)*) => {
        /// A qualifier, which narrows a search.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Qualifier { $($(#[$doc])* $variant),* }

        impl Qualifier {
            /// All qualifiers.
            pub const ALL: &[Qualifier] = &[$(Qualifier::$variant),*];

            /// Returns its name, without the colon.
            pub fn name(self) -> &'static str {
                match self { $(Qualifier::$variant => $name),* }
            }

            /// Returns what its value may be, for messages.
            pub fn expects(self) -> &'static str {
                match self { $(Qualifier::$variant => $expects),* }
            }
        }
    };
}

qualifiers! {
    /// Open or closed issues.
    Is = "is", "open or closed";
    /// The content type.
    Type = "type", "issue, wiki, news, document, changeset, message or project";
    /// A project and its subprojects.
    Project = "project", "the identifier or number of a project that you can see";
    /// The author.
    Author = "author", "a login, a name, or me";
    /// The assignee of an issue.
    Assignee = "assignee", "a login, a name, me, or none";
    /// The status of an issue.
    Status = "status", "the name of a status";
    /// The tracker of an issue.
    Tracker = "tracker", "the name of a tracker";
    /// The priority of an issue.
    Priority = "priority", "the name of a priority";
    /// The target version of an issue.
    Version = "version", "the name of a version that you can see, or none";
    /// The category of an issue.
    Category = "category", "the name of a category that you can see, or none";
    /// The date of creation.
    Created = "created", "a day such as 2024-01-31, with >=, >, <= or < before it, or two with .. between them";
    /// The date of the last change.
    Updated = "updated", "a day such as 2024-01-31, with >=, >, <= or < before it, or two with .. between them";
    /// What is attached.
    Has = "has", "attachment";
    /// Where the words must be.
    In = "in", "title";
}

impl Qualifier {
    /// Returns the qualifier with this name.
    pub fn parse(name: &str) -> Option<Qualifier> {
        Self::ALL
            .iter()
            .copied()
            .find(|qualifier| qualifier.name() == name)
    }

    /// Whether several values of it at one place are alternatives, because a record has one of them.
    pub(super) fn joins_values(self) -> bool {
        !matches!(
            self,
            Qualifier::Created | Qualifier::Updated | Qualifier::Has | Qualifier::In
        )
    }

    /// Returns the qualifier that was probably meant by a name of at least five letters with one or
    /// two edits.
    pub(super) fn nearest(name: &str) -> Option<Qualifier> {
        let long = Self::ALL
            .iter()
            .copied()
            .filter(|qualifier| name.len().min(qualifier.name().len()) >= 5);
        let mut near = long.filter(|qualifier| distance(name, qualifier.name()) <= 2);
        near.next()
    }
}
