//! Members and their roles. Roles that come from a group or a parent project are worked out here when they are asked for;
//! what the source had worked out is kept beside, with its numbers.

use crate::import::field::{How, must, number};
use crate::import::noun::{Noun, Takes, rows, set};

pub const ALL: &[Noun] = &[
    rows(
        "members",
        "members",
        &[
            must("project_id", How::Ref("projects")),
            must("user_id", How::Ref("users")),
            number("created_on", How::Instant, 0),
            number("mail_notification", How::Switch, 0),
        ],
    )
    .names(),
    set(("member_roles", "member_id"), ("member_roles", "member_id"), "members", &[must("role_id", How::Ref("roles"))])
        .takes(Takes::Null("inherited_from"))
        .names(),
    rows(
        "member_roles",
        "inherited_member_roles",
        &[must("member_id", How::Ref("members")), must("role_id", How::Ref("roles")), must("inherited_from", How::Whole)],
    )
    .label("member_roles (inherited)")
    .takes(Takes::NotNull("inherited_from")),
];
