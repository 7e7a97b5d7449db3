//! Deletes projects with everything in them.
//!
//! A small project is deleted in one transaction. A large one is first hidden: it leaves the
//! catalogue, so nobody can see it. Its records are then deleted in batches, so that other writers
//! wait for one batch at most, and the project itself last. After a crash, hidden projects are
//! found by their status and deleted after the next start.

use super::matching::ids;
use crate::content::attachments;
use crate::lists::polymorphic;
use crate::transaction::changes;
use crate::{Read, StoreError, Value, Write};
use quarry_domain::content::attachment::ContainerType;
use quarry_domain::ids::{IssueId, ProjectId};
use quarry_domain::index_feed::kind::Kind;

/// The status of a project that is being deleted. Imported projects never have it: a project that
/// Redmine was about to delete stays, hidden like an archived one.
pub const STATUS_DELETING: i64 = -1;

/// Records of one type that belong to projects.
struct Dependents {
    /// Redmine's name of the type, as in polymorphic references.
    name: &'static str,
    /// Their type as containers of attachments, if they can have attachments.
    container_type: Option<ContainerType>,
    /// The statement that selects at most ?2 of their ids in the projects ?1.
    select: &'static str,
    /// Statements that delete what belongs to the records ?1, then the records.
    delete: &'static [&'static str],
}

/// All types, ordered so that no record refers to a deleted one.
const DEPENDENTS: &[Dependents] = &[
    Dependents {
        name: "TimeEntry",
        container_type: None,
        select: "SELECT id FROM time_entries WHERE project_id IN ids(?1) LIMIT ?2",
        delete: &["DELETE FROM time_entries WHERE id IN ids(?1)"],
    },
    Dependents {
        name: "Issue",
        container_type: Some(ContainerType::Record(Kind::Issue)),
        select: "SELECT id FROM issues WHERE project_id IN ids(?1) LIMIT ?2",
        delete: &[
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
    Dependents {
        name: "Message",
        container_type: Some(ContainerType::Record(Kind::Message)),
        select: "SELECT m.id FROM boards b JOIN messages m ON m.board_id = b.id WHERE b.project_id IN ids(?1) LIMIT ?2",
        delete: &[
            "UPDATE boards SET last_message_id = NULL WHERE last_message_id IN ids(?1)",
            "UPDATE messages SET last_reply_id = NULL WHERE last_reply_id IN ids(?1)",
            "UPDATE messages SET parent_id = NULL WHERE parent_id IN ids(?1)",
            "DELETE FROM messages WHERE id IN ids(?1)",
        ],
    },
    Dependents {
        name: "WikiPage",
        container_type: Some(ContainerType::Record(Kind::WikiPage)),
        select: "SELECT p.id FROM wikis w JOIN wiki_pages p ON p.wiki_id = w.id WHERE w.project_id IN ids(?1) LIMIT ?2",
        delete: &[
            "UPDATE wiki_pages SET parent_id = NULL WHERE parent_id IN ids(?1)",
            "DELETE FROM wiki_versions WHERE page_id IN ids(?1)",
            "DELETE FROM wiki_pages WHERE id IN ids(?1)",
        ],
    },
    Dependents {
        name: "Changeset",
        container_type: Some(ContainerType::Record(Kind::Changeset)),
        select: "SELECT s.id FROM repositories r JOIN changesets s ON s.repository_id = r.id WHERE r.project_id IN ids(?1) LIMIT ?2",
        delete: &[
            "DELETE FROM changed_paths WHERE changeset_id IN ids(?1)",
            "DELETE FROM changeset_parents WHERE changeset_id IN ids(?1)",
            "DELETE FROM changeset_parents WHERE parent_id IN ids(?1)",
            "DELETE FROM changesets_issues WHERE changeset_id IN ids(?1)",
            "DELETE FROM changesets WHERE id IN ids(?1)",
        ],
    },
    Dependents {
        name: "News",
        container_type: Some(ContainerType::Record(Kind::News)),
        select: "SELECT id FROM news WHERE project_id IN ids(?1) LIMIT ?2",
        delete: &[
            "DELETE FROM reactions WHERE reactable_type = 'Comment' AND reactable_id IN \
             (SELECT id FROM comments WHERE commented_type = 'News' AND commented_id IN ids(?1))",
            "DELETE FROM comments WHERE commented_type = 'News' AND commented_id IN ids(?1)",
            "DELETE FROM news WHERE id IN ids(?1)",
        ],
    },
    Dependents {
        name: "Document",
        container_type: Some(ContainerType::Record(Kind::Document)),
        select: "SELECT id FROM documents WHERE project_id IN ids(?1) LIMIT ?2",
        delete: &["DELETE FROM documents WHERE id IN ids(?1)"],
    },
    Dependents {
        name: "Version",
        container_type: Some(ContainerType::Version),
        select: "SELECT id FROM versions WHERE project_id IN ids(?1) LIMIT ?2",
        delete: &[
            "UPDATE projects SET default_version_id = NULL WHERE default_version_id IN ids(?1)",
            "DELETE FROM versions WHERE id IN ids(?1)",
        ],
    },
    Dependents {
        name: "IssueCategory",
        container_type: None,
        select: "SELECT id FROM issue_categories WHERE project_id IN ids(?1) LIMIT ?2",
        delete: &["DELETE FROM issue_categories WHERE id IN ids(?1)"],
    },
    Dependents {
        name: "Board",
        container_type: None,
        select: "SELECT id FROM boards WHERE project_id IN ids(?1) LIMIT ?2",
        delete: &[
            "UPDATE boards SET parent_id = NULL WHERE parent_id IN ids(?1)",
            "DELETE FROM boards WHERE id IN ids(?1)",
        ],
    },
    Dependents {
        name: "Wiki",
        container_type: None,
        select: "SELECT id FROM wikis WHERE project_id IN ids(?1) LIMIT ?2",
        delete: &[
            "DELETE FROM wiki_redirects WHERE wiki_id IN ids(?1)",
            "DELETE FROM wiki_redirects WHERE redirects_to_wiki_id IN ids(?1)",
            "DELETE FROM wikis WHERE id IN ids(?1)",
        ],
    },
    Dependents {
        name: "Repository",
        container_type: None,
        select: "SELECT id FROM repositories WHERE project_id IN ids(?1) LIMIT ?2",
        delete: &["DELETE FROM repositories WHERE id IN ids(?1)"],
    },
    Dependents {
        name: "Query",
        container_type: None,
        select: "SELECT id FROM queries WHERE project_id IN ids(?1) LIMIT ?2",
        delete: &[
            "UPDATE projects SET default_issue_query_id = NULL WHERE default_issue_query_id IN ids(?1)",
            "DELETE FROM queries_roles WHERE query_id IN ids(?1)",
            "DELETE FROM queries WHERE id IN ids(?1)",
        ],
    },
    Dependents {
        name: "EnabledModule",
        container_type: None,
        select: "SELECT id FROM enabled_modules WHERE project_id IN ids(?1) LIMIT ?2",
        delete: &["DELETE FROM enabled_modules WHERE id IN ids(?1)"],
    },
    Dependents {
        name: "Member",
        container_type: None,
        select: "SELECT id FROM members WHERE project_id IN ids(?1) LIMIT ?2",
        delete: &[
            "DELETE FROM member_roles WHERE member_id IN ids(?1)",
            "DELETE FROM inherited_member_roles WHERE member_id IN ids(?1)",
            "DELETE FROM members WHERE id IN ids(?1)",
        ],
    },
];

/// The projects and the remaining references to them. Time entries moved to other projects may use
/// activities of a deleted project: they get the shared activity that it replaced; without one, the
/// activity stays, inactive.
const PROJECTS: Dependents = Dependents {
    name: "Project",
    container_type: Some(ContainerType::Record(Kind::Project)),
    select: "",
    delete: &[
        "DELETE FROM project_trackers WHERE project_id IN ids(?1)",
        "DELETE FROM custom_fields_projects WHERE project_id IN ids(?1)",
        "DELETE FROM bookmarks WHERE project_id IN ids(?1)",
        "DELETE FROM former_identifiers WHERE project_id IN ids(?1)",
        "DELETE FROM saved_replies WHERE project_id IN ids(?1)",
        "DELETE FROM issue_templates WHERE project_id IN ids(?1)",
        "UPDATE time_entries SET activity_id = (SELECT e.parent_id FROM enumerations e WHERE e.id = time_entries.activity_id) \
         WHERE activity_id IN (SELECT e.id FROM enumerations e WHERE e.project_id IN ids(?1) AND e.parent_id IS NOT NULL)",
        "UPDATE enumerations SET project_id = NULL, active = 0 \
         WHERE project_id IN ids(?1) AND EXISTS (SELECT 1 FROM time_entries t WHERE t.activity_id = enumerations.id)",
        "DELETE FROM enumerations WHERE project_id IN ids(?1)",
        "UPDATE projects SET parent_id = NULL WHERE id IN ids(?1)",
        "DELETE FROM projects WHERE id IN ids(?1)",
    ],
};

/// Hides projects before their deletion: they leave the catalogue, and their identifiers become
/// free.
pub fn hide(db: &mut Write<'_>, projects: &[ProjectId]) -> Result<(), StoreError> {
    for project in projects {
        // Valid identifiers contain no tilde.
        let sql = "UPDATE projects SET status = ?2, identifier = ?3 WHERE id = ?1";
        db.execute(
            sql,
            &[
                (*project).into(),
                STATUS_DELETING.into(),
                format!("~{project}").as_str().into(),
            ],
        )?;
        db.execute(
            "DELETE FROM former_identifiers WHERE project_id = ?1",
            &[(*project).into()],
        )?;
        changes::record(db, Kind::Project, *project)?;
    }
    db.catalogue_changed()
}

/// Returns the hidden projects whose deletion is not complete.
pub fn hidden(db: &Read<'_>) -> Result<Vec<ProjectId>, StoreError> {
    db.column(
        "SELECT id FROM projects WHERE status = ?1 ORDER BY id",
        &[STATUS_DELETING.into()],
    )
}

/// Whether the projects have more than `limit` records of one type.
pub fn is_large(db: &Read<'_>, projects: &[ProjectId], limit: i64) -> Result<bool, StoreError> {
    for dependents in DEPENDENTS {
        if db
            .column::<i64>(dependents.select, &[ids(projects), (limit + 1).into()])?
            .len() as i64
            > limit
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Removes the parents of issues of the projects that are in other projects. Returns these parents,
/// whose attributes may depend on their subtasks.
pub fn detach(db: &mut Write<'_>, projects: &[ProjectId]) -> Result<Vec<IssueId>, StoreError> {
    let outside =
        "SELECT p.id FROM issues p WHERE p.id = issues.parent_id AND p.project_id NOT IN ids(?1)";
    let condition =
        format!("project_id IN ids(?1) AND parent_id IS NOT NULL AND EXISTS ({outside})");
    let parents = db.column(
        &format!("SELECT DISTINCT parent_id FROM issues WHERE {condition}"),
        &[ids(projects)],
    )?;
    if !parents.is_empty() {
        db.execute(
            &format!("UPDATE issues SET parent_id = NULL WHERE {condition}"),
            &[ids(projects)],
        )?;
    }
    Ok(parents)
}

/// The outcome of a batch of deletions.
#[derive(Debug, Default)]
pub struct BatchOutcome {
    /// Whether there are more records to delete.
    pub more: bool,
    /// The digests of deleted attachments, to pass to `blobs::delete_unused` after the commit.
    pub contents: Vec<String>,
}

/// Deletes at most `limit` records of the projects, or the projects when they have no records left.
pub fn delete_batch(
    db: &mut Write<'_>,
    projects: &[ProjectId],
    limit: i64,
) -> Result<BatchOutcome, StoreError> {
    for dependents in DEPENDENTS {
        let records: Vec<i64> = db.column(dependents.select, &[ids(projects), limit.into()])?;
        if !records.is_empty() {
            return Ok(BatchOutcome {
                more: true,
                contents: delete_dependents(db, dependents, records)?,
            });
        }
    }
    let contents = delete_dependents(
        db,
        &PROJECTS,
        projects.iter().map(|project| project.0).collect(),
    )?;
    db.catalogue_changed()?;
    Ok(BatchOutcome {
        more: false,
        contents,
    })
}

/// Deletes the projects with everything in them. Returns the digests to pass to
/// `blobs::delete_unused` after the commit.
pub fn delete(db: &mut Write<'_>, projects: &[ProjectId]) -> Result<Vec<String>, StoreError> {
    let mut contents = Vec::new();
    loop {
        let batch = delete_batch(db, projects, 1000)?;
        contents.extend(batch.contents);
        if !batch.more {
            return Ok(contents);
        }
    }
}

fn delete_dependents(
    db: &mut Write<'_>,
    dependents: &Dependents,
    ids: Vec<i64>,
) -> Result<Vec<String>, StoreError> {
    let id_list = Value::Ids(ids.clone());
    polymorphic::delete_by_owners(db, dependents.name, &ids)?;
    let files = match dependents.container_type {
        Some(container_type) => {
            attachments::delete_by_containers(db, container_type, id_list.clone())?
        }
        None => Vec::new(),
    };
    let issue_column = match dependents.name {
        "Version" => Some("fixed_version_id"),
        "IssueCategory" => Some("category_id"),
        _ => None,
    };
    if let Some(column) = issue_column {
        // Issues of other projects may refer to them.
        let sql =
            format!("UPDATE issues SET {column} = NULL WHERE {column} IN ids(?1) RETURNING id");
        let issues: Vec<i64> = db.column(&sql, std::slice::from_ref(&id_list))?;
        changes::record_all(db, Kind::Issue, issues)?;
        db.catalogue_changed()?;
    }
    for sql in dependents.delete {
        db.execute(sql, std::slice::from_ref(&id_list))?;
    }
    if let Some(ContainerType::Record(kind)) = dependents.container_type {
        for id in ids {
            changes::record(db, kind, id)?;
        }
    }
    Ok(files)
}
