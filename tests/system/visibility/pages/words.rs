//! The words of a world and who may read them.

use crate::visibility::oracle::Oracle;
use quarry::domain::access::permission::Permission;
use quarry::domain::content::attachment::ContainerType;
use quarry::domain::ids::{CustomFieldId, ProjectId, UserId};
use quarry::domain::index_feed::indexed_record::IndexedRecord;
use quarry::domain::index_feed::kind::Kind;
use quarry::store::index_feed::indexed_records;
use quarry_world::{Database, Row, World};
use std::collections::HashMap;

/// Who may read a word, or open an address.
#[derive(Clone, Debug)]
pub enum Rule {
    /// Everybody who may see the record.
    Record(Kind, i64),
    /// Of those, who may read a private note of this author.
    PrivateNote(i64, UserId),
    /// Of those, who may read the custom field, which the record has.
    Field(Kind, i64, CustomFieldId),
    /// The same of a former value: the issue may lack the field by now. Those who may read a
    /// private note of the author, if any.
    FormerField {
        issue: i64,
        field: CustomFieldId,
        private_by: Option<UserId>,
    },
    /// Everybody who may read the custom field in some project.
    FieldName(CustomFieldId),
    /// Everybody who may see files of the record.
    File(ContainerType, i64),
    /// Everybody with the permission in the project.
    Permission(Permission, ProjectId),
    /// Everybody who may see or create issues in the project: forms offer versions and categories.
    IssueField(ProjectId),
    /// Everybody who may see the wiki page and its older versions.
    OldVersion(i64),
    /// Everybody who may see time of the user in the project.
    Time(ProjectId, UserId),
    /// Everybody who may see the user.
    Person(UserId),
    /// The user and administrators.
    Own(UserId),
    /// The owner of a saved query, and everybody who may see issues of its project if it is public.
    Query {
        owner: UserId,
        is_public: bool,
        project: Option<ProjectId>,
    },
}

/// What a world contains.
pub struct Contents {
    /// Who may read which word.
    pub words: HashMap<String, Rule>,
    /// Addresses and who may open them.
    pub addresses: Vec<(String, Rule)>,
    records: HashMap<(Kind, i64), IndexedRecord>,
}

impl Contents {
    /// Reads the contents of a world.
    pub fn load(world: &World) -> Contents {
        let pages = Kind::ALL.map(|kind| {
            world
                .app
                .store
                .read(|db| indexed_records::load_page(db, kind, 0, 10_000))
                .unwrap()
        });
        let records = pages
            .into_iter()
            .flatten()
            .map(|record| ((record.kind, record.id), record))
            .collect();
        let database = world.database();
        Contents {
            words: words(&database),
            addresses: addresses(&database),
            records,
        }
    }

    /// Returns whether the viewer of the oracle may read what the rule is for.
    pub fn allows(&self, rule: &Rule, oracle: &Oracle<'_>) -> bool {
        let record = |kind, id| {
            self.records
                .get(&(kind, id))
                .filter(|record| oracle.may_see(record))
        };
        match rule {
            Rule::Record(kind, id) => record(*kind, *id).is_some(),
            Rule::PrivateNote(issue, author) => record(Kind::Issue, *issue)
                .is_some_and(|issue| oracle.may_read_private(issue.project, *author)),
            Rule::Field(kind, id, field) => record(*kind, *id).is_some_and(|record| {
                oracle.has_field(record.project, *field)
                    && oracle.may_read_field(record.project, *field)
            }),
            Rule::FormerField {
                issue,
                field,
                private_by,
            } => record(Kind::Issue, *issue).is_some_and(|issue| {
                oracle.may_read_field(issue.project, *field)
                    && private_by
                        .is_none_or(|author| oracle.may_read_private(issue.project, author))
            }),
            Rule::FieldName(field) => oracle
                .catalogue
                .projects
                .keys()
                .any(|project| oracle.may_read_field(*project, *field)),
            Rule::File(ContainerType::Record(kind), id) => record(*kind, *id)
                .is_some_and(|record| oracle.may_see_files((*kind).into(), record.project)),
            // The ids of versions equal those of their projects.
            Rule::File(container, id) => oracle.may_see_files(*container, ProjectId(*id)),
            Rule::Permission(permission, project) => oracle.may(*permission, *project),
            Rule::IssueField(project) => {
                oracle.may(Permission::ViewIssues, *project)
                    || oracle.may(Permission::AddIssues, *project)
            }
            Rule::OldVersion(page) => record(Kind::WikiPage, *page)
                .is_some_and(|page| oracle.may(Permission::ViewWikiEdits, page.project)),
            Rule::Time(project, user) => oracle.may_see_time(*project, *user),
            Rule::Person(user) => oracle.may_see_principal((*user).into()),
            Rule::Own(user) => oracle.user == Some(*user) || oracle.is_admin(),
            Rule::Query {
                owner,
                is_public,
                project,
            } => {
                let everywhere =
                    || project.is_none_or(|project| oracle.may(Permission::ViewIssues, project));
                oracle.user == Some(*owner) || oracle.is_admin() || *is_public && everywhere()
            }
        }
    }
}

fn rows<T>(database: &Database, sql: &str, row: impl FnMut(&Row) -> T) -> Vec<T> {
    database.rows(sql).iter().map(row).collect()
}

fn record(kind: Kind) -> impl Fn(&Row) -> Rule {
    move |row| Rule::Record(kind, row.get(1))
}

fn permission(permission: Permission) -> impl Fn(&Row) -> Rule {
    move |row| Rule::Permission(permission, ProjectId(row.get(1)))
}

fn issue_field(row: &Row) -> Rule {
    Rule::IssueField(ProjectId(row.get(1)))
}

/// Rows have the id of the word first.
fn words(database: &Database) -> HashMap<String, Rule> {
    let mut words = HashMap::new();
    let mut add = |columns: &[&str], sql: &str, rule: &dyn Fn(&Row) -> Rule| {
        for (id, rule) in rows(database, sql, |row| (row.get::<i64>(0), rule(row))) {
            words.extend(
                columns
                    .iter()
                    .map(|column| (format!("zq{column}{id}z"), rule.clone())),
            );
        }
    };
    add(
        &["is", "id"],
        "SELECT id, id FROM issues",
        &record(Kind::Issue),
    );
    add(
        &["jn"],
        "SELECT id, issue_id, private_notes, user_id FROM journals",
        &|row| {
            let issue = row.get(1);
            if row.get(2) {
                Rule::PrivateNote(issue, UserId(row.get(3)))
            } else {
                Rule::Record(Kind::Issue, issue)
            }
        },
    );
    let details = "SELECT d.id, j.issue_id, CASE WHEN j.private_notes = 1 THEN j.user_id END, CASE WHEN d.property = 'cf' THEN d.name END \
                   FROM journal_details d JOIN journals j ON j.id = d.journal_id";
    add(&["dn", "do"], details, &|row| {
        let issue = row.get(1);
        let private_by = row.get::<Option<i64>>(2).map(UserId);
        match (row.get::<Option<String>>(3), private_by) {
            (Some(field), _) => Rule::FormerField {
                issue,
                field: CustomFieldId(field.parse().unwrap()),
                private_by,
            },
            (None, Some(author)) => Rule::PrivateNote(issue, author),
            (None, None) => Rule::Record(Kind::Issue, issue),
        }
    });
    for (column, kind) in [("cv", Kind::Issue), ("dv", Kind::Document)] {
        let sql = format!(
            "SELECT id, customized_id, custom_field_id FROM custom_values WHERE customized_type = '{kind:?}'"
        );
        add(&[column], &sql, &|row| {
            Rule::Field(kind, row.get(1), CustomFieldId(row.get(2)))
        });
    }
    add(&["fn"], "SELECT id FROM custom_fields", &|row| {
        Rule::FieldName(CustomFieldId(row.get(0)))
    });
    add(&["vn"], "SELECT id, project_id FROM versions", &issue_field);
    add(
        &["vd"],
        "SELECT id, project_id FROM versions",
        &permission(Permission::ViewIssues),
    );
    add(
        &["cn"],
        "SELECT id, project_id FROM issue_categories",
        &issue_field,
    );
    add(
        &["pn", "pd"],
        "SELECT id, id FROM projects",
        &permission(Permission::ViewProject),
    );
    add(
        &["nt", "ns", "nd"],
        "SELECT id, id FROM news",
        &record(Kind::News),
    );
    add(
        &["nc"],
        "SELECT id, commented_id FROM comments",
        &record(Kind::News),
    );
    add(
        &["dt", "dd"],
        "SELECT id, id FROM documents",
        &record(Kind::Document),
    );
    add(
        &["bn", "bd"],
        "SELECT id, project_id FROM boards",
        &permission(Permission::ViewMessages),
    );
    add(
        &["ms", "mc"],
        "SELECT id, id FROM messages",
        &record(Kind::Message),
    );
    add(
        &["ch", "ce", "co"],
        "SELECT id, id FROM changesets",
        &record(Kind::Changeset),
    );
    add(
        &["wt"],
        "SELECT id, id FROM wiki_pages",
        &record(Kind::WikiPage),
    );
    let versions = "SELECT v.page_id * 10 + v.version, v.page_id, v.version = p.version FROM wiki_versions v JOIN wiki_pages p ON p.id = v.page_id";
    add(&["wx", "wc"], versions, &|row| {
        let page = row.get(1);
        if row.get(2) {
            Rule::Record(Kind::WikiPage, page)
        } else {
            Rule::OldVersion(page)
        }
    });
    add(
        &["an", "ad"],
        "SELECT id, container_type, container_id FROM attachments",
        &|row| file(&row.get::<String>(1), row.get(2)),
    );
    add(
        &["te"],
        "SELECT id, project_id, user_id FROM time_entries",
        &|row| Rule::Time(ProjectId(row.get(1)), UserId(row.get(2))),
    );
    add(
        &["um"],
        "SELECT id FROM users WHERE type = 'User'",
        &|row| Rule::Own(UserId(row.get(0))),
    );
    add(
        &["qn"],
        "SELECT id, user_id, visibility, project_id FROM queries",
        &|row| {
            let owner = UserId(row.get(1));
            let is_public = row.get::<i64>(2) == 2;
            Rule::Query {
                owner,
                is_public,
                project: row.get::<Option<i64>>(3).map(ProjectId),
            }
        },
    );
    words
}

fn file(container: &str, id: i64) -> Rule {
    let kind = match container {
        "Issue" => Kind::Issue,
        "News" => Kind::News,
        "Document" => Kind::Document,
        "Changeset" => Kind::Changeset,
        "WikiPage" => Kind::WikiPage,
        "Message" => Kind::Message,
        "Project" => Kind::Project,
        "Version" => return Rule::File(ContainerType::Version, id),
        other => panic!("files of {other}"),
    };
    Rule::File(ContainerType::Record(kind), id)
}

fn addresses(database: &Database) -> Vec<(String, Rule)> {
    let mut addresses = Vec::new();
    let mut add = |sql: &str, rule: &dyn Fn(&Row) -> Rule| {
        addresses.extend(rows(database, sql, |row| (row.get::<String>(0), rule(row))));
    };
    add(
        "SELECT '/issues/' || id, id FROM issues",
        &record(Kind::Issue),
    );
    add("SELECT '/news/' || id, id FROM news", &record(Kind::News));
    add(
        "SELECT '/documents/' || id, id FROM documents",
        &record(Kind::Document),
    );
    add(
        "SELECT '/boards/' || board_id || '/topics/' || COALESCE(parent_id, id), id FROM messages",
        &record(Kind::Message),
    );
    let changesets = "SELECT '/projects/place' || repository_id || '/repository/revisions/' || revision, id FROM changesets";
    add(changesets, &record(Kind::Changeset));
    add(
        "SELECT '/projects/place' || wiki_id || '/wiki/' || title, id FROM wiki_pages",
        &record(Kind::WikiPage),
    );
    for page in ["/history", "/diff?version=2&version_from=1", "/1"] {
        let sql = format!(
            "SELECT '/projects/place' || wiki_id || '/wiki/' || title || '{page}', id FROM wiki_pages WHERE id % 3 = 0"
        );
        add(&sql, &|row| Rule::OldVersion(row.get(1)));
    }
    add(
        "SELECT '/versions/' || id, project_id FROM versions",
        &permission(Permission::ViewIssues),
    );
    add(
        "SELECT '/boards/' || id, project_id FROM boards",
        &permission(Permission::ViewMessages),
    );
    add(
        "SELECT '/attachments/' || id, container_type, container_id FROM attachments",
        &|row| file(&row.get::<String>(1), row.get(2)),
    );
    add(
        "SELECT '/users/' || user_id || '/picture', user_id FROM user_pictures",
        &|row| Rule::Person(UserId(row.get(1))),
    );
    for (path, needed) in [
        ("", Permission::ViewProject),
        ("/issues?status_id=*&limit=100", Permission::ViewIssues),
        ("/news?limit=100", Permission::ViewNews),
        ("/documents?limit=100", Permission::ViewDocuments),
        ("/boards", Permission::ViewMessages),
        ("/repository?limit=100", Permission::ViewChangesets),
        ("/wiki/index", Permission::ViewWikiPages),
        ("/search?q=zq*&all_words=", Permission::ViewProject),
    ] {
        add(
            &format!("SELECT '/projects/' || identifier || '{path}', id FROM projects"),
            &permission(needed),
        );
    }
    addresses
}
