//! Invitations: an administrator invites somebody, who chooses a password with the link.

mod accept;
mod fields;
mod new;
mod several;

use crate::prelude::*;
use axum::routing::post;

/// Returns the routes of invitations.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/invitation",
            get(read_handler(accept::show).open()).post(write_handler(accept::accept).open()),
        )
        .route(
            "/invitations/new",
            get(read_handler(new::new).for_administrators())
                .post(write_handler(new::create).for_administrators()),
        )
        .route(
            "/invitations/several",
            get(read_handler(several::new).for_administrators())
                .post(write_handler(several::create).for_administrators()),
        )
        .route(
            "/users/{id}/invitation",
            post(write_handler(new::renew).for_administrators()),
        )
}
