//! The records that are compared: with NULL in every nullable column, texts in many scripts, and
//! custom fields of every format, also with invalid values, as old imports have them.

use quarry_world::{World, quoted};
use std::fmt::Write;

/// The formats of the custom fields of issues, whose ids begin with 1, each with its values.
pub const FORMATS: [(&str, [&str; 4]); 11] = [
    ("string", ["straße", "STRASSE", "Ωmega", "a_b%c"]),
    ("text", ["one two", "Äpfel", "zwei\none", "ß"]),
    (
        "link",
        ["http://a.example", "https://B.example", "x", "äöü"],
    ),
    ("int", ["3", "50", "abc", "-7"]),
    ("float", ["1.5", "2", "1e3x", ".25"]),
    ("date", ["2026-11-05", "2026-11-20", "2025-01-01", "soon"]),
    ("list", ["blau", "Zürich", "rot", "1"]),
    ("enumeration", ["1", "2", "99", "x"]),
    ("bool", ["0", "1", "1", "yes"]),
    ("user", ["2", "3", "77", "who"]),
    ("version", ["1", "2", "88", ""]),
];

const SUBJECTS: [&str; 12] = [
    "Straße nach Zürich",
    "STRASSE one",
    "äpfel und Birnen",
    "ÄPFEL one",
    "İstanbul ışık",
    "Ελλάδα ΣΊΣΥΦΟΣ",
    "Привет МИР",
    "日本語のテスト",
    "100% of a_b",
    "plain one",
    "Plain One",
    "zebra",
];
const ISSUES: i64 = 300;
/// 2026-11-01 in microseconds.
const FIRST_INSTANT: i64 = 1_793_491_200_000_000;
const HOUR: i64 = 3_600_000_000;

/// Returns a pseudorandom number below `limit` that depends on `a` and `b`.
fn mixed(a: i64, b: i64, limit: i64) -> i64 {
    ((a * 7_919 + b * 104_729 + a * b * 31) ^ (a * 13)).rem_euclid(limit)
}

/// Returns NULL in one of `every` rows.
fn or_null(row: i64, column: i64, every: i64, value: impl ToString) -> String {
    if mixed(row, column, every) == 0 {
        "NULL".to_owned()
    } else {
        value.to_string()
    }
}

fn day(number: i64) -> String {
    format!("'2026-11-{:02}'", number.rem_euclid(28) + 1)
}

/// Fills a world with the projects `open` and `secret`.
pub fn fill(world: &World) {
    let database = world.database();
    let first = |kind: &str| {
        database.value::<i64>(&format!(
            "SELECT MIN(id) FROM enumerations WHERE type = '{kind}'"
        ))
    };
    let priority = first("IssuePriority");
    let activity = first("TimeEntryActivity");
    let mut sql = String::from(
        "INSERT INTO projects (id, name, identifier, description, parent_id, is_public, created_on, updated_on) VALUES
           (3, 'Äther', 'aether', NULL, 1, 1, 5, 6), (4, 'zoo', 'zoo', 'Straße', NULL, 0, 7, 8);
         INSERT INTO enabled_modules (project_id, name) VALUES (3, 'issue_tracking'), (3, 'time_tracking'), (4, 'issue_tracking');
         INSERT INTO project_trackers (project_id, tracker_id) VALUES (3, 1), (3, 2), (4, 1);
         INSERT INTO versions (id, project_id, name, status, sharing, due_date, created_on) VALUES
           (1, 1, 'beta', 'open', 'none', '2026-11-09', 1), (2, 1, 'Alpha', 'closed', 'system', NULL, 1), (3, 2, 'Ärger', 'locked', 'none', '2026-10-01', 1);
         INSERT INTO issue_categories (id, project_id, name) VALUES (1, 1, 'ui'), (2, 1, 'Öl'), (3, 2, 'db');",
    );
    custom_fields(&mut sql);
    for id in 1..=ISSUES {
        issue(&mut sql, id, priority);
        time_entry(&mut sql, id, activity);
    }
    world.sql(&sql);
}

fn custom_fields(sql: &mut String) {
    for (id, (format, _)) in (1..).zip(FORMATS) {
        write!(
            sql,
            "INSERT INTO custom_fields (id, type, name, field_format, position, is_for_all, is_filter, searchable, visible, multiple, possible_values_json)
             VALUES ({id}, 'IssueCustomField', 'field {format}', '{format}', {position}, 1, 1, 1, {visible}, 0, {values});
             INSERT INTO custom_fields_trackers (custom_field_id, tracker_id) VALUES ({id}, 1), ({id}, 2);",
            position = or_null(id, 1, 4, id),
            visible = i64::from(format != "link"),
            values = if format == "list" { "'[\"blau\",\"Zürich\",\"rot\"]'" } else { "NULL" },
        )
        .unwrap();
    }
    sql.push_str(
        "INSERT INTO custom_field_enumerations (id, custom_field_id, name, position) VALUES (1, 8, 'second', 2), (2, 8, 'first', 1);
         INSERT INTO custom_fields_roles (custom_field_id, role_id) VALUES (3, 3);
         INSERT INTO custom_fields (id, type, name, field_format, position, is_for_all, is_filter) VALUES
           (21, 'ProjectCustomField', 'budget', 'float', 1, 1, 1), (22, 'TimeEntryCustomField', 'location', 'string', 1, 1, 1),
           (23, 'UserCustomField', 'room', 'int', 1, 1, 1), (24, 'VersionCustomField', 'code', 'string', 1, 1, 1);
         INSERT INTO custom_values (customized_type, customized_id, custom_field_id, value) VALUES
           ('Project', 1, 21, '2.50'), ('Project', 3, 21, 'much'), ('Project', 2, 21, NULL), ('Principal', 2, 23, '12'), ('Principal', 3, 23, ''),
           ('Version', 1, 24, 'straße');",
    );
}

fn issue(sql: &mut String, id: i64, priority: i64) {
    let project = [1, 1, 2, 3, 4][mixed(id, 1, 5) as usize];
    let in_open = project == 1;
    let subject = SUBJECTS[mixed(id, 2, SUBJECTS.len() as i64) as usize];
    let created = FIRST_INSTANT + mixed(id, 3, 500) * HOUR;
    let status = mixed(id, 4, 6) + 1;
    write!(
        sql,
        "INSERT INTO issues (id, project_id, tracker_id, status_id, priority_id, author_id, assigned_to_id, category_id, fixed_version_id, parent_id,
           subject, is_private, start_date, due_date, done_ratio, estimated_hours, created_on, updated_on, closed_on, description)
         VALUES ({id}, {project}, {tracker}, {status}, {priority}, {author}, {assignee}, {category}, {version}, {parent},
           {subject}, {private}, {start}, {due}, {done}, {estimated}, {created}, {updated}, {closed}, {description});",
        tracker = if project == 4 { 1 } else { mixed(id, 5, 2) + 1 },
        priority = priority + mixed(id, 6, 5),
        author = mixed(id, 7, 5) + 1,
        assignee = or_null(id, 8, 3, mixed(id, 9, 4) + 1),
        category = if in_open { or_null(id, 10, 2, mixed(id, 11, 2) + 1) } else { "NULL".to_owned() },
        version = if in_open { or_null(id, 12, 3, mixed(id, 13, 2) + 1) } else { "NULL".to_owned() },
        parent = if id > 20 { or_null(id, 14, 2, mixed(id, 15, id - 1) + 1) } else { "NULL".to_owned() },
        subject = quoted(&format!("{subject} {}", id % 7)),
        private = i64::from(mixed(id, 16, 6) == 0),
        start = or_null(id, 17, 3, day(mixed(id, 18, 28))),
        due = or_null(id, 19, 3, day(mixed(id, 20, 28))),
        done = mixed(id, 21, 11) * 10,
        estimated = or_null(id, 22, 2, format!("{}.25", mixed(id, 23, 9))),
        updated = created + mixed(id, 24, 90) * HOUR,
        closed = if status > 4 { or_null(id, 25, 4, created + HOUR) } else { "NULL".to_owned() },
        description = or_null(id, 26, 4, quoted(SUBJECTS[mixed(id, 27, 12) as usize])),
    )
    .unwrap();
    for (field, (_, values)) in (1..).zip(FORMATS) {
        if mixed(id, 30 + field, 3) > 0 {
            let value = quoted(values[mixed(id, 50 + field, 4) as usize]);
            let value = or_null(id, 70 + field, 9, value);
            write!(sql, "INSERT INTO custom_values (customized_type, customized_id, custom_field_id, value) VALUES ('Issue', {id}, {field}, {value});").unwrap();
        }
    }
    if mixed(id, 28, 2) == 0 {
        let details = [
            ("attr", "status_id", "1", "5"),
            ("attr", "project_id", "2", "1"),
            ("cf", "4", "", "abc"),
            ("relation", "relates", "", "7"),
            ("attr", "parent_id", "x", ""),
            ("cf", "gone", "1", "2"),
        ];
        let (property, name, old, new) = details[mixed(id, 29, 6) as usize];
        write!(
            sql,
            "INSERT INTO journals (id, issue_id, user_id, private_notes, created_on, notes) VALUES ({id}, {id}, {user}, {private}, {created}, {notes});
             INSERT INTO journal_details (journal_id, property, name, old_value, new_value) VALUES ({id}, '{property}', '{name}', {old}, '{new}');",
            user = mixed(id, 31, 5) + 1,
            private = i64::from(mixed(id, 32, 4) == 0),
            created = created + HOUR,
            notes = or_null(id, 33, 3, quoted(SUBJECTS[mixed(id, 34, 12) as usize])),
            old = or_null(id, 35, 3, quoted(old)),
        )
        .unwrap();
    }
    if id % 11 == 0 {
        let kind = ["relates", "blocks", "precedes", "duplicates"][mixed(id, 36, 4) as usize];
        let other = id / 2;
        write!(sql, "INSERT INTO issue_relations (issue_from_id, issue_to_id, relation_type) VALUES ({id}, {other}, '{kind}');
                     INSERT INTO watchers (watchable_type, watchable_id, user_id) VALUES ('Issue', {id}, 2);").unwrap();
    }
    if id % 13 == 0 {
        write!(sql, "INSERT INTO attachments (container_kind, container_type, container_id, filename, author_id, created_on, description)
                     SELECT MIN(1), 'Issue', {id}, 'Ärger {id}.png', 2, {created}, NULL;").unwrap();
    }
}

fn time_entry(sql: &mut String, id: i64, activity: i64) {
    let project = [1, 1, 3][mixed(id, 41, 3) as usize];
    write!(
        sql,
        "INSERT INTO time_entries (id, project_id, issue_id, user_id, author_id, activity_id, hours, comments, spent_on, created_on, updated_on)
         SELECT {id}, {project}, {issue}, {user}, {author}, {activity}, {hours}.5, {comments}, {spent}, {created}, {created};",
        issue = or_null(id, 42, 4, format!("(SELECT MIN(id) FROM issues WHERE project_id = {project} AND id > {})", id / 2)),
        user = mixed(id, 43, 4) + 1,
        author = or_null(id, 44, 2, mixed(id, 45, 4) + 1),
        activity = activity + mixed(id, 46, 2),
        hours = mixed(id, 47, 8),
        comments = or_null(id, 48, 3, quoted(SUBJECTS[mixed(id, 49, 12) as usize])),
        spent = day(mixed(id, 51, 28)),
        created = FIRST_INSTANT + mixed(id, 52, 400) * HOUR,
    )
    .unwrap();
    if id % 3 == 0 {
        write!(sql, "INSERT INTO custom_values (customized_type, customized_id, custom_field_id, value) VALUES ('TimeEntry', {id}, 22, {});",
            or_null(id, 53, 5, quoted(SUBJECTS[mixed(id, 54, 12) as usize]))).unwrap();
    }
}
