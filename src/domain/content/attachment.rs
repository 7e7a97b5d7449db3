//! Files attached to a record, and the rules for their names and media types.

use crate::access::permission::Permission;
use crate::ids::{AttachmentId, UserId};
use crate::index_feed::kind::Kind;
use crate::validation::ValidationErrors;
use crate::values::text::{is_bidi_control, is_blank};
use jiff::Timestamp;

/// Maximum length of a name or a description in characters (compatibility 11.4).
const MAX_LENGTH: usize = 255;

/// The type of record that a file is attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContainerType {
    /// A searchable record.
    Record(Kind),
    /// A version of a project; the file is one of its released files.
    Version,
    /// An imported type that has no files here. Only administrators see such a file.
    Other,
}

impl From<Kind> for ContainerType {
    fn from(kind: Kind) -> Self {
        ContainerType::Record(kind)
    }
}

impl ContainerType {
    /// Returns the name in Redmine, which is stored together with the code of the content type.
    pub fn name(self) -> &'static str {
        match self {
            ContainerType::Record(kind) => kind.into(),
            ContainerType::Version => "Version",
            ContainerType::Other => "",
        }
    }

    /// Returns the permission to view the files of such a record, including their names and
    /// descriptions. It does not apply where its module is disabled. `None` if only administrators
    /// may view them.
    pub fn view_permission(self) -> Option<Permission> {
        match self {
            ContainerType::Record(Kind::Project) | ContainerType::Version => {
                Some(Permission::ViewFiles)
            }
            ContainerType::Record(kind) => Some(kind.permission()),
            ContainerType::Other => None,
        }
    }
}

/// The record that a file is attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Container {
    /// The type of the record.
    pub container_type: ContainerType,
    pub id: i64,
}

/// An attached file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attachment {
    pub id: AttachmentId,
    /// The record that it is attached to; `None` for an upload that is not attached yet.
    pub container: Option<Container>,
    /// Never a path.
    pub filename: String,
    /// In bytes.
    pub filesize: i64,
    /// The media type, as the client declared it or for the extension of the name; empty if it is
    /// unknown.
    pub content_type: String,
    /// `None` is null, which differs from an empty text.
    pub description: Option<String>,
    /// The user who uploaded it.
    pub author: UserId,
    pub created_on: Timestamp,
    /// The digest of the content in hexadecimal: SHA-256, or MD5 for old imported files.
    pub digest: String,
    /// The SHA-256 that identifies the stored content; `None` for a file imported without its
    /// content.
    pub content: Option<String>,
    /// Number of downloads; counted for files of projects and versions.
    pub downloads: i64,
}

impl Attachment {
    /// Returns the token with which the author attaches an upload to a record.
    pub fn token(&self) -> String {
        format!("{}.{}", self.id, self.digest)
    }

    /// Whether browsers can display it as an image, according to its file name as in Redmine.
    pub fn is_image(&self) -> bool {
        is_image_name(&self.filename)
    }

    /// Validates an update of `before` (compatibility 11.4). An imported file may keep its invalid
    /// media type.
    pub fn validate_update(&self, before: &Attachment) -> ValidationErrors {
        let mut errors = self.validate();
        if self.content_type != before.content_type {
            require_media_type(&mut errors, &self.content_type);
        }
        errors
    }

    /// Validates the name and the description (compatibility 11.4).
    pub fn validate(&self) -> ValidationErrors {
        let mut errors = ValidationErrors::new();
        errors.require_text("filename", "File", &self.filename, MAX_LENGTH);
        if self
            .description
            .as_ref()
            .is_some_and(|text| text.chars().count() > MAX_LENGTH)
        {
            errors.add(
                "description",
                "Description",
                &format!("is too long (maximum is {MAX_LENGTH} characters)"),
            );
        }
        errors
    }
}

/// Whether browsers can display a file of this name as an image, as in Redmine.
pub fn is_image_name(filename: &str) -> bool {
    ["bmp", "gif", "jpg", "jpe", "jpeg", "png", "webp"].contains(&extension(filename).as_str())
}

/// Adds an error unless the text is a media type.
pub fn require_media_type(errors: &mut ValidationErrors, text: &str) {
    if !is_media_type(text) {
        errors.add(
            "content_type",
            "Content type",
            "is invalid (a media type such as text/plain is expected)",
        );
    }
}

/// Returns a safe file name: the part after the last slash or backslash, with `_` in place of
/// control characters and of characters that are special in file systems or headers.
pub fn clean_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let mut clean = String::with_capacity(last.len());
    for c in last.trim().chars() {
        let replaced = c.is_control() || is_bidi_control(c) || "?%*:|\"'<>".contains(c);
        match replaced {
            true if clean.ends_with('_') => {}
            true => clean.push('_'),
            false => clean.push(c),
        }
    }
    if !clean.is_empty() && clean.chars().all(|c| c == '.') {
        "_".repeat(clean.len())
    } else {
        clean
    }
}

/// Returns a name that is valid for a file whose sender cannot be asked for another one: cleaned,
/// shortened before its extension, and never empty.
pub fn acceptable_name(name: &str) -> String {
    let name = clean_name(name);
    if is_blank(&name) {
        return "file".to_owned();
    }
    let length = name.chars().count();
    if length <= MAX_LENGTH {
        return name;
    }
    let (stem, extension) = match name.rsplit_once('.') {
        Some((stem, extension)) if extension.chars().count() <= 20 => {
            (stem, format!(".{extension}"))
        }
        _ => (name.as_str(), String::new()),
    };
    let room = MAX_LENGTH - extension.chars().count();
    let stem: String = stem.chars().take(room).collect();
    stem + &extension
}

/// Whether the text is a media type: two tokens separated by a slash, with optional parameters, in
/// printable ASCII.
pub fn is_media_type(text: &str) -> bool {
    let kind = text.split(';').next().unwrap_or_default();
    let parts = kind.trim_end_matches(' ').split_once('/');
    text.len() <= MAX_LENGTH
        && text.bytes().all(|byte| (0x20..0x7f).contains(&byte))
        && parts.is_some_and(|(main, sub)| is_token(main) && is_token(sub))
}

/// Whether the text is a token of HTTP (RFC 9110, 5.6.2).
fn is_token(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"!#$&^_.+-".contains(&byte))
}

/// Returns the declared media type, or else the one for the file name extension; empty if that is
/// unknown.
pub fn media_type(declared: Option<&str>, filename: &str) -> String {
    match declared.map(str::trim).filter(|text| !is_blank(text)) {
        Some(declared) => declared.to_owned(),
        None => {
            let extension = extension(filename);
            let known = MEDIA_TYPES
                .iter()
                .find(|(extensions, _)| extensions.split(' ').any(|known| known == extension));
            known.map_or("", |(_, kind)| kind).to_owned()
        }
    }
}

/// Returns the file name extension in lower case; empty if there is none.
fn extension(filename: &str) -> String {
    filename
        .rsplit_once('.')
        .map_or(String::new(), |(_, extension)| extension.to_lowercase())
}

const MEDIA_TYPES: &[(&str, &str)] = &[
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
    (
        "docx",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ),
    (
        "xlsx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ),
    (
        "pptx",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ),
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
    fn cleaned_name_has_no_path_and_no_special_characters() {
        assert_eq!(clean_name("../../etc/passwd"), "passwd");
        assert_eq!(clean_name("C:\\temp\\a b.txt"), "a b.txt");
        assert_eq!(clean_name("a\"b'\r\nc.txt"), "a_b_c.txt");
        assert_eq!(clean_name("héllo w.txt"), "héllo w.txt");
        assert_eq!(clean_name("txt.\u{202e}exe"), "txt._exe");
        assert_eq!(
            (clean_name(".."), clean_name("a/"), clean_name("  ")),
            ("__".to_owned(), String::new(), String::new())
        );
    }

    #[test]
    fn declared_media_type_precedes_the_extension() {
        assert_eq!(media_type(Some("text/x"), "a.png"), "text/x");
        assert_eq!(media_type(Some(" "), "a.PNG"), "image/png");
        assert_eq!(
            (media_type(None, "png"), media_type(Some(""), "a.xyz")),
            (String::new(), String::new()),
            "unknown"
        );
        assert!(is_media_type("text/plain; charset=utf-8") && is_media_type("image/svg+xml"));
        assert!(
            !is_media_type("text")
                && !is_media_type("text/plain\r\nSet-Cookie: a")
                && !is_media_type("text/pl ain")
        );
        assert!(
            is_media_type("text/plain ;charset=utf-8")
                && !is_media_type("text/plain\n;")
                && !is_media_type("text/plain;\t")
        );
    }
}
