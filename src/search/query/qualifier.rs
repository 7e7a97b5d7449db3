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
    /// Issues in a state.
    Is = "is", "open, closed, mine, watched, overdue, private or unread";
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
    Created = "created", "a day such as 2024-01-31, today, -7d or last-week, with >=, >, <= or < before it, or two with .. between them";
    /// The date of the last change.
    Updated = "updated", "a day such as 2024-01-31, today, -7d or last-week, with >=, >, <= or < before it, or two with .. between them";
    /// The date on which an issue was closed.
    Closed = "closed", "a day such as 2024-01-31, today, -7d or last-week, with >=, >, <= or < before it, two with .. between them, or none";
    /// The start date of an issue.
    Start = "start", "a day such as 2024-01-31, today, +7d or next-week, with >=, >, <= or < before it, two with .. between them, or none";
    /// The due date of an issue.
    Due = "due", "a day such as 2024-01-31, today, +7d or next-week, with >=, >, <= or < before it, two with .. between them, or none";
    /// How much of an issue is done.
    Done = "done", "a number from 0 to 100, with >=, >, <= or < before it, or two with .. between them";
    /// The estimated time of an issue.
    Estimated = "estimated", "hours such as 2.5 or 1:30, with >=, >, <= or < before them, two with .. between them, or none";
    /// The time that was spent on an issue.
    Spent = "spent", "hours such as 2.5 or 1:30, with >=, >, <= or < before them, two with .. between them, or none";
    /// The parent of an issue.
    Parent = "parent", "the number of an issue, any, or none";
    /// The issues that an issue blocks.
    Blocks = "blocks", "the number of an issue, any, or none";
    /// The issues that block an issue.
    BlockedBy = "blocked-by", "the number of an issue, any, or none";
    /// The issues of which an issue is a duplicate.
    Duplicates = "duplicates", "the number of an issue, any, or none";
    /// The duplicates of an issue.
    DuplicatedBy = "duplicated-by", "the number of an issue, any, or none";
    /// Issues that are related.
    Relates = "relates", "the number of an issue, any, or none";
    /// Who watches an issue.
    Watcher = "watcher", "a login, a name, or me";
    /// Who wrote a note.
    Commenter = "commenter", "a login, a name, or me";
    /// Who wrote or watches an issue, wrote a note, or is assigned to it.
    Involves = "involves", "a login, a name, or me";
    /// Who is mentioned in the description or a note of an issue.
    Mentions = "mentions", "a login, a name, or me";
    /// A status that an issue had. Who changed it and when may follow.
    Was = "was", "the name of a status; by: and on: may follow";
    /// An attribute of an issue that was changed. Who changed it and when may follow.
    Changed = "changed", "an attribute such as status, assignee or due, or a custom field; by: and on: may follow";
    /// A custom field of an issue.
    Field = "field", "the name of a custom field that you can see, with a value after =, >=, >, <= or <, such as field:\"Build number\">=12";
    /// What belongs to a record.
    Has = "has", "attachment, notes, description, parent, children, assignee, version, category, start, due, estimate or spent";
    /// The order.
    Sort = "sort", "relevance or date; in lists of issues also updated, closed, due, priority and other columns, with -asc or -desc after them";
    /// Where the words must be.
    In = "in", "title, text, notes or files";
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
    pub(super) fn joins_values(self, value: &str) -> bool {
        match self {
            Qualifier::Is => matches!(value, "open" | "closed"),
            Qualifier::Type
            | Qualifier::Project
            | Qualifier::Author
            | Qualifier::Assignee
            | Qualifier::Status
            | Qualifier::Tracker
            | Qualifier::Priority
            | Qualifier::Version
            | Qualifier::Category
            | Qualifier::Parent => true,
            _ => false,
        }
    }

    /// Whether its name often stands before a colon in messages, so that it needs a value right after
    /// the colon.
    pub(super) fn is_common_word(self) -> bool {
        matches!(
            self,
            Qualifier::Closed
                | Qualifier::Start
                | Qualifier::Due
                | Qualifier::Done
                | Qualifier::Estimated
                | Qualifier::Spent
                | Qualifier::Parent
                | Qualifier::Blocks
                | Qualifier::Duplicates
                | Qualifier::Relates
                | Qualifier::Mentions
                | Qualifier::Sort
                | Qualifier::Was
                | Qualifier::Changed
                | Qualifier::Field
        )
    }

    /// Whether `by:` and `on:` may follow it: who made a change, and when.
    pub(super) fn accepts_modifiers(self) -> bool {
        matches!(self, Qualifier::Was | Qualifier::Changed)
    }

    /// Returns the qualifier that was probably meant by a name of at least five letters with one
    /// edit, or of eight with two.
    pub(super) fn nearest(name: &str) -> Option<Qualifier> {
        let long = Self::ALL
            .iter()
            .copied()
            .filter(|qualifier| name.len().min(qualifier.name().len()) >= 5);
        let edits = if name.len() < 8 { 1 } else { 2 };
        let mut near = long.filter(|qualifier| distance(name, qualifier.name()) <= edits);
        near.next()
    }
}
