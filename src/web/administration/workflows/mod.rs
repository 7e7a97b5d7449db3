//! The workflow, for administrators: which steps each role may take with the issues of each tracker,
//! and the rules about fields.
//!
//! Invariants: forms say what they showed, so that only changed cells are saved. Before a change is
//! saved, a page shows what it means for people and for the issues that exist.

use crate::prelude::*;

mod cells;
mod check;
mod copy;
mod effects;
mod labels;
mod list;
mod matrices;
mod permissions;
mod selection;
mod transitions;

/// Returns the routes of the workflow.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/workflows",
            get(read_handler(list::list).for_administrators()),
        )
        .route(
            "/workflows/edit",
            get(read_handler(transitions::edit).for_administrators())
                .post(write_handler(transitions::update).for_administrators()),
        )
        .route(
            "/workflows/permissions",
            get(read_handler(permissions::edit).for_administrators())
                .post(write_handler(permissions::update).for_administrators()),
        )
        .route(
            "/workflows/copy",
            get(read_handler(copy::edit).for_administrators())
                .post(write_handler(copy::update).for_administrators()),
        )
}
