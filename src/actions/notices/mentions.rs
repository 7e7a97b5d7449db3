//! The users that a text can mention: what is offered while somebody types `@`.
//!
//! Invariant: nobody is offered whom the viewer may not see. Anonymous is offered nobody, because
//! logins are half of what an attacker needs.

use crate::issues::assignable;
use crate::issues::journals;
use crate::prelude::*;
use quarry_domain::access::visibility;
use quarry_domain::accounts::user::{User, UserStatus};
use quarry_domain::issues::issue::Issue;
use quarry_domain::values::stable_sort::StableSort;
use std::collections::HashSet;

/// Maximum number of characters that are compared with names.
const MAX_TYPED: usize = 60;

/// Maximum number of users whose own rights are computed.
const MAX_CHECKED: usize = 40;

/// How near a user is to the record; the nearest comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    /// Has written the issue or a note, or is its assignee; with the place in that order.
    Participant(usize),
    Member,
    Other,
}

/// Returns at most `limit` active users for a text of this issue, or else of this project, whose
/// login or a word of whose name begins with what was typed, and who may see the issue or project.
/// Participants come first, then members of the project.
pub fn list<'c>(
    db: &'c Read<'_>,
    viewer: &Viewer,
    (project, issue): (ProjectId, Option<&Issue>),
    typed: &str,
    limit: usize,
) -> Result<Vec<&'c User>, StoreError> {
    let catalogue: &'c Catalogue = db.catalogue();
    let typed: String = typed.trim().to_lowercase();
    if viewer.user.is_none() || typed.chars().nth(MAX_TYPED).is_some() {
        return Ok(Vec::new());
    }
    let participants = match issue {
        Some(issue) => participants(db, viewer, issue)?,
        None => Vec::new(),
    };
    let members: HashSet<UserId> = assignable::list_members(catalogue, project)
        .into_iter()
        .map(|member| UserId(member.0))
        .collect();
    let nearness = |id: UserId| match participants.iter().position(|other| *other == id) {
        Some(place) => Nearness::Participant(place),
        None if members.contains(&id) => Nearness::Member,
        None => Nearness::Other,
    };
    let visible = visibility::principals(viewer, catalogue);
    let active = catalogue
        .users
        .values()
        .filter(|user| user.status == UserStatus::Active && visible.contains(user.id));
    let mut matching: Vec<(Nearness, String, &User)> = active
        .filter(|user| begins_with(user, &typed))
        .map(|user| (nearness(user.id), user.name.to_lowercase(), user))
        .filter(|(nearness, ..)| !typed.is_empty() || *nearness != Nearness::Other)
        .collect();
    matching.stable_sort_by(|a, b| (a.0, &a.1, a.2.id).cmp(&(b.0, &b.1, b.2.id)));
    matching.truncate(MAX_CHECKED.max(limit));
    let users = matching.into_iter().map(|(_, _, user)| user);
    Ok(users
        .filter(|user| sees(catalogue, user.id, project, issue))
        .take(limit)
        .collect())
}

/// Returns the authors of the journals of an issue that the viewer may read, the latest first, then
/// the author and the assignee of the issue.
fn participants(db: &Read<'_>, viewer: &Viewer, issue: &Issue) -> Result<Vec<UserId>, StoreError> {
    let mut participants = journals::authors(db, viewer, issue)?;
    let others = [Some(issue.author), issue.assignee.map(|id| UserId(id.0))];
    participants.extend(others.into_iter().flatten());
    Ok(participants)
}

/// Whether the login or a word of the name begins with this text in lower case.
fn begins_with(user: &User, typed: &str) -> bool {
    let name = user.name.to_lowercase();
    user.login.to_lowercase().starts_with(typed)
        || name.starts_with(typed)
        || name.split_whitespace().any(|word| word.starts_with(typed))
}

fn sees(catalogue: &Catalogue, user: UserId, project: ProjectId, issue: Option<&Issue>) -> bool {
    let user = Viewer::new(catalogue, Some(user));
    match issue {
        Some(issue) => visibility::issues(&user).matches(&issue.access_attributes()),
        None => user.sees(project),
    }
}
