//! Rows whose columns contradict each other, or rows of other tables.

use super::damage::Damage;
use crate::StoreError;
use crate::transaction::snapshot::Snapshot;

/// A contradiction: table, column, what is wrong with it as a predicate, and the condition of the rows in
/// SQL, where `r` is the row. The tables have ids.
type Contradiction = (&'static str, &'static str, &'static str, &'static str);

const CONTRADICTIONS: [Contradiction; 23] = [
    (
        "issues",
        "author_id",
        "is a group",
        "EXISTS (SELECT 1 FROM users u WHERE u.id = r.author_id AND u.type LIKE 'Group%')",
    ),
    (
        "members",
        "user_id",
        "is neither a user nor a group",
        "EXISTS (SELECT 1 FROM users u WHERE u.id = r.user_id AND u.type = 'AnonymousUser')",
    ),
    (
        "messages",
        "parent_id",
        "is a reply",
        "EXISTS (SELECT 1 FROM messages p WHERE p.id = r.parent_id AND p.parent_id <> p.id)",
    ),
    ("issue_templates", "name", "is blank", "TRIM(r.name) = ''"),
    (
        "users",
        "login",
        "is blank",
        "r.type = 'User' AND TRIM(r.login) = ''",
    ),
    (
        "users",
        "status",
        "is that of the anonymous user",
        "r.type = 'User' AND r.status = 0",
    ),
    (
        "users",
        "auth_source_id",
        "refers to a missing row",
        "r.auth_source_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM auth_sources a WHERE a.id = r.auth_source_id)",
    ),
    (
        "projects",
        "default_issue_query_id",
        "refers to a missing row",
        "r.default_issue_query_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM queries q WHERE q.id = r.default_issue_query_id)",
    ),
    (
        "issues",
        "priority_id",
        "is not a priority",
        "NOT EXISTS (SELECT 1 FROM enumerations e WHERE e.id = r.priority_id AND e.type = 'IssuePriority')",
    ),
    (
        "issues",
        "category_id",
        "is a category of another project",
        "EXISTS (SELECT 1 FROM issue_categories c WHERE c.id = r.category_id AND c.project_id <> r.project_id)",
    ),
    (
        "issue_relations",
        "issue_to_id",
        "is the same issue",
        "r.issue_from_id = r.issue_to_id",
    ),
    (
        "time_entries",
        "issue_id",
        "is an issue of another project",
        "EXISTS (SELECT 1 FROM issues i WHERE i.id = r.issue_id AND i.project_id <> r.project_id)",
    ),
    (
        "time_entries",
        "activity_id",
        "is not an activity",
        "NOT EXISTS (SELECT 1 FROM enumerations e WHERE e.id = r.activity_id AND e.type = 'TimeEntryActivity')",
    ),
    (
        "documents",
        "category_id",
        "is not a category of documents",
        "NOT EXISTS (SELECT 1 FROM enumerations e WHERE e.id = r.category_id AND e.type = 'DocumentCategory')",
    ),
    (
        "comments",
        "commented_id",
        "refers to a missing row",
        "r.commented_type = 'News' AND NOT EXISTS (SELECT 1 FROM news n WHERE n.id = r.commented_id)",
    ),
    (
        "wiki_pages",
        "version",
        "has no text",
        "NOT EXISTS (SELECT 1 FROM wiki_versions v WHERE v.page_id = r.id AND v.version = r.version)",
    ),
    (
        "wiki_pages",
        "parent_id",
        "is a page of another wiki",
        "EXISTS (SELECT 1 FROM wiki_pages p WHERE p.id = r.parent_id AND p.wiki_id <> r.wiki_id)",
    ),
    (
        "messages",
        "parent_id",
        "is a message of another forum",
        "EXISTS (SELECT 1 FROM messages p WHERE p.id = r.parent_id AND p.board_id <> r.board_id)",
    ),
    (
        "boards",
        "parent_id",
        "is a forum of another project",
        "EXISTS (SELECT 1 FROM boards p WHERE p.id = r.parent_id AND p.project_id <> r.project_id)",
    ),
    (
        "attachments",
        "container_kind",
        "is not the kind of the container",
        "r.container_kind IS NOT NULL AND r.container_type <> CASE r.container_kind WHEN 0 THEN 'Issue' WHEN 1 THEN 'News' \
         WHEN 2 THEN 'Document' WHEN 3 THEN 'Changeset' WHEN 4 THEN 'WikiPage' WHEN 5 THEN 'Message' WHEN 6 THEN 'Project' ELSE '' END",
    ),
    (
        "attachments",
        "digest",
        "is not that of the content",
        "LENGTH(r.digest) = 64 AND r.content_sha256 IS NOT NULL AND r.digest <> r.content_sha256",
    ),
    ("journal_details", "name", "is blank", "TRIM(r.name) = ''"),
    (
        "oauth_applications",
        "redirect_uris",
        "is blank",
        "TRIM(r.redirect_uris) = ''",
    ),
];

/// Returns the rows with contradictions.
pub(super) fn check(db: &Snapshot<'_>) -> Result<Option<Damage>, StoreError> {
    let mut examples = Vec::new();
    for (table, column, problem, condition) in CONTRADICTIONS {
        let sql = format!(
            "SELECT r.id, CAST(r.{column} AS TEXT) FROM {table} r WHERE {condition} ORDER BY r.id"
        );
        let rows: Vec<(i64, Option<String>)> =
            db.rows(&sql, &[], |row| Ok((row.next()?, row.next()?)))?;
        examples.extend(rows.into_iter().map(|(id, value)| {
            let value = value.unwrap_or_else(|| "NULL".to_owned());
            format!("{table}.{column} {problem} in row {id}: {value}")
        }));
    }
    Ok(Damage::from_examples(examples, None))
}
