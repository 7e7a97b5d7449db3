//! Relations between issues.

use crate::issues;
use crate::issues::watching;
use crate::notices;
use crate::prelude::*;
use quarry_domain::access::visibility;
use quarry_domain::administration::setting::Setting;
use quarry_domain::administration::workdays;
use quarry_domain::ids::RelationId;
use quarry_domain::issues::issue::Issue;
use quarry_domain::issues::journal::{Journal, JournalDetail};
use quarry_domain::issues::relation::{Relation, RelationType};
use quarry_store as store;
use quarry_store::issues::{relations, subtasks};

/// Records added or deleted relations of `issue` in the histories of all issues (compatibility
/// 6.2). `issue` gets one journal for all of them.
fn record(
    db: &mut Write<'_>,
    user: UserId,
    issue: IssueId,
    relations: &[Relation],
    added: bool,
) -> Result<(), StoreError> {
    let own = (
        issue,
        relations
            .iter()
            .map(|relation| detail(relation, issue, added))
            .collect(),
    );
    let others = relations.iter().map(|relation| relation.other_end(issue));
    let others = others
        .zip(relations)
        .map(|(other, relation)| (other, vec![detail(relation, other, added)]));
    let entries: Vec<(IssueId, Vec<JournalDetail>)> = std::iter::once(own).chain(others).collect();
    for (issue, details) in entries {
        let journal = Journal {
            issue,
            user,
            notes: Some(String::new()),
            created_on: db.now(),
            details,
            ..Journal::default()
        };
        notices::record_journal(db, &journal)?;
    }
    Ok(())
}

/// Returns the entry of the journal of one end of the relation.
fn detail(relation: &Relation, issue: IssueId, added: bool) -> JournalDetail {
    let other_id = |new: bool| (new == added).then(|| relation.other_end(issue).to_string());
    JournalDetail {
        property: "relation".to_owned(),
        name: relation.type_from(issue).name().to_owned(),
        old_value: other_id(false),
        new_value: other_id(true),
    }
}

/// Returns the relation if the viewer may see both issues.
///
/// # Errors
/// `NotFound` if there is none; `Forbidden` if the viewer may not see both issues.
pub fn find(db: &Read<'_>, viewer: &Viewer, id: RelationId) -> Result<Relation, ActionError> {
    let relation = relations::find(db, id)?.ok_or(ActionError::NotFound)?;
    let visible = store::issues::visible_ids(db, viewer, &[relation.from.0, relation.to.0])?;
    if visible.contains(&relation.from) && visible.contains(&relation.to) {
        Ok(relation)
    } else {
        Err(ActionError::Forbidden)
    }
}

/// Maximum number of relations that a request can create.
const MAX_RELATIONS: usize = 100;

/// The attributes of a relation in a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RelationChange {
    /// The other issue, `28` or `#28`, or several: `29,31`.
    pub to: Patch<String>,
    /// The type of the relation; `relates` by default.
    pub kind: Patch<String>,
    /// Working days between the issues.
    pub delay: Patch<String>,
}

/// Creates relations to the requested issues, all or none, and returns the last one. Reschedules
/// the successors (compatibility 6.6).
///
/// # Errors
/// `Invalid` with the messages of compatibility 6.8. Hidden issues count as missing.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: IssueId,
    change: &RelationChange,
) -> Result<Relation, ActionError> {
    let issue = issues::find(db, viewer, id)?;
    let Some(user) = viewer
        .author_id(db.catalogue())
        .filter(|_| viewer.may(Permission::ManageIssueRelations, issue.project))
    else {
        return Err(ActionError::Forbidden);
    };
    let mut created = Vec::new();
    for id in parse_ids(&change.to)? {
        let other = match id {
            Some(id) => store::issues::find(db, visibility::issues(viewer), id)?,
            None => None,
        };
        let (draft, other) = validate(db, &issue, other, change)?;
        created.push(Relation {
            id: relations::insert(db, &draft)?,
            ..draft
        });
        watching::add_contributor(db, viewer, &other)?;
    }
    watching::add_contributor(db, viewer, &issue)?;
    record(db, user, issue.id, &created, true)?;
    for relation in created
        .iter()
        .filter(|relation| relation.kind == RelationType::Precedes)
    {
        issues::reschedule_successors(db, viewer, relation.from)?;
    }
    created.pop().ok_or_else(|| {
        ActionError::invalid_attribute("issue_to_id", "Related issue", "cannot be blank")
    })
}

/// Parses the requested ids; `None` for text that is not a number.
fn parse_ids(to: &Patch<String>) -> Result<Vec<Option<IssueId>>, ActionError> {
    let text = to.value().map_or("", String::as_str);
    let parts: Vec<&str> = text
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    if parts.len() > MAX_RELATIONS {
        return Err(ActionError::invalid_attribute(
            "issue_to_id",
            "Related issue",
            &format!("is invalid (at most {MAX_RELATIONS} issues can be related at once)"),
        ));
    }
    Ok(if parts.is_empty() {
        vec![None]
    } else {
        parts.into_iter().map(parse_id).collect()
    })
}

fn parse_id(part: &str) -> Option<IssueId> {
    part.strip_prefix('#')
        .unwrap_or(part)
        .parse()
        .ok()
        .map(IssueId)
}

/// Returns the relation to be stored and the other issue.
fn validate(
    db: &Read<'_>,
    issue: &Issue,
    other: Option<Issue>,
    change: &RelationChange,
) -> Result<(Relation, Issue), ActionError> {
    let mut errors = ValidationErrors::new();
    if other.is_none() {
        errors.add("issue_to_id", "Related issue", "cannot be blank");
    }
    let kind = match change.kind.value() {
        Some(name) => name.parse().ok(),
        None => Some(RelationType::Relates),
    };
    if kind.is_none() {
        errors.add(
            "relation_type",
            "Relation type",
            "is not included in the list",
        );
    }
    let delay = change.delay.value().map(|text| text.trim().parse::<i64>());
    match &delay {
        Some(Err(_)) => errors.add("delay", "Delay", "is not a number"),
        Some(Ok(days)) if *days > workdays::MAX_DAYS => errors.add(
            "delay",
            "Delay",
            &format!("must be less than or equal to {}", workdays::MAX_DAYS),
        ),
        Some(Ok(days)) if *days < -workdays::MAX_DAYS => errors.add(
            "delay",
            "Delay",
            &format!("must be greater than or equal to -{}", workdays::MAX_DAYS),
        ),
        _ => {}
    }
    let Some(other) = other else {
        return Err(ActionError::Invalid(errors));
    };
    // Without a valid type, what depends on no type is checked nevertheless.
    let checked = kind.unwrap_or(RelationType::Relates);
    let requested = Relation {
        from: issue.id,
        to: other.id,
        kind: checked,
        delay: delay.and_then(Result::ok),
        ..Relation::default()
    };
    if issue.id == other.id {
        errors.add("issue_to_id", "Related issue", "is invalid");
    } else {
        validate_issues(db, issue, &other, &requested, kind, &mut errors)?;
    }
    errors.into_result().map_err(ActionError::Invalid)?;
    Ok((requested.normalized(), other))
}

fn validate_issues(
    db: &Read<'_>,
    issue: &Issue,
    other: &Issue,
    requested: &Relation,
    kind: Option<RelationType>,
    errors: &mut ValidationErrors,
) -> Result<(), StoreError> {
    let normalized = requested.normalized();
    // `relates` is checked in the requested direction, every other type in the stored one.
    let (from, to) = if requested.kind == RelationType::Relates {
        (requested.from, requested.to)
    } else {
        (normalized.from, normalized.to)
    };
    if relations::exists(db, from, to)? {
        errors.add("issue_to_id", "Related issue", "has already been taken");
    }
    if issue.project != other.project && !db.catalogue().is_on(Setting::CrossProjectIssueRelations)
    {
        errors.add(
            "issue_to_id",
            "Related issue",
            "doesn't belong to the same project",
        );
    }
    let circular = match kind.map(|_| normalized.kind) {
        None => false,
        Some(RelationType::Precedes) => issues::would_move(db, to, from)?,
        Some(RelationType::Blocks) => relations::blocks(db, to, from)?,
        Some(_) => relations::exists(db, to, from)?,
    };
    if circular {
        errors.add(
            "issue_to_id",
            "This relation",
            "would create a circular dependency",
        );
    }
    if subtasks::is_ancestor(db, from, to)? || subtasks::is_ancestor(db, to, from)? {
        errors.add(
            "issue_to_id",
            "An issue",
            "cannot be linked to one of its subtasks",
        );
    }
    Ok(())
}

/// Records that an issue was copied to another one. Does nothing where the issues may not be
/// related: across projects if the setting forbids it, and above or below each other.
pub(crate) fn link_copy(
    db: &mut Write<'_>,
    user: UserId,
    original: &Issue,
    copy: &Issue,
) -> Result<(), StoreError> {
    let is_allowed = original.project == copy.project
        || db.catalogue().is_on(Setting::CrossProjectIssueRelations);
    if !is_allowed
        || subtasks::is_ancestor(db, original.id, copy.id)?
        || subtasks::is_ancestor(db, copy.id, original.id)?
    {
        return Ok(());
    }
    let draft = Relation {
        from: original.id,
        to: copy.id,
        kind: RelationType::CopiedTo,
        ..Relation::default()
    };
    let relation = Relation {
        id: relations::insert(db, &draft)?,
        ..draft
    };
    record(db, user, original.id, &[relation], true)
}

/// Deletes the relation, and records it in the history of both issues. Requires the permission to
/// manage the relations of either.
///
/// # Errors
/// `Forbidden` if the viewer may not see both issues, or not manage the relations of either.
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, id: RelationId) -> Result<(), ActionError> {
    let relation = find(db, viewer, id)?;
    let ends = [
        issues::find(db, viewer, relation.from)?,
        issues::find(db, viewer, relation.to)?,
    ];
    let manages = ends
        .iter()
        .any(|issue| viewer.may(Permission::ManageIssueRelations, issue.project));
    let Some(user) = viewer.author_id(db.catalogue()).filter(|_| manages) else {
        return Err(ActionError::Forbidden);
    };
    relations::delete(db, id)?;
    for issue in &ends {
        watching::add_contributor(db, viewer, issue)?;
    }
    record(db, user, relation.from, &[relation], false)?;
    Ok(())
}
