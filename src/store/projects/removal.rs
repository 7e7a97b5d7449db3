//! Projects go with everything in them.
//!
//! A small one goes in one transaction. A large one is first hidden as a whole, in one transaction: from then on it is not in the
//! catalogue, so it is there for nobody. What was in it then goes part by part, so that other writers wait for one part at most;
//! the project itself goes last, and what a crash has left is found by its state and goes after the next start.

use super::find::ids;
use crate::domain::attachment::Holder;
use crate::domain::ids::{IssueId, ProjectId};
use crate::domain::kind::Kind;
use crate::store::{Read, StoreError, Value, Write, attachments, changes};

/// The state of a project that is being removed. None that moves in has it: what a Redmine was about to delete is hidden like an
/// archived one, and stays.
pub const DOOMED: i64 = -1;

/// Records of one kind that go with a project.
struct Part {
    /// Redmine's name of the records, under which others hang on them.
    name: &'static str,
    /// The same for files, where there can be some.
    holder: Option<Holder>,
    /// Their numbers, at most ?2 of them, in the projects ?1.
    which: &'static str,
    /// What goes with the records ?1, then the records themselves.
    gone: &'static [&'static str],
}

/// In an order in which nothing is left that refers to what is gone.
const PARTS: &[Part] = &[
    Part {
        name: "TimeEntry",
        holder: None,
        which: "SELECT id FROM time_entries WHERE project_id IN ids(?1) LIMIT ?2",
        gone: &["DELETE FROM time_entries WHERE id IN ids(?1)"],
    },
    Part {
        name: "Issue",
        holder: Some(Holder::Record(Kind::Issue)),
        which: "SELECT id FROM issues WHERE project_id IN ids(?1) LIMIT ?2",
        gone: &[
            "DELETE FROM custom_values WHERE customized_type = 'TimeEntry' AND customized_id IN (SELECT id FROM time_entries WHERE issue_id IN ids(?1))",
            "DELETE FROM time_entries WHERE issue_id IN ids(?1)",
            "DELETE FROM reactions WHERE reactable_type = 'Journal' AND reactable_id IN (SELECT id FROM journals WHERE issue_id IN ids(?1))",
            "DELETE FROM journal_details WHERE journal_id IN (SELECT id FROM journals WHERE issue_id IN ids(?1))",
            "DELETE FROM journals WHERE issue_id IN ids(?1)",
            "DELETE FROM issue_relations WHERE issue_from_id IN ids(?1)",
            "DELETE FROM issue_relations WHERE issue_to_id IN ids(?1)",
            "DELETE FROM changesets_issues WHERE issue_id IN ids(?1)",
            "UPDATE issues SET parent_id = NULL WHERE parent_id IN ids(?1)",
            "DELETE FROM issues WHERE id IN ids(?1)",
        ],
    },
    Part {
        name: "Message",
        holder: Some(Holder::Record(Kind::Message)),
        which: "SELECT m.id FROM boards b JOIN messages m ON m.board_id = b.id WHERE b.project_id IN ids(?1) LIMIT ?2",
        gone: &[
            "UPDATE boards SET last_message_id = NULL WHERE last_message_id IN ids(?1)",
            "UPDATE messages SET last_reply_id = NULL WHERE last_reply_id IN ids(?1)",
            "UPDATE messages SET parent_id = NULL WHERE parent_id IN ids(?1)",
            "DELETE FROM messages WHERE id IN ids(?1)",
        ],
    },
    Part {
        name: "WikiPage",
        holder: Some(Holder::Record(Kind::WikiPage)),
        which: "SELECT p.id FROM wikis w JOIN wiki_pages p ON p.wiki_id = w.id WHERE w.project_id IN ids(?1) LIMIT ?2",
        gone: &[
            "UPDATE wiki_pages SET parent_id = NULL WHERE parent_id IN ids(?1)",
            "DELETE FROM wiki_versions WHERE page_id IN ids(?1)",
            "DELETE FROM wiki_pages WHERE id IN ids(?1)",
        ],
    },
    Part {
        name: "Changeset",
        holder: Some(Holder::Record(Kind::Changeset)),
        which: "SELECT s.id FROM repositories r JOIN changesets s ON s.repository_id = r.id WHERE r.project_id IN ids(?1) LIMIT ?2",
        gone: &[
            "DELETE FROM changed_paths WHERE changeset_id IN ids(?1)",
            "DELETE FROM changeset_parents WHERE changeset_id IN ids(?1)",
            "DELETE FROM changeset_parents WHERE parent_id IN ids(?1)",
            "DELETE FROM changesets_issues WHERE changeset_id IN ids(?1)",
            "DELETE FROM changesets WHERE id IN ids(?1)",
        ],
    },
    Part {
        name: "News",
        holder: Some(Holder::Record(Kind::News)),
        which: "SELECT id FROM news WHERE project_id IN ids(?1) LIMIT ?2",
        gone: &[
            "DELETE FROM reactions WHERE reactable_type = 'Comment' AND reactable_id IN \
             (SELECT id FROM comments WHERE commented_type = 'News' AND commented_id IN ids(?1))",
            "DELETE FROM comments WHERE commented_type = 'News' AND commented_id IN ids(?1)",
            "DELETE FROM news WHERE id IN ids(?1)",
        ],
    },
    Part {
        name: "Document",
        holder: Some(Holder::Record(Kind::Document)),
        which: "SELECT id FROM documents WHERE project_id IN ids(?1) LIMIT ?2",
        gone: &["DELETE FROM documents WHERE id IN ids(?1)"],
    },
    Part {
        name: "Version",
        holder: Some(Holder::Version),
        which: "SELECT id FROM versions WHERE project_id IN ids(?1) LIMIT ?2",
        gone: &[
            "UPDATE projects SET default_version_id = NULL WHERE default_version_id IN ids(?1)",
            "UPDATE issues SET fixed_version_id = NULL WHERE fixed_version_id IN ids(?1)",
            "DELETE FROM versions WHERE id IN ids(?1)",
        ],
    },
    Part {
        name: "IssueCategory",
        holder: None,
        which: "SELECT id FROM issue_categories WHERE project_id IN ids(?1) LIMIT ?2",
        gone: &["UPDATE issues SET category_id = NULL WHERE category_id IN ids(?1)", "DELETE FROM issue_categories WHERE id IN ids(?1)"],
    },
    Part {
        name: "Board",
        holder: None,
        which: "SELECT id FROM boards WHERE project_id IN ids(?1) LIMIT ?2",
        gone: &["UPDATE boards SET parent_id = NULL WHERE parent_id IN ids(?1)", "DELETE FROM boards WHERE id IN ids(?1)"],
    },
    Part {
        name: "Wiki",
        holder: None,
        which: "SELECT id FROM wikis WHERE project_id IN ids(?1) LIMIT ?2",
        gone: &[
            "DELETE FROM wiki_redirects WHERE wiki_id IN ids(?1)",
            "DELETE FROM wiki_redirects WHERE redirects_to_wiki_id IN ids(?1)",
            "DELETE FROM wikis WHERE id IN ids(?1)",
        ],
    },
    Part {
        name: "Repository",
        holder: None,
        which: "SELECT id FROM repositories WHERE project_id IN ids(?1) LIMIT ?2",
        gone: &["DELETE FROM repositories WHERE id IN ids(?1)"],
    },
    Part {
        name: "Query",
        holder: None,
        which: "SELECT id FROM queries WHERE project_id IN ids(?1) LIMIT ?2",
        gone: &["DELETE FROM queries_roles WHERE query_id IN ids(?1)", "DELETE FROM queries WHERE id IN ids(?1)"],
    },
    Part {
        name: "EnabledModule",
        holder: None,
        which: "SELECT id FROM enabled_modules WHERE project_id IN ids(?1) LIMIT ?2",
        gone: &["DELETE FROM enabled_modules WHERE id IN ids(?1)"],
    },
    Part {
        name: "Member",
        holder: None,
        which: "SELECT id FROM members WHERE project_id IN ids(?1) LIMIT ?2",
        gone: &[
            "DELETE FROM member_roles WHERE member_id IN ids(?1)",
            "DELETE FROM inherited_member_roles WHERE member_id IN ids(?1)",
            "DELETE FROM members WHERE id IN ids(?1)",
        ],
    },
];

/// The projects themselves, with what else names them. Activities that were theirs alone may be those of time that was taken to
/// other projects: where they stood for shared ones it has those, otherwise they stay for it and nobody can choose them.
const PROJECTS: Part = Part {
    name: "Project",
    holder: Some(Holder::Record(Kind::Project)),
    which: "",
    gone: &[
        "DELETE FROM project_trackers WHERE project_id IN ids(?1)",
        "DELETE FROM custom_fields_projects WHERE project_id IN ids(?1)",
        "DELETE FROM bookmarks WHERE project_id IN ids(?1)",
        "UPDATE time_entries SET activity_id = (SELECT e.parent_id FROM enumerations e WHERE e.id = time_entries.activity_id) \
         WHERE activity_id IN (SELECT e.id FROM enumerations e WHERE e.project_id IN ids(?1) AND e.parent_id IS NOT NULL)",
        "UPDATE enumerations SET project_id = NULL, active = 0 \
         WHERE project_id IN ids(?1) AND EXISTS (SELECT 1 FROM time_entries t WHERE t.activity_id = enumerations.id)",
        "DELETE FROM enumerations WHERE project_id IN ids(?1)",
        "UPDATE projects SET parent_id = NULL WHERE id IN ids(?1)",
        "DELETE FROM projects WHERE id IN ids(?1)",
    ],
};

/// Hides projects that are to be removed: they leave the catalogue, and others can have their identifiers.
pub fn hide(db: &mut Write<'_>, projects: &[ProjectId]) -> Result<(), StoreError> {
    for project in projects {
        // No identifier that is given has a tilde in it.
        let sql = "UPDATE projects SET status = ?2, identifier = ?3 WHERE id = ?1";
        db.execute(sql, &[(*project).into(), DOOMED.into(), format!("~{project}").as_str().into()])?;
        changes::record(db, Kind::Project, *project)?;
    }
    db.catalogue_changed()
}

/// The projects that were hidden and are not yet removed.
pub fn hidden(db: &Read<'_>) -> Result<Vec<ProjectId>, StoreError> {
    db.column("SELECT id FROM projects WHERE status = ?1 ORDER BY id", &[DOOMED.into()])
}

/// Whether there are more than `limit` records of one kind in the projects.
pub fn is_large(db: &Read<'_>, projects: &[ProjectId], limit: i64) -> Result<bool, StoreError> {
    for part in PARTS {
        if db.column::<i64>(part.which, &[ids(projects), (limit + 1).into()])?.len() as i64 > limit {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Takes the issues of the projects from those above them in other projects; the numbers of those, whose values may follow from
/// what is below them.
pub fn detach(db: &mut Write<'_>, projects: &[ProjectId]) -> Result<Vec<IssueId>, StoreError> {
    let outside = "SELECT p.id FROM issues p WHERE p.id = issues.parent_id AND p.project_id NOT IN ids(?1)";
    let condition = format!("project_id IN ids(?1) AND parent_id IS NOT NULL AND EXISTS ({outside})");
    let above = db.column(&format!("SELECT DISTINCT parent_id FROM issues WHERE {condition}"), &[ids(projects)])?;
    if !above.is_empty() {
        db.execute(&format!("UPDATE issues SET parent_id = NULL WHERE {condition}"), &[ids(projects)])?;
    }
    Ok(above)
}

/// What a removal leaves to be done.
#[derive(Debug, Default)]
pub struct Left {
    /// Whether there is more to remove.
    pub more: bool,
    /// The contents of files that are gone, to be given up once this is committed: see `contents::remove_unused`.
    pub contents: Vec<String>,
}

/// Removes at most `limit` records of what is in the projects, or, when nothing is left in them, the projects.
pub fn remove_some(db: &mut Write<'_>, projects: &[ProjectId], limit: i64) -> Result<Left, StoreError> {
    for part in PARTS {
        let found: Vec<i64> = db.column(part.which, &[ids(projects), limit.into()])?;
        if !found.is_empty() {
            return Ok(Left { more: true, contents: remove_part(db, part, found)? });
        }
    }
    let contents = remove_part(db, &PROJECTS, projects.iter().map(|project| project.0).collect())?;
    db.catalogue_changed()?;
    Ok(Left { more: false, contents })
}

/// Removes the projects with everything in them; the contents that are to be given up.
pub fn remove(db: &mut Write<'_>, projects: &[ProjectId]) -> Result<Vec<String>, StoreError> {
    let mut contents = Vec::new();
    loop {
        let left = remove_some(db, projects, 1000)?;
        contents.extend(left.contents);
        if !left.more {
            return Ok(contents);
        }
    }
}

fn remove_part(db: &mut Write<'_>, part: &Part, found: Vec<i64>) -> Result<Vec<String>, StoreError> {
    let numbers = Value::Ids(found.clone());
    for (table, kind, id) in HANGING {
        let sql = format!("DELETE FROM {table} WHERE {kind} = ?2 AND {id} IN ids(?1)");
        db.execute(&sql, &[numbers.clone(), part.name.into()])?;
    }
    let files = match part.holder {
        Some(holder) => attachments::remove_all(db, holder, numbers.clone())?,
        None => Vec::new(),
    };
    for sql in part.gone {
        db.execute(sql, std::slice::from_ref(&numbers))?;
    }
    if matches!(part.name, "Version" | "IssueCategory") {
        // Issues of other projects may have lost theirs.
        db.catalogue_changed()?;
    }
    if let Some(Holder::Record(kind)) = part.holder {
        for id in found {
            changes::record(db, kind, id)?;
        }
    }
    Ok(files)
}

/// What hangs on records of many kinds: its table, and the columns that say on which kind and on which record.
const HANGING: &[(&str, &str, &str)] = &[
    ("watchers", "watchable_type", "watchable_id"),
    ("reactions", "reactable_type", "reactable_id"),
    ("custom_values", "customized_type", "customized_id"),
];
