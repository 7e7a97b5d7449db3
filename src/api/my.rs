//! The account of the user (compatibility 11.1), and the projects that they have bookmarked.

use crate::custom_fields::write_custom_fields;
use crate::prelude::*;
use crate::users::view::{api_key, write_mail};
use quarry_actions::ActionError;
use quarry_actions::accounts::account;
use quarry_actions::accounts::account::AccountChange;
use quarry_actions::accounts::address_changes::wanted;
use quarry_domain::administration::custom_field::Customized;
use quarry_domain::ids::UserId;
use quarry_domain::projects::project::Project;
use quarry_http::{audit_account, protected_handler};
use quarry_store::accounts::{address_changes, users};
use quarry_store::administration::custom_fields as stored;
use std::sync::Arc;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/my/account",
            get(read_handler(show))
                .put(protected_handler(update))
                .patch(protected_handler(update)),
        )
        .route("/my/bookmarks", get(read_handler(bookmarks)))
}

/// `GET /my/account`: the user of the request.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    reply(request, db, request.require_user()?)
}

/// `PUT /my/account`: updates names, mail address, language, preferences and custom fields; 200
/// with the new state of the account. A new mail address is used once it is confirmed.
fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id = request.require_account()?;
    let preferences = fields::preferences::parse(request)?;
    let mut body = BodyFields::from_body(request, "user")?;
    let change = AccountChange {
        firstname: body.text("firstname", "First name"),
        lastname: body.text("lastname", "Last name"),
        mail: body.text("mail", "Email"),
        language: body.text("language", "Language"),
        mail_notification: body.text("mail_notification", "Email notifications"),
        time_zone: preferences.time_zone,
        hides_mail: preferences.hides_mail,
        preferences: preferences.change,
        custom: body.custom_fields(),
    };
    body.check()?;
    let is_new_mail = request.write(move |db, _| -> Result<_, ActionError> {
        let catalogue = Arc::clone(db.catalogue());
        let user = catalogue.users.get(&id).ok_or(ActionError::NotFound)?;
        let before = wanted(db, user)?;
        account::update_own(db, id, &change)?;
        Ok(change
            .mail
            .apply_to(Some(before.clone()))
            .unwrap_or_default()
            .trim()
            != before)
    })?;
    if is_new_mail {
        audit_account(request, "mail");
    }
    request.app.read(|db| reply(request, db, id))
}

fn reply(request: &RequestContext, db: &Read<'_>, id: UserId) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let key = if request.may_show_keys() {
        api_key(request, db, id)?
    } else {
        None
    };
    let last_login_on = users::last_login(db, id)?;
    let values = stored::find_values(db, Customized::User, id.0)?;
    let admin = request.viewer().admin;
    let unconfirmed = address_changes::address(db, id)?;
    let redmine_strict = request.redmine_strict(db);
    let has_secret = key.is_some();
    let reply = Reply::object("user", move |w| {
        let Some(user) = catalogue.users.get(&id) else {
            return;
        };
        w.field("id", id.0);
        w.field("login", &user.login);
        w.field("admin", user.admin);
        w.field("firstname", &user.firstname);
        w.field("lastname", &user.lastname);
        write_mail(w, &user.mail, unconfirmed.as_deref(), redmine_strict);
        w.field("created_on", user.created_on);
        w.field("last_login_on", last_login_on);
        w.field("api_key", key.as_deref());
        write_custom_fields(
            w,
            catalogue
                .custom_fields_of(Customized::User)
                .filter(|field| field.visible || admin),
            Some(&values),
        );
    });
    Ok(if has_secret {
        reply.without_caching()
    } else {
        reply
    })
}

/// `GET /my/bookmarks` (compatibility 13.5).
///
/// Returns a page of the projects that the user has bookmarked and can see, in the order of the
/// tree.
fn bookmarks(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let user = request.require_user()?;
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let bookmarked: Vec<&Project> = catalogue
        .tree
        .iter()
        .filter_map(|id| catalogue.projects.get(id))
        .filter(|project| {
            viewer.sees(project.id) && catalogue.is_bookmarked(Some(user), project.id)
        })
        .collect();
    let pagination = Pagination::from_query(&request.query);
    let (page, total) = pagination.slice(bookmarked);
    let page: Vec<_> = page
        .into_iter()
        .map(|project| {
            (
                project.id.0,
                project.name.clone(),
                project.identifier.clone(),
            )
        })
        .collect();
    let meta = pagination.meta(total, page.len());
    Ok(Reply::list(
        "projects",
        "project",
        page,
        |w: &mut quarry_wire::Fields, (id, name, identifier): (i64, String, String)| {
            w.field("id", id);
            w.field("name", name);
            w.field("identifier", identifier);
        },
        meta,
    ))
}
