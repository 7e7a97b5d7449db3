//! `GET /users/:id`: a user, as far as the viewer may see.

use crate::domain::ids::UserId;
use crate::domain::user::UserStatus;
use crate::domain::viewer::memberships;
use crate::domain::visibility;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use crate::web::access;
use crate::web::components::avatar::Person;
use crate::web::components::time::Moment;
use crate::web::frame::{Crumb, Frame, Width, project_path};
use crate::web::render::render;
use askama::Template;

/// Maximum number of projects.
const MAX_PROJECTS: usize = 200;

#[derive(Template)]
#[template(path = "users/show.html")]
struct UserPage {
    frame: Frame,
    id: UserId,
    person: Person,
    login: Option<String>,
    mail: Option<String>,
    is_locked: bool,
    created: Moment,
    projects: Vec<(Crumb, String)>,
    assigned: bool,
    may_edit: bool,
}

/// Shows the user.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let id: UserId = request.id_param("id")?;
    let user = catalogue.users.get(&id).filter(|user| {
        let is_visible = user.status == UserStatus::Active
            && visibility::can_see_principal(viewer, catalogue, id.into());
        viewer.admin || viewer.user == Some(id) || is_visible
    });
    let user = user.ok_or_else(|| access::missing(request))?;
    let roles = memberships(catalogue, &[id.into()]);
    let projects = catalogue
        .tree
        .iter()
        .filter(|id| viewer.sees(**id))
        .filter_map(|id| {
            let project = catalogue.projects.get(id)?;
            let roles = roles.get(id)?;
            let names: Vec<&str> = roles
                .iter()
                .filter_map(|id| Some(catalogue.role(*id)?.name.as_str()))
                .collect();
            Some((
                Crumb {
                    label: project.name.clone(),
                    path: project_path(project),
                },
                names.join(", "),
            ))
        });
    let page = UserPage {
        frame: Frame::new(request, db, &user.name).with_width(Width::Narrow),
        id,
        person: Person::new(catalogue, id.into()),
        // The login is half of the credentials: hidden from anonymous viewers.
        login: viewer.user.map(|_| user.login.clone()),
        mail: Some(user.mail.clone())
            .filter(|mail| !mail.is_empty() && (viewer.admin || !user.hides_mail)),
        is_locked: user.status != UserStatus::Active,
        created: Moment::new(user.created_on),
        projects: projects.take(MAX_PROJECTS).collect(),
        may_edit: viewer.admin,
        assigned: viewer.may_somewhere(crate::domain::permission::Permission::ViewIssues),
    };
    render(&page.frame, &page)
}
