//! `/roles/new`, `/roles/:id/edit` and `/roles/:id/delete`.

use super::fields::{RoleForm, sections};
use super::list::{list, members_with};
use crate::components::field_builder::FieldBuilder;
use crate::components::form_page::Section;
use crate::form::number_param;
use crate::prelude::*;
use crate::records::deletions::DeletionEffects;
use crate::records::record_area::AdministrationArea;
use crate::records::record_pages::RecordPages;
use crate::records::record_routes::admin_routes;
use quarry_actions::administration::workflows;
use quarry_domain::access::role::Role;
use quarry_domain::ids::RoleId;
use quarry_http::audit_role;

/// Returns the routes of the list and of the forms.
pub fn routes() -> Routes {
    admin_routes::<RolePages>(list)
}

/// The pages of one role.
struct RolePages;

impl Resource for RolePages {
    type Id = RoleId;
    type Parent = ();
    type Change = RoleForm;

    fn create(
        db: &mut Write<'_>,
        viewer: &Viewer,
        (): (),
        form: &RoleForm,
    ) -> Result<RoleId, ActionError> {
        let id = Role::create(db, viewer, (), &form.change_of(&Role::default()))?;
        if let Some(source) = form.workflow_of {
            workflows::copy_to_role(db, viewer, source, id)?;
        }
        Ok(id)
    }

    fn update(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: RoleId,
        form: &RoleForm,
    ) -> Result<(), ActionError> {
        let stored = db.catalogue().role(id);
        let change = form.change_of(stored.ok_or(ActionError::NotFound)?);
        Role::update(db, viewer, id, &change)
    }

    fn delete(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: RoleId,
        _replacement: Option<RoleId>,
    ) -> Result<(), ActionError> {
        Role::delete(db, viewer, id, None)
    }
}

impl RecordPages for RolePages {
    type Resource = Self;
    type Record = Role;
    type Parent = ();
    type Area = AdministrationArea;

    const NOUN: &'static str = "role";
    const PATH: &'static str = "/roles";
    const AREA: AdministrationArea = AdministrationArea {
        label: "Roles",
        path: Self::PATH,
    };

    fn find(request: &RequestContext, db: &Read<'_>) -> Result<Role, Error> {
        let role = db.catalogue().role(request.id_param("id")?);
        role.cloned().ok_or(Error::NotFound)
    }

    fn parent_of(_role: &Role) {}

    fn id(role: &Role) -> i64 {
        role.id.0
    }

    fn name(role: &Role) -> &str {
        &role.name
    }

    fn sections(
        request: &RequestContext,
        db: &Read<'_>,
        (): (),
        role: Option<&Role>,
        form: FieldBuilder<'_>,
    ) -> Result<Vec<Section>, Error> {
        let catalogue = db.catalogue();
        if let Some(role) = role {
            return Ok(sections(catalogue, role, None, form));
        }
        let copied = number_param(request, "copy").and_then(|id| catalogue.role(RoleId(id)));
        let role = match copied {
            None => Role {
                assignable: true,
                ..Role::default()
            },
            Some(role) => Role {
                id: RoleId::default(),
                name: String::new(),
                builtin: None,
                ..role.clone()
            },
        };
        let workflow_of = copied.map(|role| role.id);
        Ok(sections(catalogue, &role, Some(workflow_of), form))
    }

    fn can_delete(role: &Role) -> bool {
        role.builtin.is_none()
    }

    fn deletion_effects(db: &Read<'_>, role: &Role) -> Result<DeletionEffects, Error> {
        let refusal = match members_with(db.catalogue(), role.id) {
            _ if role.builtin.is_some() => Some("Builtin roles cannot be deleted.".to_owned()),
            0 => None,
            1 => Some("One member has this role. Give them another one first.".to_owned()),
            count => Some(format!(
                "{count} members have this role. Give them another one first."
            )),
        };
        Ok(DeletionEffects {
            notes: vec![
                "Its workflow is deleted, too. Custom fields and queries that only this role may see are shown to fewer people."
                    .to_owned(),
            ],
            refusal,
            ..DeletionEffects::default()
        })
    }

    fn audit(request: &RequestContext, id: i64, change: &'static str) {
        audit_role(request, RoleId(id), change);
    }
}
