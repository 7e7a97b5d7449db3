//! Workflow: who may take which step, and which fields are then required or not to be changed. A tracker's is taken as a
//! whole, because Redmine numbers its parts anew whenever it is saved.

use crate::import::field::{How, must, number};
use crate::import::noun::{Noun, Takes, set};

pub const ALL: &[Noun] = &[
    set(
        ("workflows", "tracker_id"),
        ("workflow_transitions", "tracker_id"),
        "trackers",
        &[
            must("role_id", How::Ref("roles")),
            number("old_status_id", How::Whole, 0),
            must("new_status_id", How::Ref("issue_statuses")),
            number("author", How::Switch, 0),
            number("assignee", How::Switch, 0),
        ],
    )
    .label("workflows (transitions)")
    .takes(Takes::OneOf("type", &["WorkflowTransition"]))
    .names(),
    Noun {
        members: 3,
        ..set(
            ("workflows", "tracker_id"),
            ("workflow_permissions", "tracker_id"),
            "trackers",
            &[
                must("role_id", How::Ref("roles")),
                number("old_status_id", How::Whole, 0),
                must("field_name", How::Text),
                must("rule", How::Text),
            ],
        )
        .label("workflows (permissions)")
        .takes(Takes::OneOf("type", &["WorkflowPermission"]))
        .names()
    },
];
