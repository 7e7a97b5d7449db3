//! Attachments of records of any kind; `import::files` copies their contents.

use crate::field::{ColumnType, FieldContext, optional, required, text, with_default};
use crate::table_mapping::{Reindex, TableMapping, rows};
use quarry_domain::index_feed::kind::Kind;
use quarry_store::Value;

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

pub const ALL: &[TableMapping] = &[rows(
    "attachments",
    "attachments",
    &[
        optional("container_type", ColumnType::Custom(container_kind)).to("container_kind"),
        optional("container_type", ColumnType::Text),
        // Strict: an attachment without a container is an upload that was never attached, and is
        // deleted as such.
        optional(
            "container_id",
            ColumnType::PolymorphicRef("container_type", CONTAINERS),
        )
        .strict(),
        required("filename", ColumnType::Text),
        optional("description", ColumnType::Text),
        text("content_type", ""),
        with_default("filesize", ColumnType::Integer, 0),
        required("author_id", ColumnType::Ref("users")),
        with_default("created_on", ColumnType::Timestamp, 0),
        text("disk_filename", ""),
        optional("disk_directory", ColumnType::Text),
        text("digest", ""),
        with_default("downloads", ColumnType::Integer, 0),
    ],
)
.reindexes(Reindex::Container)];

/// Returns the code of the container's kind; NULL for kinds that are not indexed.
fn container_kind(context: &FieldContext<'_>) -> Result<Value, String> {
    let kind = context.row.text("container_type")?.parse::<Kind>();
    Ok(kind.map_or(Value::Null, |kind| i64::from(kind.code()).into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::convert_row;
    use crate::source::Cell;

    #[test]
    fn indexed_containers_have_a_kind() {
        for (type_name, kind) in [("Issue", Value::Int(0)), ("Version", Value::Null)] {
            let row = [
                ("container_type", Cell::Text(type_name.to_owned())),
                ("container_id", Cell::Int(1)),
            ];
            assert_eq!(convert_row(container_kind, &row), Ok(kind));
        }
    }
}
