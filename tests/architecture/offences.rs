//! Each rule against a made-up offence: a rule that never fires is none.

use super::rules::{offences, rooms_of_files, rooms_of_map};
use super::source::Source;

fn source(path: &str, text: &str) -> Source {
    Source { path: path.to_owned(), text: text.to_owned() }
}

#[track_caller]
fn offends(path: &str, text: &str, expected: &str) {
    assert_eq!(offences(&[source(path, text)]), [expected], "{text}");
}

#[track_caller]
fn passes(path: &str, text: &str) {
    assert_eq!(offences(&[source(path, text)]), Vec::<String>::new(), "{text}");
}

#[test]
fn an_edge_that_the_table_does_not_have() {
    offends("src/domain/issue.rs", "use crate::store::issues;", "src/domain/issue.rs:1: domain may not import store::issues");
    offends("src/store/a.rs", "fn f() {\n crate::http::Error;\n}", "src/store/a.rs:2: store may not import http::Error");
    offends("src/actions/a.rs", "use crate::{domain::ids, search::{Search}};", "src/actions/a.rs:1: actions may not import search::Search");
    offends("src/store/a.rs", "use super::super::wire::Fields as F;", "src/store/a.rs:1: store may not import wire::Fields");
    offends("src/http/a.rs", "mod inner { use super::super::super::api::x; }", "src/http/a.rs:1: http may not import api::x");
    offends("src/wire/a.rs", "use crate::domain::user::User;", "src/wire/a.rs:1: wire may not import domain::user::User");
    offends("src/web/a.rs", "pub(crate) use crate::oauth as o;", "src/web/a.rs:1: web may not import oauth");
    passes("src/wire/a.rs", "use crate::domain::ids::IssueId;");
    passes("src/store/a.rs", "use super::sql::Sql; use crate::domain::{ids::{IssueId, UserId}, kind}; // crate::http");
    passes("src/store/a.rs", "mod tests { use super::super::search; /* crate::wire */ }");
    passes("src/cli/a.rs", "use crate::{app, http};");
}

#[test]
fn a_room_that_the_table_does_not_have() {
    offends("src/attic/mod.rs", "", "src/attic/mod.rs: the table of rooms does not know where this belongs");
}

#[test]
fn one_resource_in_another() {
    let refusal = "src/api/issues/list.rs:1: api::issues may import api::projects::view, not the rest of it";
    offends("src/api/issues/list.rs", "use crate::api::projects::list;", refusal);
    offends("src/api/issues/list.rs", "use super::super::projects;", refusal);
    passes("src/api/issues/list.rs", "use crate::api::projects::view; use super::view;");
    passes("src/api/mod.rs", "use crate::api::projects::list;");
}

#[test]
fn a_crate_outside_its_room() {
    offends("src/store/a.rs", "use rusqlite::Row;", "src/store/a.rs:1: rusqlite has no place in store");
    offends("src/api/a.rs", "fn f(v: serde_json::Value) {}", "src/api/a.rs:1: serde_json has no place in api");
    offends("src/actions/a.rs", "use axum;", "src/actions/a.rs:1: axum has no place in actions");
    offends("src/http/a.rs", "type R = ::anyhow::Result<()>;", "src/http/a.rs:1: anyhow has no place in http");
    offends("src/web/a.rs", "use tantivy::{Index, query};", "src/web/a.rs:1: tantivy has no place in web");
    offends("src/import/a.rs", "use mysql::Conn;", "src/import/a.rs:1: mysql has no place in import");
    passes("src/import/source/a.rs", "use mysql::Conn; use rusqlite::Row; use postgres::Row;");
    passes("src/store/engine/a.rs", "use rusqlite::Row;");
    passes("src/http/a.rs", "#[cfg(test)]\nmod tests {\n use serde_json::json;\n}");
}

#[test]
fn the_file_of_a_test_module_is_a_test() {
    let parent = source("src/http/a.rs", "#[cfg(test)]\n#[path = \"a_tests.rs\"]\nmod tests;");
    let other = source("src/http/b.rs", "mod c;");
    let uses = "use serde_json::json;";
    assert_eq!(offences(&[parent, source("src/http/a_tests.rs", uses)]).len(), 0);
    assert_eq!(offences(&[other, source("src/http/b/c.rs", uses)]).len(), 1);
}

#[test]
fn a_word_that_only_sqlite_understands() {
    let said = "src/store/a.rs:1: \"insert or\" is understood by SQLite alone";
    offends("src/store/a.rs", r##"const A: &str = r#"INSERT  OR ignore"#;"##, said);
    offends("src/store/a.rs", "const A: &str = \"INSERT \\\n OR ignore\";", said);
    offends("src/store/a.rs", "const A: &str = \"x > datetime('now')\";", "src/store/a.rs:1: \"datetime(\" is understood by SQLite alone");
    offends("src/store/a.sql", "-- rowid\nx ROWID", "src/store/a.sql:2: \"rowid\" is understood by SQLite alone");
    passes("src/store/a.rs", "const A: &str = \"global datetime insert order\"; // PRAGMA");
    passes("src/store/engine/a.rs", "const A: &str = \"PRAGMA x\";");
}

#[test]
fn a_name_that_says_nothing() {
    offends("src/store/helpers.rs", "", "src/store/helpers.rs: helpers says nothing about what is inside");
    offends("src/store/a.rs", "mod util { }", "src/store/a.rs: util says nothing about what is inside");
    offends("src/http/core/mod.rs", "", "src/http/core/mod.rs: core says nothing about what is inside");
}

#[test]
fn a_file_that_is_too_long() {
    offends("src/store/a.rs", &"\n".repeat(401), "src/store/a.rs: 401 lines are more than 400");
    offends("tests/it/a.rs", &"\n".repeat(401), "tests/it/a.rs: 401 lines are more than 400");
    passes("src/store/a.rs", &"\n".repeat(400));
}

#[test]
fn a_map_that_is_not_the_territory() {
    let readme = "# x\n```\nCargo.toml\nsrc/\n  app.rs   one?  ← store cli\n  store/   two?\n    engine/  inside\n\nother/\n  no/\n```\n";
    let imports = vec!["store".to_owned(), "cli".to_owned()];
    assert_eq!(rooms_of_map(readme), [("app".to_owned(), imports), ("store".to_owned(), Vec::new())].into());
    let files = [source("src/store/a.rs", ""), source("src/app.rs", "")];
    assert!(rooms_of_files(&files).iter().eq(rooms_of_map(readme).keys()));
    assert!(rooms_of_map("no map").is_empty());
}

#[test]
fn signs_in_texts_and_comments_do_not_confuse() {
    passes("src/store/a.rs", "fn f<'a>(c: char) { let q = ['\"', '\\'', b'\"', '{']; let s = \"// \\\" crate::http::x\"; }");
    offends("src/store/a.rs", "const Q: char = '\"';\nuse crate::http;", "src/store/a.rs:2: store may not import http");
    offends("src/store/a.rs", "/* a /* b */ \" */ use crate::http;", "src/store/a.rs:1: store may not import http");
}
