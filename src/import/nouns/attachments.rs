//! Attachments: files on records of any kind. Their contents come with `--files`, see `import::files`.

use crate::domain::kind::Kind;
use crate::import::field::{Asked, How, may, must, number, text};
use crate::import::noun::{Found, Noun, rows};
use crate::store::Value;

const CONTAINERS: &[(&str, &str)] = &[
    ("Issue", "issues"),
    ("News", "news"),
    ("Document", "documents"),
    ("WikiPage", "wiki_pages"),
    ("Message", "messages"),
    ("Project", "projects"),
    ("Version", "versions"),
    ("Journal", "journals"),
    ("Changeset", "changesets"),
    ("TimeEntry", "time_entries"),
    ("CustomValue", "custom_values"),
];

pub const ALL: &[Noun] = &[rows(
    "attachments",
    "attachments",
    &[
        may("container_type", How::Made(kind)).to("container_kind"),
        may("container_type", How::Text),
        // Without a container it would be an upload that nobody hung on anything, and be thrown away as those are.
        may("container_id", How::RefBy("container_type", CONTAINERS)).strict(),
        must("filename", How::Text),
        text("description", ""),
        text("content_type", ""),
        number("filesize", How::Whole, 0),
        must("author_id", How::Ref("users")),
        number("created_on", How::Instant, 0),
        text("disk_filename", ""),
        may("disk_directory", How::Text),
        text("digest", ""),
        number("downloads", How::Whole, 0),
    ],
)
.found(Found::Container)];

/// The number of the content type, for those that can be found.
fn kind(asked: &Asked<'_>) -> Result<Value, String> {
    let kind = match asked.row.text("container_type")?.as_str() {
        "Issue" => Kind::Issue,
        "News" => Kind::News,
        "Document" => Kind::Document,
        "Changeset" => Kind::Changeset,
        "WikiPage" => Kind::WikiPage,
        "Message" => Kind::Message,
        "Project" => Kind::Project,
        _ => return Ok(Value::Null),
    };
    Ok(i64::from(kind.code()).into())
}

#[cfg(test)]
mod tests {
    use super::super::tests::made;
    use super::*;
    use crate::import::source::Cell;

    #[test]
    fn what_can_be_found_has_a_number() {
        let row = |name: &str, id: i64| [("container_type", Cell::Text(name.to_owned())), ("container_id", Cell::Int(id))];
        assert_eq!(made(kind, &row("Issue", 1)), Ok(Value::Int(0)));
        assert_eq!(made(kind, &row("Version", 1)), Ok(Value::Null));
    }
}
