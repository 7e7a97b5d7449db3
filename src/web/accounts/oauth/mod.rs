//! The pages of OAuth 2.0: the consent page (`/oauth/authorize`), and the administration of
//! applications (`/oauth/applications`). The endpoints for applications are in `oauth`.
//!
//! Invariants: only a session can give consent, never an API key or another token. Nothing is
//! redirected to an address that is not registered. A secret is shown once.

mod application_form;
mod applications;
mod authorize;
mod edit;
mod new;
mod secret;

pub use application_form::label as scope_label;

use crate::prelude::*;
use axum::routing::post;
use quarry_http::{GuardedSecret, RouteHandler};

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/oauth/authorize",
            get(read_handler(authorize::show).open())
                .post(write_handler(authorize::create).guarding(GuardedSecret::OwnPassword)),
        )
        .route(
            "/oauth/applications",
            get(read_handler(applications::list).for_administrators()),
        )
        .route(
            "/oauth/applications/new",
            get(read_handler(new::new).for_administrators()).post(guarded_handler(new::create)),
        )
        .route(
            "/oauth/applications/{id}",
            get(read_handler(edit::edit).for_administrators()).post(guarded_handler(edit::update)),
        )
        .route(
            "/oauth/applications/{id}/secret",
            post(guarded_handler(secret::update)),
        )
        .route(
            "/oauth/applications/{id}/delete",
            get(read_handler(applications::confirm).for_administrators())
                .post(guarded_handler(applications::delete).deleting()),
        )
}

/// Returns a handler for changes by administrators, which may ask for their password.
fn guarded_handler(handler: fn(&RequestContext) -> Result<Reply, Error>) -> RouteHandler {
    write_handler(handler)
        .guarding(GuardedSecret::OwnPassword)
        .for_administrators()
}
