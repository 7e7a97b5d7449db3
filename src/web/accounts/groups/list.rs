//! `/groups`: the list of groups.

use crate::components::list_page::{Cell, Link, ListPage};
use crate::frame::Frame;
use crate::prelude::*;
use quarry_domain::accounts::group::Group;
use quarry_domain::values::stable_sort::StableSort;

/// Lists the groups by name.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let mut groups: Vec<&Group> = catalogue.groups.values().collect();
    groups.stable_sort_by_key(|group| (group.name.to_lowercase(), group.id));
    let as_i64 = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let rows = groups.into_iter().map(|group| {
        let members = catalogue.members.iter();
        let projects = members.filter(|member| member.principal == group.id);
        vec![
            Cell::record(&group.name, format!("/groups/{}/edit", group.id)),
            Cell::Number(as_i64(group.users.len())),
            Cell::Number(as_i64(projects.count())),
            Cell::Check(group.requires_second_factor),
            Cell::Links(vec![Link::new(
                "Delete",
                format!("/groups/{}/delete", group.id),
            )]),
        ]
    });
    let rows = rows.collect();
    let frame = Frame::for_administration(request, db, "Groups");
    ListPage::new(
        frame,
        &["Name", "#Users", "#Projects", "Second factor required", ""],
        rows,
    )
    .with_introduction("The users of a group have its roles in its projects.")
    .with_button("New group", "/groups/new")
    .with_empty(
        "There is no group yet.",
        "With a group, people get the roles of a team in one step, and issues can be assigned to it.",
    )
    .with_json("/groups.json")
    .render()
}
