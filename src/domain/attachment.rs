//! Files that hang on a record, and the rules about their names.

use super::ids::{AttachmentId, UserId};
use super::kind::Kind;
use super::permission::Permission;
use super::text::is_blank;
use super::validation::Complaints;
use jiff::Timestamp;

/// How many characters a name or a description may have (contract 9).
const LONGEST: usize = 255;
/// What a file is when nobody knows better.
const ANYTHING: &str = "application/octet-stream";

/// What kind of record a file hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Holder {
    /// A record that can be found.
    Record(Kind),
    /// A version of a project: one of its released files.
    Version,
    /// Something that moved in and has no files here; administrators alone see such a file.
    Other,
}

impl From<Kind> for Holder {
    fn from(kind: Kind) -> Self {
        Holder::Record(kind)
    }
}

impl Holder {
    /// Redmine's name of it, under which it is kept beside the number of its content type.
    pub fn name(self) -> &'static str {
        match self {
            Holder::Record(Kind::Issue) => "Issue",
            Holder::Record(Kind::News) => "News",
            Holder::Record(Kind::Document) => "Document",
            Holder::Record(Kind::Changeset) => "Changeset",
            Holder::Record(Kind::WikiPage) => "WikiPage",
            Holder::Record(Kind::Message) => "Message",
            Holder::Record(Kind::Project) => "Project",
            Holder::Version => "Version",
            Holder::Other => "",
        }
    }

    /// Returns the permission without which nobody sees the files of such a record, nor their names and descriptions. It does not hold
    /// where its module is off. `None` where administrators alone see them.
    pub fn view_permission(self) -> Option<Permission> {
        match self {
            Holder::Record(Kind::Project) | Holder::Version => Some(Permission::ViewFiles),
            Holder::Record(kind) => Some(kind.permission()),
            Holder::Other => None,
        }
    }
}

/// The record that a file hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Container {
    /// What it is.
    pub holder: Holder,
    /// Its number.
    pub id: i64,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Its number.
    pub id: AttachmentId,
    /// The record that it hangs on; `None` for an upload that waits for one.
    pub container: Option<Container>,
    /// Its name; never a path.
    pub filename: String,
    /// Its size in bytes.
    pub filesize: i64,
    /// Its media type, as whoever sent it said.
    pub content_type: String,
    /// What it is, in its author's words.
    pub description: String,
    /// Who sent it.
    pub author: UserId,
    /// When it was sent.
    pub created_on: Timestamp,
    /// The digest of its content: SHA-256 in hexadecimal, for old files that moved in MD5.
    pub digest: String,
    /// The SHA-256 under which its content lies here; `None` for a file that moved in without its content.
    pub content: Option<String>,
    /// How often it was downloaded; counted for the files of projects and versions.
    pub downloads: i64,
}

impl Attachment {
    /// The token by which its author hangs an upload on a record.
    pub fn token(&self) -> String {
        format!("{}.{}", self.id, self.digest)
    }

    /// Whether it is a picture that browsers show, judged by its name as in Redmine.
    pub fn is_image(&self) -> bool {
        let ending = ending(&self.filename);
        ["bmp", "gif", "jpg", "jpe", "jpeg", "png", "webp"].contains(&ending.as_str())
    }

    /// What is wrong with it, in the words of contract 9; `before` is what it was. What moved in with an odd media type may
    /// keep that.
    pub fn complaints_after(&self, before: &Attachment) -> Complaints {
        let mut complaints = self.complaints();
        if self.content_type != before.content_type {
            require_media_type(&mut complaints, &self.content_type);
        }
        complaints
    }

    /// What is wrong with its name and description, in the words of contract 9.
    pub fn complaints(&self) -> Complaints {
        let mut complaints = Complaints::new();
        complaints.require_text("File", &self.filename, LONGEST);
        if self.description.chars().count() > LONGEST {
            complaints.add("Description", &format!("is too long (maximum is {LONGEST} characters)"));
        }
        complaints
    }
}

/// Demands a media type.
pub fn require_media_type(complaints: &mut Complaints, text: &str) {
    if !is_media_type(text) {
        complaints.add("Content type", "is invalid (a media type such as text/plain is expected)");
    }
}

/// A name without what leads elsewhere or cannot be shown: what stands behind the last slash or backslash, with `_` for
/// control characters and for those that file systems and headers give a meaning to.
pub fn clean_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let mut clean = String::with_capacity(last.len());
    for c in last.trim().chars() {
        let odd = c.is_control() || is_direction(c) || "?%*:|\"'<>".contains(c);
        match odd {
            true if clean.ends_with('_') => {}
            true => clean.push('_'),
            false => clean.push(c),
        }
    }
    if !clean.is_empty() && clean.chars().all(|c| c == '.') { "_".repeat(clean.len()) } else { clean }
}

/// Whether the character only turns the direction of what follows, by which `exe.txt` can be made of `txt.exe`.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether this is a media type: two tokens with a slash between them, parameters behind them or not; in characters that a
/// header can carry.
pub fn is_media_type(text: &str) -> bool {
    let token = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&^_.+-".contains(&byte));
    let kind = text.split(';').next().unwrap_or_default();
    let parts = kind.trim_end_matches(' ').split_once('/');
    text.len() <= LONGEST
        && text.bytes().all(|byte| (0x20..0x7f).contains(&byte))
        && parts.is_some_and(|(main, sub)| token(main) && token(sub))
}

/// The media type that was said, or else the one that the name suggests.
pub fn media_type(said: Option<&str>, filename: &str) -> String {
    match said.map(str::trim).filter(|text| !is_blank(text)) {
        Some(said) => said.to_owned(),
        None => {
            let ending = ending(filename);
            let known = ENDINGS.iter().find(|(endings, _)| endings.split(' ').any(|known| known == ending));
            known.map_or(ANYTHING, |(_, kind)| kind).to_owned()
        }
    }
}

/// What stands behind the last dot, in lower case.
fn ending(filename: &str) -> String {
    filename.rsplit_once('.').map_or(String::new(), |(_, ending)| ending.to_lowercase())
}

const ENDINGS: &[(&str, &str)] = &[
    ("txt text log", "text/plain"),
    ("csv", "text/csv"),
    ("htm html", "text/html"),
    ("css", "text/css"),
    ("md markdown", "text/markdown"),
    ("diff patch", "text/x-diff"),
    ("c h", "text/x-c"),
    ("rb", "text/x-ruby"),
    ("py", "text/x-python"),
    ("java", "text/x-java"),
    ("sh", "text/x-sh"),
    ("yml yaml", "text/x-yaml"),
    ("xml xsd", "text/xml"),
    ("js", "application/javascript"),
    ("json", "application/json"),
    ("pdf", "application/pdf"),
    ("rtf", "application/rtf"),
    ("zip", "application/zip"),
    ("gz tgz", "application/gzip"),
    ("bz2", "application/x-bzip2"),
    ("xz", "application/x-xz"),
    ("7z", "application/x-7z-compressed"),
    ("tar", "application/x-tar"),
    ("doc", "application/msword"),
    ("xls", "application/vnd.ms-excel"),
    ("ppt", "application/vnd.ms-powerpoint"),
    ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    ("odt", "application/vnd.oasis.opendocument.text"),
    ("ods", "application/vnd.oasis.opendocument.spreadsheet"),
    ("odp", "application/vnd.oasis.opendocument.presentation"),
    ("png", "image/png"),
    ("jpg jpeg jpe", "image/jpeg"),
    ("gif", "image/gif"),
    ("bmp", "image/bmp"),
    ("webp", "image/webp"),
    ("tif tiff", "image/tiff"),
    ("svg", "image/svg+xml"),
    ("ico", "image/x-icon"),
    ("mp3", "audio/mpeg"),
    ("wav", "audio/x-wav"),
    ("mp4", "video/mp4"),
    ("webm", "video/webm"),
    ("mov", "video/quicktime"),
    ("eml", "message/rfc822"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_nowhere() {
        assert_eq!(clean_name("../../etc/passwd"), "passwd");
        assert_eq!(clean_name("C:\\temp\\a b.txt"), "a b.txt");
        assert_eq!(clean_name("a\"b'\r\nc.txt"), "a_b_c.txt");
        assert_eq!(clean_name("héllo w.txt"), "héllo w.txt");
        assert_eq!(clean_name("txt.\u{202e}exe"), "txt._exe");
        assert_eq!((clean_name(".."), clean_name("a/"), clean_name("  ")), ("__".to_owned(), String::new(), String::new()));
    }

    #[test]
    fn what_was_said_counts_before_the_name() {
        assert_eq!(media_type(Some("text/x"), "a.png"), "text/x");
        assert_eq!(media_type(Some(" "), "a.PNG"), "image/png");
        assert_eq!(media_type(None, "png"), ANYTHING);
        assert!(is_media_type("text/plain; charset=utf-8") && is_media_type("image/svg+xml"));
        assert!(!is_media_type("text") && !is_media_type("text/plain\r\nSet-Cookie: a") && !is_media_type("text/pl ain"));
        assert!(is_media_type("text/plain ;charset=utf-8") && !is_media_type("text/plain\n;") && !is_media_type("text/plain;\t"));
    }
}
