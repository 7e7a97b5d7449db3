//! JSON and XML of memberships (compatibility 11.7).

use crate::api::users::view::membership_roles;
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::UserId;
use crate::domain::membership::Membership;
use crate::wire::Fields;

/// Writes the fields of a membership, in the order of compatibility 11.7.
pub fn membership(w: &mut Fields, membership: &Membership, catalogue: &Catalogue) {
    w.field("id", membership.id.0);
    w.reference(
        "project",
        membership.project.0,
        catalogue.project_name(membership.project),
    );
    let kind = if catalogue
        .users
        .contains_key(&UserId(membership.principal.0))
    {
        "user"
    } else {
        "group"
    };
    w.reference(
        kind,
        membership.principal.0,
        catalogue
            .principal_name(membership.principal)
            .unwrap_or_default(),
    );
    membership_roles(w, membership, catalogue);
}
