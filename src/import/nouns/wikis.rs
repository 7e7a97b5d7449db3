//! Wikis: pages, redirects, and the versions of a page, which are taken as a whole.

use crate::domain::kind::Kind;
use crate::import::field::{Asked, How, may, must, number, text};
use crate::import::noun::{Found, Noun, Takes, patch, rows, set};
use crate::import::source::Cell;
use crate::store::Value;
use flate2::read::ZlibDecoder;
use std::io::Read;

/// The longest text that a compressed version may come to.
const LONGEST: u64 = 64 * 1024 * 1024;

pub const ALL: &[Noun] = &[
    rows("wikis", "wikis", &[must("project_id", How::Ref("projects")), text("start_page", "Wiki"), number("status", How::Whole, 1)]),
    rows(
        "wiki_pages",
        "wiki_pages",
        &[
            must("wiki_id", How::Ref("wikis")),
            must("title", How::Text),
            number("protected", How::Switch, 0),
            must("created_on", How::Instant),
        ],
    )
    .born_with(&[("version", 1)])
    .found(Found::Own(Kind::WikiPage)),
    patch("wiki_pages (parent)", "wiki_pages", "id", "wiki_pages", &[may("parent_id", How::Ref("wiki_pages"))])
        .takes(Takes::NotNull("parent_id")),
    // The text of today stands in a table of its own, and usually among the versions too.
    Noun {
        beside: Some("wiki_contents"),
        members: 1,
        ..set(
            ("wiki_content_versions", "page_id"),
            ("wiki_versions", "page_id"),
            "wiki_pages",
            &[
                must("version", How::Whole),
                may("author_id", How::Ref("users")),
                may("comments", How::Text),
                must("updated_on", How::Instant),
                text("data", "").made(version).to("text").with(&["compression", "text"]),
            ],
        )
        .found(Found::Own(Kind::WikiPage))
    },
    patch("wiki_contents", "wiki_contents", "page_id", "wiki_pages", &[number("version", How::Whole, 1)]).found(Found::Own(Kind::WikiPage)),
    rows(
        "wiki_redirects",
        "wiki_redirects",
        &[
            must("wiki_id", How::Ref("wikis")),
            must("title", How::Text),
            must("redirects_to", How::Text),
            must("redirects_to_wiki_id", How::Ref("wikis")),
            must("created_on", How::Instant),
        ],
    ),
];

/// The text of a version, which may be compressed.
fn version(asked: &Asked<'_>) -> Result<Value, String> {
    let compressed = asked.row.text("compression")?;
    let bytes = match asked.row.cell("data") {
        Cell::Null => return Ok(asked.row.text("text")?.into()),
        Cell::Text(text) if compressed.is_empty() => return Ok(text.as_str().into()),
        Cell::Text(text) => text.as_bytes(),
        Cell::Bytes(bytes) => bytes,
        Cell::Int(_) | Cell::Real(_) => return Ok(asked.row.text("data")?.into()),
    };
    if compressed != "gzip" {
        return Err("is not UTF-8".to_owned());
    }
    let mut text = String::new();
    let read = ZlibDecoder::new(bytes).take(LONGEST).read_to_string(&mut text);
    read.map(|_| text.into()).map_err(|error| format!("cannot be uncompressed: {error}"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::made;
    use super::*;
    use flate2::{Compression, write::ZlibEncoder};
    use std::io::Write;

    #[test]
    fn a_version_may_be_compressed() {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all("größer".as_bytes()).unwrap();
        let bytes = Cell::Bytes(encoder.finish().unwrap());
        let text = |cell: Cell, how: &str| made(version, &[("data", cell), ("compression", Cell::Text(how.to_owned()))]);
        assert_eq!(text(bytes.clone(), "gzip"), Ok("größer".into()));
        assert_eq!(text(Cell::Text("plain".to_owned()), ""), Ok("plain".into()));
        assert_eq!(text(bytes, ""), Err("is not UTF-8".to_owned()));
        assert!(text(Cell::Bytes(vec![1, 2]), "gzip").unwrap_err().starts_with("cannot be uncompressed"));
        assert_eq!(made(version, &[("text", Cell::Text("of today".to_owned()))]), Ok("of today".into()));
    }
}
