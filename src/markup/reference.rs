//! What a text can link to by its own notation: `#12`, `[[Page]]`, `commit:abc123`, `@login`.

/// A link in the notation of wiki markup, as it was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reference<'t> {
    /// The identifier of the project that was named: `sandbox` in `sandbox:r12`. `None` is the
    /// project of the text.
    pub project: Option<&'t str>,
    /// What is linked.
    pub target: Target<'t>,
}

/// The kind of record that a reference names, and which one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target<'t> {
    /// `#12`, `#12-3` and `#12#note-3`; `##12` shows the subject too.
    Issue {
        /// The id of the issue.
        id: i64,
        /// The number of the note within the issue.
        note: Option<u32>,
        /// Whether the link should show the subject.
        with_subject: bool,
    },
    /// `#note-3`: a note of the issue that the text belongs to.
    Note(u32),
    /// `[[Page]]`, `[[project:Page]]`; an empty title is the start page.
    WikiPage(&'t str),
    /// `r12`
    Revision(&'t str),
    /// `commit:abc123`
    Commit(&'t str),
    /// `source:path/to/file@revision#L12`
    Source(&'t str),
    /// `attachment:file.png`
    Attachment(Key<'t>),
    /// The file name in an image, such as `![](file.png)` or `!file.png!`. The address of the link
    /// becomes the source of the image.
    Image(&'t str),
    /// `@login`, `user:login`, `user#7`
    User(Key<'t>),
    /// `@"Full Name"`
    FullName(&'t str),
    /// `version:1.0`, `version#3`
    Version(Key<'t>),
    /// `document:Title`, `document#4`
    Document(Key<'t>),
    /// `forum:Name`, `forum#2`
    Forum(Key<'t>),
    /// `message#9`
    Message(Key<'t>),
    /// `news:Title`, `news#3`
    News(Key<'t>),
    /// `project:identifier`, `project#1`
    Project(Key<'t>),
}

/// How a record is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key<'t> {
    /// By its id.
    Id(i64),
    /// By its name, title, file name, login or identifier.
    Name(&'t str),
}

/// What a reference resolves to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// The address, percent-encoded: a path of this service or an `http` URL. The fragment of a
    /// wiki link is added by the renderer.
    pub href: String,
    /// The text of the link, where it is not what was typed.
    pub label: Option<String>,
    /// The tooltip.
    pub title: Option<String>,
    /// How the link is marked.
    pub state: LinkState,
}

/// How a link is marked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinkState {
    /// Not at all.
    #[default]
    Normal,
    /// The issue or version is closed.
    Closed,
    /// The wiki page does not exist; the link offers to create it.
    Missing,
}

/// Turns references into links for one viewer and one text.
pub trait LinkResolver {
    /// Returns the link, or `None` where the record does not exist or the viewer may not see it:
    /// the text then stays as it was typed.
    fn resolve(&self, reference: &Reference<'_>) -> Option<Link>;
}

/// Resolves nothing: every reference stays text.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoLinks;

impl LinkResolver for NoLinks {
    fn resolve(&self, _: &Reference<'_>) -> Option<Link> {
        None
    }
}

impl Target<'_> {
    /// Returns the CSS class of links of this kind.
    pub(super) fn class(&self) -> &'static str {
        match self {
            Target::Issue { .. } | Target::Note(_) => "issue",
            Target::WikiPage(_) => "wiki-page",
            Target::Revision(_) | Target::Commit(_) => "changeset",
            Target::Source(_) => "source",
            Target::Attachment(_) | Target::Image(_) => "attachment",
            Target::User(_) | Target::FullName(_) => "user",
            Target::Version(_) => "version",
            Target::Document(_) => "document",
            Target::Forum(_) => "forum",
            Target::Message(_) => "message",
            Target::News(_) => "news",
            Target::Project(_) => "project",
        }
    }
}
