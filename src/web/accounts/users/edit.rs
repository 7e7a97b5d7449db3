//! `/users/:id/edit`: changes a user.

use super::user_form::{parse_user, profile, rights};
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::FormField;
use crate::components::form_page::{FormPage, Section};
use crate::components::picture_form::PictureForm;
use crate::components::time::Moment;
use crate::form::form_merge::{merge, save_merged};
use crate::form::{audit_user, require_password, save};
use crate::frame::render::render;
use crate::frame::{Crumb, Frame, Width};
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::accounts::invitations;
use quarry_actions::accounts::users as actions;
use quarry_actions::accounts::users::{Actor, UserChange};
use quarry_domain::access::inheritance::{role_ids_by_project, with_groups};
use quarry_domain::accounts::user::{User, UserStatus};
use quarry_store::accounts::{address_changes, users};
use std::cell::Cell;

const SAVED: &str = "The user was saved.";

/// Maximum number of projects.
const MAX_PROJECTS: usize = 100;

#[derive(Template)]
#[template(path = "accounts/users/edit.html")]
struct EditUserPage<'f> {
    frame: &'f Frame,
    form: &'f FormPage,
    picture: PictureForm<'f>,
    id: UserId,
    name: String,
    /// The mail address that waits for its confirmation.
    unconfirmed: Option<String>,
    status: UserStatus,
    is_viewer: bool,
    /// Whether an invitation can let the user choose a first password.
    is_without_password: bool,
    has_second_factor: bool,
    created: Moment,
    last_login: Option<Moment>,
    password_changed: Option<Moment>,
    projects: Vec<(Crumb, String)>,
}

impl EditUserPage<'_> {
    fn is_active(&self) -> bool {
        self.status == UserStatus::Active
    }

    fn is_registered(&self) -> bool {
        self.status == UserStatus::Registered
    }
}

/// Returns the user in the path.
pub fn find_user<'c>(request: &RequestContext, db: &'c Read<'_>) -> Result<&'c User, Error> {
    db.catalogue()
        .users
        .get(&request.id_param("id")?)
        .ok_or(Error::NotFound)
}

/// `GET /users/:id/edit`: the form.
pub fn edit(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    with_picture_errors(request, db, ValidationErrors::new())
}

/// Returns the form with what is wrong with a picture.
pub fn with_picture_errors(
    request: &RequestContext,
    db: &Read<'_>,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let none = ValidationErrors::new();
    page(request, db, &Input::Null, &[], none, errors)
}

/// `POST /users/:id/edit`: changes what the viewer has changed in the form. Making somebody an
/// administrator, or an ordinary user again, needs the own password, and so does taking somebody out
/// of a group that requires a second factor.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    // A password is checked once: a second check would count as another attempt.
    let is_confirmed = Cell::new(false);
    save_merged(
        || try_update(request, &is_confirmed),
        |busy| {
            request.app.read(|db| {
                page(
                    request,
                    db,
                    &request.body,
                    &[],
                    busy,
                    ValidationErrors::new(),
                )
            })
        },
    )
}

/// The same; fails with `Outdated` when somebody saves anything between the merge and the write.
fn try_update(request: &RequestContext, is_confirmed: &Cell<bool>) -> Result<Reply, Error> {
    let (user, version, merged) = request.app.read(|db| -> Result<_, Error> {
        let user = find_user(request, db)?;
        let form = FieldBuilder::without_object(&Input::Null);
        let saved = fields_of(sections(db, user, form)?);
        let merged = merge(&request.body, &saved);
        Ok((user.clone(), db.catalogue().version, merged))
    })?;
    let id = user.id;
    if !merged.conflicts.is_empty() {
        let none = ValidationErrors::new();
        let reply = request.app.read(|db| {
            page(
                request,
                db,
                &merged.form,
                &merged.conflicts,
                none.clone(),
                none,
            )
        })?;
        return Ok(reply.with_status(StatusCode::CONFLICT));
    }
    save(
        request,
        || {
            let change = parse_user(&merged.form)?;
            let catalogue = request.app.store.catalogue()?;
            let changes_admin = change.admin.is_some_and(|admin| admin != user.admin);
            if catalogue.version != version {
                return Err(Error::Outdated);
            }
            let needs_password = changes_admin || weakens(&catalogue, id, &change);
            if needs_password && !is_confirmed.get() {
                require_password(request)?;
                is_confirmed.set(true);
            }
            request.write(move |db, viewer| -> Result<_, Error> {
                if db.catalogue().version != version {
                    return Err(Error::Outdated);
                }
                Ok(actions::update(db, Actor::Viewer(viewer), id, &change)?)
            })
        },
        |updated| {
            let catalogue = request.app.store.catalogue()?;
            let login = catalogue.users.get(&id).map(|user| user.login.as_str());
            audit_user(request, id, login.unwrap_or_default(), &updated.changes);
            Ok((paths::edit_user(id), SAVED.to_owned()))
        },
        |db, errors| {
            page(
                request,
                db,
                &merged.form,
                &[],
                errors,
                ValidationErrors::new(),
            )
        },
    )
}

/// Whether the change takes a required second factor off the user.
fn weakens(catalogue: &Catalogue, user: UserId, change: &UserChange) -> bool {
    let Some(groups) = &change.groups else {
        return false;
    };
    let mut left = catalogue
        .groups
        .values()
        .filter(|group| group.users.contains(&user) && !groups.contains(&group.id));
    left.any(|group| group.requires_second_factor)
}

/// Returns the fields of a user.
fn sections(db: &Read<'_>, user: &User, form: FieldBuilder<'_>) -> Result<Vec<Section>, Error> {
    let mut sections = profile(db, Some(user), form)?;
    let mut switches = vec![form.switch(
        "must_change_passwd",
        "Must change the password at the next login",
        user.must_change_password,
    )];
    switches.extend(rights(
        form,
        user.admin,
        "Only to change who is an administrator, or to take somebody out of a group that requires a second factor.",
    ));
    sections.push(Section::new("Rights", switches));
    Ok(sections)
}

fn fields_of(sections: Vec<Section>) -> Vec<FormField> {
    let fields = sections.into_iter().flat_map(|section| section.fields);
    fields.collect()
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    sent: &Input,
    conflicts: &[(String, String)],
    errors: ValidationErrors,
    picture_errors: ValidationErrors,
) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let user = find_user(request, db)?;
    let saved = fields_of(sections(
        db,
        user,
        FieldBuilder::without_object(&Input::Null),
    )?);
    let sections = sections(db, user, FieldBuilder::without_object(sent))?;
    let frame = Frame::for_administration(request, db, format!("{} – user", user.name))
        .with_width(Width::TwoColumns)
        .below("Users", "/users");
    let form = FormPage::with_sections(frame, paths::edit_user(user.id), sections)
        .with_cancel("/users")
        .with_original(&saved)
        .with_conflicts(conflicts)
        .with_errors(errors);
    let roles = role_ids_by_project(catalogue, &with_groups(catalogue, user.id.into()));
    let projects = catalogue.tree.iter().filter_map(|id| {
        let project = catalogue.projects.get(id)?;
        let roles = roles.get(id)?;
        let names: Vec<&str> = roles
            .iter()
            .filter_map(|id| Some(catalogue.role(*id)?.name.as_str()))
            .collect();
        Some((
            Crumb {
                label: project.name.clone(),
                path: paths::project(project),
            },
            names.join(", "),
        ))
    });
    let picture = (user, paths::user_picture(user.id));
    let page = EditUserPage {
        frame: &form.frame,
        form: &form,
        picture: PictureForm::new(request, db, &form.frame, picture, picture_errors),
        id: user.id,
        name: user.name.clone(),
        unconfirmed: address_changes::address(db, user.id)?,
        status: user.status,
        is_viewer: request.viewer().user == Some(user.id),
        is_without_password: invitations::may_be_invited(db, user.id)?,
        has_second_factor: user.has_second_factor(),
        created: Moment::new(user.created_on),
        last_login: users::last_login(db, user.id)?.map(Moment::new),
        password_changed: user.passwd_changed_on.map(Moment::new),
        projects: projects.take(MAX_PROJECTS).collect(),
    };
    render(page.frame, &page)
}
