//! Each rule is tested against code that breaks it.

use super::rules::{modules_of_document, modules_of_files, violations};
use super::source::Source;

fn source(path: &str, text: &str) -> Source {
    Source {
        path: path.to_owned(),
        text: text.to_owned(),
    }
}

#[track_caller]
fn violates(path: &str, text: &str, expected: &str) {
    assert_eq!(violations(&[source(path, text)]), [expected], "{text}");
}

#[track_caller]
fn passes(path: &str, text: &str) {
    assert_eq!(
        violations(&[source(path, text)]),
        Vec::<String>::new(),
        "{text}"
    );
}

#[test]
fn import_missing_in_the_table() {
    violates(
        "src/domain/issue.rs",
        "use quarry_store::issues;",
        "src/domain/issue.rs:1: domain may not import store::issues",
    );
    violates(
        "src/store/a.rs",
        "fn f() {\n quarry_http::Error;\n}",
        "src/store/a.rs:2: store may not import http::Error",
    );
    violates(
        "src/actions/a.rs",
        "use {quarry_domain::ids, quarry_search::{Search}};",
        "src/actions/a.rs:1: actions may not import search::Search",
    );
    violates(
        "src/store/a.rs",
        "use super::super::wire::Fields as F;",
        "src/store/a.rs:1: store may not import wire::Fields",
    );
    violates(
        "src/http/a.rs",
        "mod inner { use super::super::super::api::x; }",
        "src/http/a.rs:1: http may not import api::x",
    );
    violates(
        "src/wire/a.rs",
        "use quarry_domain::user::User;",
        "src/wire/a.rs:1: wire may not import domain::user::User",
    );
    violates(
        "src/web/a.rs",
        "pub(crate) use quarry_oauth as o;",
        "src/web/a.rs:1: web may not import oauth",
    );
    passes("src/search/a.rs", "use quarry_domain::ids::IssueId;");
    passes(
        "src/store/a.rs",
        "use super::sql::Sql; use quarry_domain::{ids::{IssueId, UserId}, kind}; // quarry_http",
    );
    passes(
        "src/store/a.rs",
        "mod tests { use super::super::search; /* quarry_wire */ }",
    );
    passes("src/cli/a.rs", "use quarry_app::App;");
}

#[test]
fn module_missing_in_the_table() {
    violates(
        "src/attic/mod.rs",
        "",
        "src/attic/mod.rs: the table of layers does not know where this belongs",
    );
}

#[test]
fn api_resource_importing_another() {
    let refusal = "src/api/issues/list.rs:1: api::issues may import the view of api::projects, not the rest of it";
    violates(
        "src/api/issues/list.rs",
        "use crate::projects::list;",
        refusal,
    );
    violates(
        "src/api/issues/list.rs",
        "use super::super::projects;",
        refusal,
    );
    passes(
        "src/api/issues/list.rs",
        "use crate::projects::view; use super::view;",
    );
    violates(
        "src/api/boards.rs",
        "use crate::news::show;",
        "src/api/boards.rs:1: api::boards may import the view of api::news, not the rest of it",
    );
    passes(
        "src/api/boards.rs",
        "use crate::attachments::{parse_uploads, write_attachment}; use crate::prelude::*;",
    );
}

#[test]
fn request_that_reads_without_deadline() {
    let violation = "src/web/a.rs:1: a request reads through `App::read`, which has a deadline";
    violates(
        "src/web/a.rs",
        "let a = request.app.store.read(|db| f(db))?;",
        violation,
    );
    violates(
        "src/web/a.rs",
        "let a = app.store.read_until(None, f)?;",
        violation,
    );
    passes("src/web/a.rs", "let a = request.app.read(|db| f(db))?;");
    passes("src/jobs/a.rs", "let a = app.store.read(|db| f(db))?;");
}

#[test]
fn guarded_crate_outside_its_module() {
    violates(
        "src/store/a.rs",
        "use rusqlite::Row;",
        "src/store/a.rs:1: rusqlite has no place in store",
    );
    violates(
        "src/api/a.rs",
        "fn f(v: serde_json::Value) {}",
        "src/api/a.rs:1: serde_json has no place in api",
    );
    violates(
        "src/actions/a.rs",
        "use axum;",
        "src/actions/a.rs:1: axum has no place in actions",
    );
    violates(
        "src/http/a.rs",
        "type R = ::anyhow::Result<()>;",
        "src/http/a.rs:1: anyhow has no place in http",
    );
    violates(
        "src/web/a.rs",
        "use tantivy::{Index, query};",
        "src/web/a.rs:1: tantivy has no place in web",
    );
    violates(
        "src/import/a.rs",
        "use mysql::Conn;",
        "src/import/a.rs:1: mysql has no place in import",
    );
    passes(
        "src/import/source/a.rs",
        "use mysql::Conn; use rusqlite::Row; use tokio_postgres::Row;",
    );
    passes("src/store/engine/a.rs", "use rusqlite::Row;");
    passes(
        "src/http/a.rs",
        "#[cfg(test)]\nmod tests {\n use serde_json::json;\n}",
    );
}

#[test]
fn file_of_a_test_module_is_exempt() {
    let parent = source(
        "src/http/a.rs",
        "#[cfg(test)]\n#[path = \"a_tests.rs\"]\nmod tests;",
    );
    let other = source("src/http/b.rs", "mod c;");
    let uses = "use serde_json::json;";
    assert_eq!(
        violations(&[parent, source("src/http/a_tests.rs", uses)]).len(),
        0
    );
    assert_eq!(
        violations(&[other, source("src/http/b/c.rs", uses)]).len(),
        1
    );
}

#[test]
fn sqlite_only_sql() {
    let message = "src/store/a.rs:1: \"insert or\" is understood by SQLite alone";
    violates(
        "src/store/a.rs",
        r##"const A: &str = r#"INSERT  OR ignore"#;"##,
        message,
    );
    violates(
        "src/store/a.rs",
        "const A: &str = \"INSERT \\\n OR ignore\";",
        message,
    );
    violates(
        "src/store/a.rs",
        "const A: &str = \"x > datetime('now')\";",
        "src/store/a.rs:1: \"datetime(\" is understood by SQLite alone",
    );
    violates(
        "src/store/a.sql",
        "-- rowid\nx ROWID",
        "src/store/a.sql:2: \"rowid\" is understood by SQLite alone",
    );
    passes(
        "src/store/a.rs",
        "const A: &str = \"global datetime insert order\"; // PRAGMA",
    );
    passes("src/store/engine/a.rs", "const A: &str = \"PRAGMA x\";");
}

#[test]
fn meaningless_module_name() {
    violates(
        "src/store/helpers.rs",
        "",
        "src/store/helpers.rs: helpers does not name its content",
    );
    violates(
        "src/store/a.rs",
        "mod util { }",
        "src/store/a.rs: util does not name its content",
    );
    violates(
        "src/http/core/mod.rs",
        "",
        "src/http/core/mod.rs: core does not name its content",
    );
}

#[test]
fn file_over_the_line_limit() {
    violates(
        "src/store/a.rs",
        &"\n".repeat(401),
        "src/store/a.rs: 401 lines are more than 400",
    );
    violates(
        "tests/api/a.rs",
        &"\n".repeat(501),
        "tests/api/a.rs: 501 lines are more than 500",
    );
    passes("src/store/a.rs", &"\n".repeat(400));
    passes("tests/api/a.rs", &"\n".repeat(500));
}

#[test]
fn module_table_of_a_document_is_parsed() {
    let table = "| module | for | may import |\n|---|---|---|\n| `app` | a | `store`, `cli` |\n| `store` | b | nothing |\n| `cli` | c | everything |\n";
    let document = format!(
        "# x\n| `no` | d | nothing |\n\n## Modules\n\nText.\n\n{table}\nBeside:\n\n| `other` | e | nothing |\n"
    );
    let expected = [
        ("app", vec!["store", "cli"]),
        ("cli", vec!["*"]),
        ("store", vec![]),
    ];
    let expected = expected.map(|(name, imports)| {
        (
            name.to_owned(),
            imports.into_iter().map(str::to_owned).collect(),
        )
    });
    assert_eq!(modules_of_document(&document), expected.into());
    let files = [
        source("src/store/a.rs", ""),
        source("src/cli/b.rs", ""),
        source("src/app.rs", ""),
    ];
    assert!(
        modules_of_files(&files)
            .iter()
            .eq(modules_of_document(&document).keys())
    );
    assert!(modules_of_document("no table").is_empty());
}

#[test]
fn punctuation_in_strings_and_comments_is_ignored() {
    passes(
        "src/store/a.rs",
        "fn f<'a>(c: char) { let q = ['\"', '\\'', b'\"', '{']; let s = \"// \\\" quarry_http::x\"; }",
    );
    violates(
        "src/store/a.rs",
        "const Q: char = '\"';\nuse quarry_http;",
        "src/store/a.rs:2: store may not import http",
    );
    violates(
        "src/store/a.rs",
        "/* a /* b */ \" */ use quarry_http;",
        "src/store/a.rs:1: store may not import http",
    );
}

#[test]
fn secret_compared_byte_by_byte() {
    let violation = "src/actions/accounts/oauth/a.rs:1: secrets are compared with `ct_eq`";
    violates(
        "src/actions/accounts/oauth/a.rs",
        "let a = digest == sent;",
        violation,
    );
    violates(
        "src/actions/accounts/oauth/a.rs",
        "if Some(verifier) != sent {}",
        violation,
    );
    passes(
        "src/actions/accounts/oauth/a.rs",
        "let a = digest.ct_eq(sent); // digest == sent",
    );
    passes(
        "src/actions/accounts/oauth/a.rs",
        "let a = tokens.grant.application == application.id;",
    );
}

#[test]
fn several_values_bound_with_one_let() {
    let violation = "src/store/a.rs:1: bind one value with each `let`";
    violates(
        "src/store/a.rs",
        "fn f() { let (a, mut b) = (g(x), 2); }",
        violation,
    );
    passes("src/store/a.rs", "fn f() { let (a, b) = g(x); }");
    passes("src/store/a.rs", "fn f() { let (a, b) = (x, y).g(); }");
    passes(
        "src/store/a.rs",
        "fn f() { if let (Some(a), Some(b)) = (x, y) {} }",
    );
}
