//! JSON and XML of users (compatibility 11.1).

use crate::custom_fields::write_custom_fields;
use crate::prelude::*;
use jiff::Timestamp;
use quarry_actions::accounts::account;
use quarry_actions::accounts::pictures;
use quarry_app::ViewerContext;
use quarry_domain::access::membership::Membership;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::accounts::gravatar;
use quarry_domain::accounts::group::Group;
use quarry_domain::accounts::user::User;
use quarry_domain::administration::custom_field::{Customized, Values};
use quarry_domain::administration::setting::Setting;
use quarry_domain::ids::UserId;
use quarry_domain::values::stable_sort::StableSort;
use quarry_http::resources::paths;
use quarry_store::accounts::users;
use quarry_store::accounts::users::AuthSource;
use std::sync::Arc;

/// What the output of a user needs besides the user.
pub struct ViewContext {
    /// Catalogue with names and rights.
    pub catalogue: Arc<Catalogue>,
    pub viewer_context: Arc<ViewerContext>,
    /// API key, if the viewer may see it.
    pub api_key: Option<String>,
    /// The password that was generated for this user by this request.
    pub generated_password: Option<String>,
    /// The mail address that waits for its confirmation, if the viewer may see it.
    pub unconfirmed_mail: Option<String>,
    /// The address of the picture, if there is one that the viewer may see.
    pub picture_url: Option<String>,
    /// Whether the output equals that of Redmine.
    pub redmine_strict: bool,
    /// Time of the last login with a password.
    pub last_login_on: Option<Timestamp>,
    /// Values of custom fields.
    pub values: Values,
    /// Memberships, if included.
    pub memberships: Option<Vec<Membership>>,
    /// The directory of the user, if included.
    pub auth_source: Option<AuthSource>,
    /// Whether the groups are included.
    pub with_groups: bool,
}

impl ViewContext {
    fn is_viewer(&self, user: &User) -> bool {
        self.viewer_context.viewer.user == Some(user.id)
    }
}

/// Returns the API key of a user to show it. A user without a key gets one, as in Redmine.
pub fn api_key(
    request: &RequestContext,
    db: &Read<'_>,
    user: UserId,
) -> Result<Option<String>, Error> {
    if users::has_api_key(db, user)? {
        return Ok(users::api_key(db, user)?);
    }
    request.write(move |db, _| account::find_or_create_key(db, user))
}

/// Returns the address of the picture of a user, if there is one that the viewer may see.
pub fn picture_url(
    request: &RequestContext,
    catalogue: &Catalogue,
    user: UserId,
) -> Option<String> {
    let digest = pictures::digest(catalogue, request.viewer(), user)?;
    let path = paths::current_picture(user, digest);
    Some(format!("{}{path}", request.base_url()))
}

/// Writes the mail address, and one that is not confirmed. With `redmine_compatibility`, `mail` is the latter, as
/// Redmine stores it at once.
pub fn write_mail(w: &mut Fields, mail: &str, unconfirmed: Option<&str>, redmine_strict: bool) {
    if redmine_strict {
        w.field("mail", unconfirmed.unwrap_or(mail));
    } else {
        w.field("mail", mail);
        w.maybe("unconfirmed_mail", unconfirmed);
    }
}

/// Returns the address of the picture of a user, or of that at Gravatar.
fn avatar_url(user: &User, context: &ViewContext) -> Option<String> {
    let viewer = &context.viewer_context.viewer;
    // With the digest in the URL, a guessed mail address can be verified.
    let shows_mail = viewer.admin || context.is_viewer(user) || !user.hides_mail;
    let has_gravatar =
        shows_mail && !user.mail.is_empty() && context.catalogue.is_on(Setting::GravatarEnabled);
    let default = context.catalogue.setting(Setting::GravatarDefault);
    let gravatar = || has_gravatar.then(|| gravatar::url(&user.mail, default));
    context.picture_url.clone().or_else(gravatar)
}

/// Writes the fields of a user, in the order of compatibility 11.1.
pub fn user(w: &mut Fields, user: &User, context: &ViewContext) {
    let viewer = &context.viewer_context.viewer;
    w.field("id", user.id.0);
    // The login is half of the credentials: hidden from anonymous viewers.
    if viewer.user.is_some() {
        w.field("login", &user.login);
    }
    if viewer.admin || context.is_viewer(user) {
        w.field("admin", user.admin);
    }
    w.field("firstname", &user.firstname);
    w.field("lastname", &user.lastname);
    if viewer.admin || !user.hides_mail {
        let unconfirmed = context.unconfirmed_mail.as_deref();
        write_mail(w, &user.mail, unconfirmed, context.redmine_strict);
    }
    w.field("created_on", user.created_on);
    w.field("updated_on", user.updated_on);
    w.field("last_login_on", context.last_login_on);
    w.field("passwd_changed_on", user.passwd_changed_on);
    w.maybe("avatar_url", avatar_url(user, context).as_deref());
    if viewer.admin || context.is_viewer(user) {
        w.field("twofa_scheme", user.twofa_scheme.as_deref());
    }
    w.maybe("api_key", context.api_key.as_deref());
    w.maybe("generated_password", context.generated_password.as_deref());
    if viewer.admin {
        w.field("status", user.status.code());
    }
    w.maybe_reference(
        "auth_source",
        context
            .auth_source
            .as_ref()
            .map(|(id, name)| (*id, name.as_str())),
    );
    let fields = context
        .catalogue
        .custom_fields_of(Customized::User)
        .filter(|field| field.visible || viewer.admin);
    write_custom_fields(w, fields, Some(&context.values));
    if context.with_groups {
        let mut groups: Vec<&Group> = context
            .catalogue
            .groups
            .values()
            .filter(|group| group.users.contains(&user.id))
            .collect();
        groups.stable_sort_by_key(|group| group.id);
        w.references(
            "groups",
            "group",
            groups
                .into_iter()
                .map(|group| (group.id.0, group.name.as_str())),
        );
    }
    if let Some(items) = &context.memberships {
        memberships(w, items, viewer, &context.catalogue);
    }
}

/// Writes memberships with their roles, of those projects that the viewer may see.
pub fn memberships(
    w: &mut Fields,
    memberships: &[Membership],
    viewer: &Viewer,
    catalogue: &Catalogue,
) {
    let visible = memberships
        .iter()
        .filter(|membership| viewer.sees(membership.project));
    w.items("memberships", "membership", visible, |w, item| {
        membership(w, item, catalogue)
    });
}

fn membership(w: &mut Fields, membership: &Membership, catalogue: &Catalogue) {
    w.field("id", membership.id.0);
    w.reference(
        "project",
        membership.project.0,
        catalogue.project_name(membership.project),
    );
    membership_roles(w, membership, catalogue);
}

/// Writes the roles of a membership, with those that are inherited marked.
pub fn membership_roles(w: &mut Fields, membership: &Membership, catalogue: &Catalogue) {
    w.items(
        "roles",
        "role",
        &membership.roles,
        |w, (role, inherited)| {
            w.attribute("id", role.0);
            w.attribute(
                "name",
                catalogue.role(*role).map_or("", |role| role.name.as_str()),
            );
            if *inherited {
                w.attribute("inherited", true);
            }
        },
    );
}
