//! Wikis, their pages and redirects, and the versions of a page, which are imported as one set.

use crate::field::{ColumnType, FieldContext, optional, required, text, with_default};
use crate::source::Cell;
use crate::table_mapping::{Reindex, RowFilter, TableMapping, owned_rows, patch, rows};
use flate2::read::ZlibDecoder;
use quarry_domain::index_feed::kind::Kind;
use quarry_store::Value;
use std::io::Read;

/// Maximum size of a version after decompression, in bytes.
const MAX_TEXT_BYTES: u64 = 64 * 1024 * 1024;

pub const ALL: &[TableMapping] = &[
    rows(
        "wikis",
        "wikis",
        &[
            required("project_id", ColumnType::Ref("projects")),
            text("start_page", "Wiki"),
            with_default("status", ColumnType::Integer, 1),
        ],
    ),
    rows(
        "wiki_pages",
        "wiki_pages",
        &[
            required("wiki_id", ColumnType::Ref("wikis")),
            required("title", ColumnType::Text),
            with_default("protected", ColumnType::Boolean, 0),
            required("created_on", ColumnType::Timestamp),
        ],
    )
    .insert_defaults(&[("version", 1)])
    .reindexes(Reindex::Own(Kind::WikiPage)),
    patch(
        "wiki_pages (parent)",
        "wiki_pages",
        "id",
        "wiki_pages",
        &[optional("parent_id", ColumnType::Ref("wiki_pages"))],
    )
    .filter(RowFilter::NotNull("parent_id")),
    // The current text is in a table of its own, and usually among the versions too.
    TableMapping {
        extra_source: Some("wiki_contents"),
        key_columns: 1,
        ..owned_rows(
            ("wiki_content_versions", "page_id"),
            ("wiki_versions", "page_id"),
            "wiki_pages",
            &[
                required("version", ColumnType::Integer),
                optional("author_id", ColumnType::Ref("users")),
                optional("comments", ColumnType::Text),
                required("updated_on", ColumnType::Timestamp),
                text("data", "")
                    .custom(version_text)
                    .to("text")
                    .also_reads(&["compression", "text"]),
            ],
        )
        .reindexes(Reindex::Own(Kind::WikiPage))
    },
    patch(
        "wiki_contents",
        "wiki_contents",
        "page_id",
        "wiki_pages",
        &[with_default("version", ColumnType::Integer, 1)],
    )
    .reindexes(Reindex::Own(Kind::WikiPage)),
    rows(
        "wiki_redirects",
        "wiki_redirects",
        &[
            required("wiki_id", ColumnType::Ref("wikis")),
            required("title", ColumnType::Text),
            required("redirects_to", ColumnType::Text),
            required("redirects_to_wiki_id", ColumnType::Ref("wikis")),
            required("created_on", ColumnType::Timestamp),
        ],
    ),
];

/// Returns the text of a version, which may be compressed.
fn version_text(context: &FieldContext<'_>) -> Result<Value, String> {
    let compressed = context.row.text("compression")?;
    let bytes = match context.row.cell("data") {
        Cell::Null => return Ok(context.row.text("text")?.into()),
        Cell::Text(text) if compressed.is_empty() => return Ok(text.as_str().into()),
        Cell::Text(text) => text.as_bytes(),
        Cell::Bytes(bytes) => bytes,
        Cell::Int(_) | Cell::Real(_) => return Ok(context.row.text("data")?.into()),
    };
    if compressed != "gzip" {
        return Err("is not UTF-8".to_owned());
    }
    let mut text = String::new();
    let read = ZlibDecoder::new(bytes)
        .take(MAX_TEXT_BYTES)
        .read_to_string(&mut text);
    read.map(|_| text.into())
        .map_err(|error| format!("cannot be decompressed: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::convert_row;
    use flate2::{Compression, write::ZlibEncoder};
    use std::io::Write;

    fn decompress(data: Cell, compression: &str) -> Result<Value, String> {
        let compression = Cell::Text(compression.to_owned());
        convert_row(
            version_text,
            &[("data", data), ("compression", compression)],
        )
    }

    #[test]
    fn compressed_versions_are_decompressed() {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all("größer".as_bytes()).unwrap();
        let bytes = Cell::Bytes(encoder.finish().unwrap());
        assert_eq!(decompress(bytes.clone(), "gzip"), Ok("größer".into()));
        assert_eq!(
            decompress(Cell::Text("plain".to_owned()), ""),
            Ok("plain".into())
        );
        assert_eq!(decompress(bytes, ""), Err("is not UTF-8".to_owned()));
        assert!(
            decompress(Cell::Bytes(vec![1, 2]), "gzip")
                .unwrap_err()
                .starts_with("cannot be decompressed")
        );
        assert_eq!(
            convert_row(version_text, &[("text", Cell::Text("current".to_owned()))]),
            Ok("current".into())
        );
    }
}
