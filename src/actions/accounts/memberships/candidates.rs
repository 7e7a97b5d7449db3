//! The users and groups who can become members of a project.

use crate::prelude::*;
use quarry_domain::access::visibility;
use quarry_domain::accounts::user::{BuiltinPrincipal, UserStatus};
use quarry_domain::ids::PrincipalId;
use quarry_domain::values::id_set::IdSet;
use quarry_store::accounts::memberships;
use std::collections::HashSet;

/// Maximum number of words of a search; further ones are ignored.
pub(crate) const MAX_WORDS: usize = 10;

/// Users and groups who can become members of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidates {
    /// The first ones by name.
    pub principals: Vec<PrincipalId>,
    /// Total number of candidates.
    pub total: usize,
}

/// Returns the users and groups whom the viewer can add to the project and who are not members yet:
/// at most `limit`, by name. Each of the `words` must occur in the name, the login, or a mail
/// address that the viewer may see, ignoring case.
///
/// # Errors
/// `Forbidden` if the viewer may not manage the members of the project.
pub fn candidates(
    db: &Read<'_>,
    viewer: &Viewer,
    project: ProjectId,
    words: &str,
    limit: usize,
) -> Result<Candidates, ActionError> {
    if !viewer.may(Permission::ManageMembers, project) {
        return Err(ActionError::Forbidden);
    }
    let catalogue = db.catalogue();
    let members: HashSet<PrincipalId> = memberships::list_by_project(db, project)?
        .into_iter()
        .map(|member| member.principal)
        .collect();
    let possible = PossibleMembers::new(catalogue, viewer);
    let words = words.to_lowercase();
    let words: Vec<&str> = words.split_whitespace().take(MAX_WORDS).collect();
    let users = catalogue.users.keys().map(|id| PrincipalId::from(*id));
    let all = users
        .chain(catalogue.groups.keys().copied())
        .chain(catalogue.builtin.keys().copied());
    let mut found: Vec<(String, PrincipalId)> = all
        .filter(|id| {
            !members.contains(id)
                && possible.contains(*id)
                && has_words(catalogue, viewer, *id, &words)
        })
        .map(|id| {
            (
                catalogue
                    .principal_name(id)
                    .unwrap_or_default()
                    .to_lowercase(),
                id,
            )
        })
        .collect();
    found.sort_unstable();
    let total = found.len();
    Ok(Candidates {
        principals: found.into_iter().take(limit).map(|(_, id)| id).collect(),
        total,
    })
}

/// Whether the texts of a user or group that the viewer sees have all these words.
pub(crate) fn has_words(
    catalogue: &Catalogue,
    viewer: &Viewer,
    principal: PrincipalId,
    words: &[&str],
) -> bool {
    let mut texts = vec![
        catalogue
            .principal_name(principal)
            .unwrap_or_default()
            .to_lowercase(),
    ];
    if let Some(user) = catalogue.users.get(&UserId(principal.0)) {
        texts.push(user.login.to_lowercase());
        texts.extend((viewer.admin || !user.hides_mail).then(|| user.mail.to_lowercase()));
    }
    words
        .iter()
        .all(|word| texts.iter().any(|text| text.contains(word)))
}

/// The existing users and groups whom a viewer can see and therefore make members. Only
/// administrators can add users who cannot log in. The anonymous user is never a member.
pub(super) struct PossibleMembers<'c> {
    catalogue: &'c Catalogue,
    viewer: &'c Viewer,
    visible: IdSet,
}

impl<'c> PossibleMembers<'c> {
    /// Collects the users and groups that this viewer can see.
    pub fn new(catalogue: &'c Catalogue, viewer: &'c Viewer) -> PossibleMembers<'c> {
        PossibleMembers {
            catalogue,
            viewer,
            visible: visibility::principals(viewer, catalogue),
        }
    }

    /// Whether this user or group can become a member.
    pub fn contains(&self, principal: PrincipalId) -> bool {
        let catalogue = self.catalogue;
        let viewer = self.viewer;
        match catalogue.users.get(&UserId(principal.0)) {
            Some(user) => {
                viewer.admin
                    || (user.status == UserStatus::Active && self.visible.contains(principal.0))
            }
            None if catalogue.groups.contains_key(&principal) => self.visible.contains(principal.0),
            None => catalogue
                .builtin
                .get(&principal)
                .is_some_and(|builtin| *builtin != BuiltinPrincipal::Anonymous),
        }
    }
}
