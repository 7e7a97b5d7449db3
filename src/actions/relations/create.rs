//! Relating issues (compatibility 6.8).

use super::note;
use crate::actions::ActionError;
use crate::actions::issues::{self, watching};
use crate::domain::clock::Clock;
use crate::domain::ids::{IssueId, RelationId};
use crate::domain::issue::Issue;
use crate::domain::patch::Patch;
use crate::domain::permission::Permission;
use crate::domain::relation::{Relation, RelationType};
use crate::domain::setting::Setting;
use crate::domain::validation::ValidationErrors;
use crate::domain::viewer::Viewer;
use crate::domain::{visibility, workdays};
use crate::store::{self, Read, StoreError, Write, relations, subtasks};

/// How many issues one request can relate.
const MOST: usize = 100;

/// What a request wants of a relation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RelationChange {
    /// The other issue: `28`, `#28`, or several, `29,31`.
    pub to: Patch<String>,
    /// The type of the relation; `relates` by default.
    pub kind: Patch<String>,
    /// Working days between them.
    pub delay: Patch<String>,
}

/// Relates the issue to the requested ones; returns the relation as stored, the last one of several. All of them or none. What now
/// waits for something else moves (compatibility 6.6).
///
/// # Errors
/// `NotFound`; `Forbidden` when the viewer may not see the issue or not manage its relations; `Invalid` with the sentences of
/// compatibility 6.8. What the viewer may not see is, for the viewer, not there.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: IssueId,
    change: &RelationChange,
    clock: &dyn Clock,
) -> Result<Relation, ActionError> {
    let issue = issues::find(db, viewer, id)?;
    let Some(user) = viewer.author_id(db.catalogue()).filter(|_| viewer.may(Permission::ManageIssueRelations, issue.project)) else {
        return Err(ActionError::Forbidden);
    };
    let mut made = Vec::new();
    for number in numbers(&change.to)? {
        let other = match number {
            Some(number) => store::issues::find(db, visibility::issues(viewer), number)?,
            None => None,
        };
        let (draft, other) = validate(db, &issue, other, change)?;
        made.push(Relation { id: relations::insert(db, &draft)?, ..draft });
        watching::contributor(db, viewer, user, &other)?;
    }
    watching::contributor(db, viewer, user, &issue)?;
    note(db, user, issue.id, &made, true, clock)?;
    for relation in made.iter().filter(|relation| relation.kind == RelationType::Precedes) {
        issues::follow(db, viewer, relation.from, clock)?;
    }
    made.pop().ok_or_else(|| ActionError::Invalid(vec!["Related issue cannot be blank".to_owned()]))
}

/// The numbers that were given; `None` for what is no number.
fn numbers(to: &Patch<String>) -> Result<Vec<Option<IssueId>>, ActionError> {
    let text = to.value().map_or("", String::as_str);
    let parts: Vec<&str> = text.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    if parts.len() > MOST {
        return Err(ActionError::Invalid(vec![format!("Related issue is invalid (at most {MOST} issues can be related at once)")]));
    }
    let number = |part: &str| part.strip_prefix('#').unwrap_or(part).parse().ok().map(IssueId);
    Ok(if parts.is_empty() { vec![None] } else { parts.into_iter().map(number).collect() })
}

/// The relation to be kept, or what is wrong with it.
fn validate(db: &Read<'_>, issue: &Issue, other: Option<Issue>, change: &RelationChange) -> Result<(Relation, Issue), ActionError> {
    let mut errors = ValidationErrors::new();
    if other.is_none() {
        errors.add("Related issue", "cannot be blank");
    }
    let kind = change.kind.value().map_or(Some(RelationType::Relates), |name| RelationType::parse(name));
    if kind.is_none() {
        errors.add("Relation type", "is not included in the list");
    }
    let delay = change.delay.value().map(|text| text.trim().parse::<i64>());
    match &delay {
        Some(Err(_)) => errors.add("Delay", "is not a number"),
        Some(Ok(days)) if *days > workdays::MAX_DAYS => {
            errors.add("Delay", &format!("must be less than or equal to {}", workdays::MAX_DAYS))
        }
        Some(Ok(days)) if *days < -workdays::MAX_DAYS => {
            errors.add("Delay", &format!("must be greater than or equal to -{}", workdays::MAX_DAYS))
        }
        _ => {}
    }
    let (Some(other), Some(kind)) = (other, kind) else { return Err(ActionError::Invalid(errors.messages().to_vec())) };
    let given = Relation { id: RelationId(0), from: issue.id, to: other.id, kind, delay: delay.and_then(Result::ok) };
    if issue.id == other.id {
        errors.add("Related issue", "is invalid");
    } else {
        related(db, issue, &other, &given, &mut errors)?;
    }
    errors.into_result().map_err(ActionError::Invalid)?;
    Ok((given.normalized(), other))
}

fn related(db: &Read<'_>, issue: &Issue, other: &Issue, given: &Relation, errors: &mut ValidationErrors) -> Result<(), StoreError> {
    let kept = given.normalized();
    // Two that merely have to do with each other are compared as they were named, everything else as it is kept.
    let (from, to) = if given.kind == RelationType::Relates { (given.from, given.to) } else { (kept.from, kept.to) };
    if relations::exists(db, from, to)? {
        errors.add("Related issue", "has already been taken");
    }
    if issue.project != other.project && !db.catalogue().is_on(Setting::CrossProjectIssueRelations) {
        errors.add("Related issue", "doesn't belong to the same project");
    }
    let circular = match kept.kind {
        RelationType::Precedes => issues::moves(db, to, from)?,
        RelationType::Blocks => relations::blocks(db, to, from)?,
        _ => relations::exists(db, to, from)?,
    };
    if circular {
        errors.add("This relation", "would create a circular dependency");
    }
    if subtasks::is_ancestor(db, from, to)? || subtasks::is_ancestor(db, to, from)? {
        errors.add("An issue", "cannot be linked to one of its subtasks");
    }
    Ok(())
}
