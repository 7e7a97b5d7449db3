//! Damaged rows: what the doctor says about each, and the statements that damage it. The rows are those
//! of the complete world.

/// The name of the finding, a part of its details, and the statements.
pub type DamagedRow = (&'static str, &'static str, &'static str);

/// All damages.
pub const DAMAGED_ROWS: &[DamagedRow] = &[
    (
        "invalid-values",
        "issues.start_date is not a date in row 1 ('2026-02-31')",
        "UPDATE issues SET start_date = '2026-02-31' WHERE id = 1",
    ),
    (
        "invalid-values",
        "issues.due_date is not a date in row 1 ('soon')",
        "UPDATE issues SET due_date = 'soon' WHERE id = 1",
    ),
    (
        "invalid-values",
        "issues.due_date is not a date in row 1 ('')",
        "UPDATE issues SET due_date = '' WHERE id = 1",
    ),
    (
        "invalid-values",
        "issues.start_date is not a date in row 1 ('20261101')",
        "UPDATE issues SET start_date = '20261101' WHERE id = 1",
    ),
    (
        "invalid-values",
        "issues.due_date is not a date in row 1 ('99999-01-01')",
        "UPDATE issues SET due_date = '99999-01-01' WHERE id = 1",
    ),
    (
        "invalid-values",
        "issues.created_on is out of the range of times in row 1 (9223372036854775807)",
        "UPDATE issues SET created_on = 9223372036854775807 WHERE id = 1",
    ),
    (
        "invalid-values",
        "issues.updated_on is out of the range of times in row 1 (-9223372036854775808)",
        "UPDATE issues SET updated_on = -9223372036854775807 - 1 WHERE id = 1",
    ),
    (
        "invalid-values",
        "issues.closed_on is out of the range of times in row 3",
        "UPDATE issues SET closed_on = 999999999999999999 WHERE id = 3",
    ),
    (
        "invalid-values",
        "time_entries.spent_on is not a date in row 1 ('yesterday')",
        "UPDATE time_entries SET spent_on = 'yesterday' WHERE id = 1",
    ),
    (
        "invalid-values",
        "time_entries.spent_on is not a date in row 1 ('2026-13-01')",
        "UPDATE time_entries SET spent_on = '2026-13-01' WHERE id = 1",
    ),
    (
        "invalid-values",
        "time_entries.created_on is out of the range of times in row 1",
        "UPDATE time_entries SET created_on = 9223372036854775807 WHERE id = 1",
    ),
    (
        "invalid-values",
        "time_entries.updated_on is out of the range of times in row 1",
        "UPDATE time_entries SET updated_on = -9223372036854775807 WHERE id = 1",
    ),
    (
        "invalid-values",
        "projects.created_on is out of the range of times in row 1",
        "UPDATE projects SET created_on = 9223372036854775807 WHERE id = 1",
    ),
    (
        "invalid-values",
        "journals.created_on is out of the range of times in row 1",
        "UPDATE journals SET created_on = 9223372036854775807 WHERE id = 1",
    ),
    (
        "invalid-values",
        "journals.updated_on is out of the range of times in row 1",
        "UPDATE journals SET updated_on = 9223372036854775807 WHERE id = 1",
    ),
    (
        "invalid-values",
        "versions.due_date is not a date in row 1 ('Christmas')",
        "UPDATE versions SET due_date = 'Christmas' WHERE id = 1",
    ),
    (
        "invalid-values",
        "news.created_on is out of the range of times in row 1",
        "UPDATE news SET created_on = 9223372036854775807 WHERE id = 1",
    ),
    (
        "invalid-values",
        "messages.created_on is out of the range of times in row 2",
        "UPDATE messages SET created_on = 9223372036854775807 WHERE id = 2",
    ),
    (
        "invalid-values",
        "documents.created_on is out of the range of times in row 1",
        "UPDATE documents SET created_on = 9223372036854775807 WHERE id = 1",
    ),
    (
        "invalid-values",
        "wiki_versions.updated_on is out of the range of times in row 1/2 (9223372036854775807)",
        "UPDATE wiki_versions SET updated_on = 9223372036854775807 WHERE page_id = 1 AND version = 2",
    ),
    (
        "invalid-values",
        "changesets.committed_on is out of the range of times in row 1",
        "UPDATE changesets SET committed_on = 9223372036854775807 WHERE id = 1",
    ),
    (
        "invalid-values",
        "attachments.created_on is out of the range of times in row 1",
        "UPDATE attachments SET created_on = 9223372036854775807 WHERE id = 1",
    ),
    (
        "invalid-values",
        "users.last_login_on is out of the range of times in row 2",
        "UPDATE users SET last_login_on = 9223372036854775807 WHERE id = 2",
    ),
    (
        "invalid-values",
        "users.created_on is out of the range of times in row 2",
        "UPDATE users SET created_on = 9223372036854775807 WHERE id = 2",
    ),
    (
        "invalid-values",
        "notices.created_on is out of the range of times in row 1",
        "UPDATE notices SET created_on = 9223372036854775807 WHERE id = 1",
    ),
    (
        "invalid-values",
        "issues.done_ratio is not from 0 to 100 in row 1 (250)",
        "UPDATE issues SET done_ratio = 250 WHERE id = 1",
    ),
    (
        "invalid-values",
        "issues.done_ratio is not from 0 to 100 in row 1 (-9223372036854775807)",
        "UPDATE issues SET done_ratio = -9223372036854775807 WHERE id = 1",
    ),
    (
        "invalid-values",
        "issues.estimated_hours is negative or too large in row 1 (-3)",
        "UPDATE issues SET estimated_hours = -3 WHERE id = 1",
    ),
    (
        "invalid-values",
        "time_entries.hours is negative or too large in row 1 (-1.5)",
        "UPDATE time_entries SET hours = -1.5 WHERE id = 1",
    ),
    (
        "invalid-values",
        "time_entries.hours is negative or too large in row 1 (inf)",
        "UPDATE time_entries SET hours = 9e999 WHERE id = 1",
    ),
    (
        "invalid-values",
        "attachments.filesize is negative or too large in row 1 (-1)",
        "UPDATE attachments SET filesize = -1 WHERE id = 1",
    ),
    (
        "invalid-values",
        "issues.lock_version is negative or too large in row 1 (9223372036854775807)",
        "UPDATE issues SET lock_version = 9223372036854775807 WHERE id = 1",
    ),
    (
        "invalid-values",
        "issues.is_private is neither 0 nor 1 in row 1 (7)",
        "UPDATE issues SET is_private = 7 WHERE id = 1",
    ),
    (
        "invalid-values",
        "projects.is_public is neither 0 nor 1 in row 1 (-1)",
        "UPDATE projects SET is_public = -1 WHERE id = 1",
    ),
    (
        "invalid-values",
        "users.admin is neither 0 nor 1 in row 2 (2)",
        "UPDATE users SET admin = 2 WHERE id = 2",
    ),
    (
        "invalid-values",
        "journals.private_notes is neither 0 nor 1 in row 2 (2)",
        "UPDATE journals SET private_notes = 2 WHERE id = 2",
    ),
    (
        "invalid-values",
        "projects.status has an unknown code in row 1 (3)",
        "UPDATE projects SET status = 3 WHERE id = 1",
    ),
    (
        "invalid-values",
        "users.status has an unknown code in row 2 (17)",
        "UPDATE users SET status = 17 WHERE id = 2",
    ),
    (
        "invalid-values",
        "users.type has an unknown name in row 6 ('Robot')",
        "UPDATE users SET type = 'Robot' WHERE id = 6",
    ),
    (
        "invalid-values",
        "versions.status has an unknown name in row 1 ('ajar')",
        "UPDATE versions SET status = 'ajar' WHERE id = 1",
    ),
    (
        "invalid-values",
        "versions.sharing has an unknown name in row 1 ('galaxy')",
        "UPDATE versions SET sharing = 'galaxy' WHERE id = 1",
    ),
    (
        "invalid-values",
        "issue_relations.relation_type has an unknown name in row 1 ('hates')",
        "UPDATE issue_relations SET relation_type = 'hates' WHERE id = 1",
    ),
    (
        "invalid-values",
        "roles.issues_visibility has an unknown name in row 4 ('some')",
        "UPDATE roles SET issues_visibility = 'some' WHERE id = 4",
    ),
    (
        "invalid-values",
        "journal_details.property has an unknown name in row 1 ('thing')",
        "UPDATE journal_details SET property = 'thing' WHERE id = 1",
    ),
    (
        "invalid-values",
        "queries.visibility has an unknown code in row 1 (9)",
        "UPDATE queries SET visibility = 9 WHERE id = 1",
    ),
    (
        "invalid-values",
        "projects.identifier is not a valid identifier in row 1 ('Se cret/..')",
        "UPDATE projects SET identifier = 'Se cret/..' WHERE id = 1",
    ),
    (
        "invalid-values",
        "issues.subject is blank in row 1",
        "UPDATE issues SET subject = ' ' WHERE id = 1",
    ),
    (
        "invalid-values",
        "attachments.content_sha256 is not a SHA-256 in row 1 ('../../secret')",
        "UPDATE attachments SET content_sha256 = '../../secret' WHERE id = 1",
    ),
    (
        "invalid-values",
        "roles.settings_json is not valid JSON in row 4 ('{')",
        "UPDATE roles SET settings_json = '{' WHERE id = 4",
    ),
    (
        "invalid-values",
        "queries.filters_json is not valid JSON in row 1 ('{\"status_id\"')",
        "UPDATE queries SET filters_json = '{\"status_id\"' WHERE id = 1",
    ),
    (
        "invalid-values",
        "users.preferences_json is not valid JSON in row 2 ('no')",
        "UPDATE users SET preferences_json = 'no' WHERE id = 2",
    ),
    (
        "invalid-values",
        "custom_fields.possible_values_json is not valid JSON in row 4 ('[')",
        "UPDATE custom_fields SET possible_values_json = '[' WHERE id = 4",
    ),
    (
        "wrong-types",
        "issues.subject has bytes instead of text in row 1 (x'00ff')",
        "UPDATE issues SET subject = x'00ff' WHERE id = 1",
    ),
    (
        "wrong-types",
        "issues.done_ratio has text instead of an integer in row 1 ('much')",
        "UPDATE issues SET done_ratio = 'much' WHERE id = 1",
    ),
    (
        "wrong-types",
        "issues.done_ratio has a floating point number instead of an integer in row 1 (33.3)",
        "UPDATE issues SET done_ratio = 33.3 WHERE id = 1",
    ),
    (
        "wrong-types",
        "issues.description has text that is not valid UTF-8 in row 1",
        "UPDATE issues SET description = CAST(x'c328' AS TEXT) WHERE id = 1",
    ),
    (
        "wrong-types",
        "issues.created_on has text instead of an integer in row 1 ('2026-11-01 12:00')",
        "UPDATE issues SET created_on = '2026-11-01 12:00' WHERE id = 1",
    ),
    (
        "wrong-types",
        "time_entries.hours has text instead of a number in row 1 ('two')",
        "UPDATE time_entries SET hours = 'two' WHERE id = 1",
    ),
    (
        "wrong-types",
        "projects.name has bytes instead of text in row 1",
        "UPDATE projects SET name = x'ff' WHERE id = 1",
    ),
    (
        "wrong-types",
        "journals.notes has bytes instead of text in row 1",
        "UPDATE journals SET notes = x'ff' WHERE id = 1",
    ),
    (
        "wrong-types",
        "settings.value has bytes instead of text in row 'app_title'",
        "INSERT OR REPLACE INTO settings (name, value) VALUES ('app_title', x'ff')",
    ),
    (
        "wrong-types",
        "issues.subject has no value instead of text in row 1",
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'subject TEXT NOT NULL', 'subject TEXT') WHERE name = 'issues'; PRAGMA writable_schema = RESET; UPDATE issues SET subject = NULL WHERE id = 1; PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'subject TEXT', 'subject TEXT NOT NULL') WHERE name = 'issues'; PRAGMA writable_schema = RESET",
    ),
    (
        "wrong-types",
        "time_entries.spent_on has no value instead of text in row 1",
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'spent_on TEXT NOT NULL', 'spent_on TEXT') WHERE name = 'time_entries'; PRAGMA writable_schema = RESET; UPDATE time_entries SET spent_on = NULL WHERE id = 1; PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'spent_on TEXT', 'spent_on TEXT NOT NULL') WHERE name = 'time_entries'; PRAGMA writable_schema = RESET",
    ),
    (
        "foreign-keys",
        "issues.status_id of 1 rows is not in issue_statuses: 99 in row 1",
        "UPDATE issues SET status_id = 99 WHERE id = 1",
    ),
    (
        "foreign-keys",
        "issues.tracker_id of 1 rows is not in trackers: 99 in row 1",
        "UPDATE issues SET tracker_id = 99 WHERE id = 1",
    ),
    (
        "foreign-keys",
        "issues.author_id of 1 rows is not in users: 999 in row 1",
        "UPDATE issues SET author_id = 999 WHERE id = 1",
    ),
    (
        "foreign-keys",
        "issues.assigned_to_id of 1 rows is not in users: 999 in row 1",
        "UPDATE issues SET assigned_to_id = 999 WHERE id = 1",
    ),
    (
        "foreign-keys",
        "issues.fixed_version_id of 1 rows is not in versions: 99 in row 1",
        "UPDATE issues SET fixed_version_id = 99 WHERE id = 1",
    ),
    (
        "foreign-keys",
        "time_entries.user_id of 1 rows is not in users: 999 in row 1",
        "UPDATE time_entries SET user_id = 999 WHERE id = 1",
    ),
    (
        "foreign-keys",
        "journals.user_id of 1 rows is not in users: 999 in row 1",
        "UPDATE journals SET user_id = 999 WHERE id = 1",
    ),
    (
        "foreign-keys",
        "bookmarks.project_id of 1 rows is not in projects: 99",
        "UPDATE bookmarks SET project_id = 99",
    ),
    (
        "contradictions",
        "issues.priority_id is not a priority in row 1: 8",
        "UPDATE issues SET priority_id = 8 WHERE id = 1",
    ),
    (
        "contradictions",
        "issues.category_id is a category of another project in row 1: 2",
        "UPDATE issues SET category_id = 2 WHERE id = 1",
    ),
    (
        "contradictions",
        "time_entries.issue_id is an issue of another project in row 1: 4",
        "UPDATE time_entries SET issue_id = 4 WHERE id = 1",
    ),
    (
        "contradictions",
        "time_entries.activity_id is not an activity in row 1: 2",
        "UPDATE time_entries SET activity_id = 2 WHERE id = 1",
    ),
    (
        "contradictions",
        "issue_relations.issue_to_id is the same issue in row 1: 1",
        "UPDATE issue_relations SET issue_to_id = issue_from_id WHERE id = 1",
    ),
    (
        "contradictions",
        "wiki_pages.version has no text in row 1: 7",
        "UPDATE wiki_pages SET version = 7 WHERE id = 1",
    ),
    (
        "contradictions",
        "projects.default_issue_query_id refers to a missing row in row 1: 99",
        "UPDATE projects SET default_issue_query_id = 99 WHERE id = 1",
    ),
    (
        "contradictions",
        "users.login is blank in row 6: ",
        "UPDATE users SET login = '' WHERE id = 6",
    ),
    (
        "cycles",
        "row 1 of projects is its own ancestor",
        "UPDATE projects SET parent_id = 1 WHERE id = 1",
    ),
    (
        "cycles",
        "row 1 of issues is its own ancestor",
        "UPDATE issues SET parent_id = 1 WHERE id = 1",
    ),
    (
        "cycles",
        "row 1 of wiki_pages is its own ancestor",
        "UPDATE wiki_pages SET parent_id = 1 WHERE id = 1",
    ),
    (
        "cycles",
        "row 1 of boards is its own ancestor",
        "UPDATE boards SET parent_id = 1 WHERE id = 1",
    ),
    (
        "cycles",
        "row 1 of messages is its own ancestor",
        "UPDATE messages SET parent_id = 1 WHERE id = 1",
    ),
    (
        "cycles",
        "row 2 of issues is its own ancestor",
        "UPDATE issues SET parent_id = 2 WHERE id = 1",
    ),
    (
        "builtin-roles",
        "the built-in role anonymous is missing",
        "DELETE FROM role_permissions WHERE role_id IN (SELECT id FROM roles WHERE builtin = 2); DELETE FROM roles WHERE builtin = 2",
    ),
    (
        "builtin-roles",
        "role 5 has the code of the built-in role 1",
        "UPDATE roles SET builtin = 1 WHERE id = 5",
    ),
    (
        "builtin-principals",
        "users has 2 rows of the type GroupAnonymous",
        "INSERT INTO users (type, lastname, created_on, updated_on) VALUES ('GroupAnonymous', 'a', 0, 0), ('GroupAnonymous', 'b', 0, 0)",
    ),
    (
        "sequences-end",
        "the last id of issues is 9223372036854775807",
        "UPDATE sqlite_sequence SET seq = 9223372036854775807 WHERE name = 'issues'",
    ),
    (
        "sequences-end",
        "the last id of time_entries is 9223372036854775000",
        "UPDATE time_entries SET id = 9223372036854775000 WHERE id = 1; DELETE FROM custom_values WHERE customized_type = 'TimeEntry'; UPDATE sqlite_sequence SET seq = 9223372036854775000 WHERE name = 'time_entries'",
    ),
    (
        "sequences",
        "the last id of journals is -1, but there is a row 3",
        "UPDATE sqlite_sequence SET seq = 'x' WHERE name = 'journals'",
    ),
    (
        "schema-unknown",
        "the trigger silence",
        "CREATE TRIGGER silence BEFORE DELETE ON watchers BEGIN SELECT RAISE(IGNORE); END",
    ),
    (
        "schema-unknown",
        "the view busy",
        "CREATE VIEW busy AS SELECT * FROM issues",
    ),
    (
        "file-sizes",
        "attachments.filesize is 99999 in row 1, but the content has",
        "UPDATE attachments SET filesize = 99999 WHERE id = 1",
    ),
    (
        "contradictions",
        "attachments.container_kind is not the kind of the container in row 1: 5",
        "UPDATE attachments SET container_kind = 5 WHERE id = 1",
    ),
    (
        "invalid-values",
        "users.time_zone has an unknown name in row 2 ('Mars')",
        "UPDATE users SET time_zone = 'Mars' WHERE id = 2",
    ),
    (
        "invalid-values",
        "changes.kind has an unknown code in row 77/1",
        "INSERT INTO changes (kind, id, seq) VALUES (77, 1, 0)",
    ),
    (
        "contradictions",
        "messages.parent_id is a reply in row 3: 2",
        "INSERT INTO messages (id, board_id, parent_id, author_id, subject, created_on, updated_on) VALUES (3, 1, 2, 2, 'x', 0, 0)",
    ),
];
