//! All records, read directly from the database.

use quarry::domain::access::permission::Permission;
use quarry::domain::access::viewer::Viewer;
use quarry::domain::access::visibility;
use quarry::domain::access::visible::AccessAttributes;
use quarry::domain::catalogue::Catalogue;
use quarry::domain::ids::{CustomFieldId, PrincipalId, ProjectId, TrackerId, UserId};
use quarry::domain::index_feed::kind::Kind;
use quarry_world::search::words::Text;
use quarry_world::{Database, Row};

/// A record with its attributes; 0 means none.
#[derive(Clone, Debug)]
pub struct Record {
    pub kind: Kind,
    pub id: i64,
    pub project: ProjectId,
    pub private: bool,
    pub author: i64,
    pub assignee: i64,
    pub status: i64,
    pub tracker: i64,
    pub priority: i64,
    pub version: i64,
    pub category: i64,
    /// Microseconds since 1970.
    pub created: i64,
    pub updated: i64,
    pub titles: Vec<Text>,
    pub texts: Vec<Text>,
    pub files: Vec<Text>,
    pub notes: Vec<Note>,
    pub custom: Vec<(CustomFieldId, Text)>,
    /// What only issues have.
    pub issue: IssueRecord,
    /// Title and text in their original form.
    pub written: (String, String),
}

/// What only issues have.
#[derive(Clone, Debug, Default)]
pub struct IssueRecord {
    /// Days as `2024-01-31`.
    pub start: Option<String>,
    pub due: Option<String>,
    /// Microseconds since 1970.
    pub closed: Option<i64>,
    pub done: f64,
    pub estimated: Option<f64>,
    pub parent: Option<i64>,
    pub watchers: Vec<i64>,
    /// The names of relations from the view of the issue, and the other issues.
    pub relations: Vec<(&'static str, i64)>,
    pub changes: Vec<Change>,
}

/// A change of an issue.
#[derive(Clone, Debug)]
pub struct Change {
    pub author: i64,
    pub private: bool,
    /// Microseconds since 1970.
    pub created: i64,
    /// The name in the history, such as `status_id`.
    pub attribute: String,
    /// The values before and after, as far as there are some.
    pub values: Vec<i64>,
    /// The value before; 0 for none.
    pub before: i64,
}

#[derive(Clone, Debug)]
pub struct Note {
    pub author: i64,
    pub private: bool,
    pub text: Text,
    pub written: String,
}

/// Columns: id, project, private, author, assignee, status, tracker, priority, version, category,
/// created, updated, title, more title, text, more text.
const READINGS: [(Kind, &str); 7] = [
    (
        Kind::Issue,
        "SELECT id, project_id, is_private, author_id, assigned_to_id, status_id, tracker_id, priority_id, fixed_version_id, category_id, \
         created_on, updated_on, subject, '', description, '' FROM issues",
    ),
    (
        Kind::News,
        "SELECT id, project_id, 0, author_id, 0, 0, 0, 0, 0, 0, created_on, created_on, title, '', summary, description FROM news",
    ),
    (
        Kind::Document,
        "SELECT id, project_id, 0, 0, 0, 0, 0, 0, 0, 0, created_on, created_on, title, '', description, '' FROM documents",
    ),
    (
        Kind::Changeset,
        "SELECT c.id, r.project_id, 0, c.user_id, 0, 0, 0, 0, 0, 0, c.committed_on, c.committed_on, \
         c.comments, '', '', '' \
         FROM changesets c, repositories r WHERE r.id = c.repository_id",
    ),
    (
        Kind::WikiPage,
        "SELECT p.id, w.project_id, 0, v.author_id, 0, 0, 0, 0, 0, 0, p.created_on, v.updated_on, p.title, '', v.text, '' \
         FROM wiki_pages p, wikis w, wiki_versions v WHERE w.id = p.wiki_id AND v.page_id = p.id AND v.version = p.version",
    ),
    (
        Kind::Message,
        "SELECT m.id, b.project_id, 0, m.author_id, 0, 0, 0, 0, 0, 0, m.created_on, m.updated_on, m.subject, '', m.content, '' \
         FROM messages m, boards b WHERE b.id = m.board_id",
    ),
    (
        Kind::Project,
        "SELECT id, id, 0, 0, 0, 0, 0, 0, 0, 0, created_on, updated_on, name, identifier, description, '' FROM projects",
    ),
];

/// Returns all searchable records, unsorted. The statements are the test's own, so that none of the
/// product's is believed.
pub fn all(database: &Database) -> Vec<Record> {
    READINGS
        .iter()
        .flat_map(|(kind, sql)| of_kind(database, *kind, sql))
        .collect()
}

fn number(row: &Row, at: usize) -> i64 {
    row.get::<Option<i64>>(at).unwrap_or_default()
}

fn text(row: &Row, at: usize) -> String {
    row.get::<Option<String>>(at).unwrap_or_default()
}

fn without_empty(texts: [&str; 2]) -> Vec<Text> {
    texts
        .iter()
        .filter(|text| !text.is_empty())
        .map(|text| Text::of(text))
        .collect()
}

fn of_kind(database: &Database, kind: Kind, sql: &str) -> Vec<Record> {
    let record = |row: &Row| {
        let written = match (kind, text(row, 12).split_once('\n')) {
            // The first line of a message is the title.
            (Kind::Changeset, Some((title, body))) => (title.to_owned(), body.to_owned()),
            (Kind::Changeset, None) => (String::new(), text(row, 12)),
            _ => (text(row, 12), text(row, 14)),
        };
        Record {
            kind,
            id: number(row, 0),
            project: ProjectId(number(row, 1)),
            private: number(row, 2) == 1,
            author: number(row, 3),
            assignee: number(row, 4),
            status: number(row, 5),
            tracker: number(row, 6),
            priority: number(row, 7),
            version: number(row, 8),
            category: number(row, 9),
            created: number(row, 10),
            updated: number(row, 11),
            titles: without_empty([&written.0, &text(row, 13)]),
            texts: without_empty([&written.1, &text(row, 15)]),
            files: Vec::new(),
            notes: Vec::new(),
            custom: Vec::new(),
            issue: IssueRecord::default(),
            written,
        }
    };
    let mut records: Vec<Record> = database.rows(sql).iter().map(record).collect();
    for record in &mut records {
        load_related(database, record);
    }
    records
}

/// Loads files, notes and custom values.
fn load_related(database: &Database, record: &mut Record) {
    let id = record.id;
    let files = database.rows(&format!(
        "SELECT filename || ' ' || description FROM attachments WHERE container_kind = {} AND container_id = {id}",
        record.kind.code()
    ));
    record.files = files
        .iter()
        .map(|row| Text::of(&row.get::<String>(0)))
        .collect();
    let customized = match record.kind {
        Kind::Issue => "Issue",
        Kind::Project => "Project",
        Kind::Document => "Document",
        _ => return,
    };
    let values = database.rows(&format!(
        "SELECT custom_field_id, value FROM custom_values WHERE customized_type = '{customized}' AND customized_id = {id} AND value <> ''"
    ));
    record.custom = values
        .iter()
        .map(|row| (CustomFieldId(row.get(0)), Text::of(&row.get::<String>(1))))
        .collect();
    if record.kind == Kind::Issue {
        let notes = database.rows(&format!(
            "SELECT user_id, private_notes, notes FROM journals WHERE issue_id = {id} AND notes <> '' ORDER BY id"
        ));
        let note = |row: &Row| {
            let written: String = row.get(2);
            Note {
                author: row.get(0),
                private: row.get(1),
                text: Text::of(&written),
                written,
            }
        };
        record.notes = notes.iter().map(note).collect();
        record.issue = issue(database, id);
    }
}

fn issue(database: &Database, id: i64) -> IssueRecord {
    let rows = database.rows(&format!(
        "SELECT start_date, due_date, closed_on, done_ratio, CAST(estimated_hours * 2 AS BIGINT), parent_id FROM issues WHERE id = {id}"
    ));
    let row = &rows[0];
    let watchers = database.rows(&format!(
        "SELECT user_id FROM watchers WHERE watchable_type = 'Issue' AND watchable_id = {id}"
    ));
    let relations = database.rows(&format!(
        "SELECT relation_type, issue_from_id, issue_to_id FROM issue_relations WHERE {id} IN (issue_from_id, issue_to_id)"
    ));
    let relation = |row: &Row| {
        let is_from = row.get::<i64>(1) == id;
        let name = match (row.get::<String>(0).as_str(), is_from) {
            ("blocks", true) => "blocks",
            ("blocks", false) => "blocked-by",
            ("duplicates", true) => "duplicates",
            ("duplicates", false) => "duplicated-by",
            _ => "relates",
        };
        (name, row.get(if is_from { 2 } else { 1 }))
    };
    let changes = database.rows(&format!(
        "SELECT j.user_id, j.private_notes, j.created_on, d.name, d.old_value, d.new_value \
         FROM journals j JOIN journal_details d ON d.journal_id = j.id WHERE j.issue_id = {id} AND d.property = 'attr'"
    ));
    let change = |row: &Row| {
        let values = [text(row, 4), text(row, 5)].map(|value| value.parse().ok());
        Change {
            author: row.get(0),
            private: row.get(1),
            created: row.get(2),
            attribute: row.get(3),
            values: values.into_iter().flatten().collect(),
            before: values[0].unwrap_or(0),
        }
    };
    IssueRecord {
        start: row.get(0),
        due: row.get(1),
        closed: row.get(2),
        done: row.get::<i64>(3) as f64,
        estimated: row.get::<Option<i64>>(4).map(|halves| halves as f64 / 2.0),
        parent: row.get(5),
        watchers: watchers.iter().map(|row| row.get(0)).collect(),
        relations: relations.iter().map(relation).collect(),
        changes: changes.iter().map(change).collect(),
    }
}

/// A viewer of records.
pub struct Reader<'a> {
    pub viewer: &'a Viewer,
    pub catalogue: &'a Catalogue,
}

impl Reader<'_> {
    pub fn may_see(&self, record: &Record) -> bool {
        let attributes = AccessAttributes {
            project: record.project,
            private: record.private,
            author: (record.author != 0).then_some(UserId(record.author)),
            assignee: (record.assignee != 0).then_some(PrincipalId(record.assignee)),
            tracker: (record.tracker != 0).then_some(TrackerId(record.tracker)),
        };
        visibility::of_kind(self.viewer, record.kind).matches(&attributes)
    }

    pub fn may_read(&self, record: &Record, note: &Note) -> bool {
        self.may_read_journal(record, note.author, note.private)
    }

    pub fn may_read_journal(&self, record: &Record, author: i64, private: bool) -> bool {
        let attributes = AccessAttributes {
            project: record.project,
            private,
            author: Some(UserId(author)),
            ..AccessAttributes::default()
        };
        visibility::notes(self.viewer).matches(&attributes)
    }

    /// Returns the texts of the custom fields that the viewer may read.
    pub fn custom<'r>(&self, record: &'r Record) -> Vec<&'r Text> {
        let attributes = AccessAttributes {
            project: record.project,
            ..AccessAttributes::default()
        };
        let fields = visibility::searchable_fields(self.catalogue, self.viewer);
        record
            .custom
            .iter()
            .filter(|(field, _)| {
                fields
                    .iter()
                    .any(|(known, visible)| known == field && visible.matches(&attributes))
            })
            .map(|(_, text)| text)
            .collect()
    }

    /// Returns names and descriptions of the visible files of a visible record.
    pub fn files<'r>(&self, record: &'r Record) -> &'r [Text] {
        let hidden =
            record.kind == Kind::Project && !self.viewer.may(Permission::ViewFiles, record.project);
        if hidden { &[] } else { &record.files }
    }

    /// Returns the texts, without files, that everybody reads who sees the record.
    pub fn open<'r>(&self, record: &'r Record) -> Vec<&'r Text> {
        let notes = record
            .notes
            .iter()
            .filter(|note| !note.private)
            .map(|note| &note.text);
        record
            .titles
            .iter()
            .chain(&record.texts)
            .chain(notes)
            .collect()
    }

    /// Returns the texts of the notes that the viewer may read.
    pub fn notes<'r>(&self, record: &'r Record) -> Vec<&'r Text> {
        let notes = record.notes.iter();
        let readable = notes.filter(|note| !note.private || self.may_read(record, note));
        readable.map(|note| &note.text).collect()
    }

    /// Returns all texts, without files, that the viewer may read.
    pub fn all<'r>(&self, record: &'r Record) -> Vec<&'r Text> {
        let hidden = record
            .notes
            .iter()
            .filter(|note| note.private && self.may_read(record, note))
            .map(|note| &note.text);
        self.open(record)
            .into_iter()
            .chain(hidden)
            .chain(self.custom(record))
            .collect()
    }
}
