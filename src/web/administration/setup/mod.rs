//! `/setup`: the set-up of a new installation in the browser, and what to do after it
//! (`/admin/welcome`).
//!
//! While the installation waits for its set-up, every other page leads here. Invariant: nothing is
//! stored without the code that was printed in the terminal, and everything is stored in one
//! transaction.

mod create;
mod form;
mod import;

use crate::prelude::*;
use axum::routing::post;
use quarry_http::GuardedSecret;

/// Returns the routes of the set-up.
pub fn routes() -> Routes {
    let show = write_handler(create::show)
        .open()
        .during_setup()
        .guarding(GuardedSecret::SetupCode);
    let create = write_handler(create::create)
        .open()
        .during_setup()
        .guarding(GuardedSecret::SetupCode);
    let check = write_handler(import::check)
        .open()
        .during_setup()
        .guarding(GuardedSecret::SetupCode);
    Routes::new()
        .route("/setup", get(show).post(create))
        .route(
            "/setup/import",
            get(read_handler(import::new).open().during_setup()).post(check),
        )
        .route(
            "/setup/import/upload",
            get(read_handler(import::upload::new).open().during_setup())
                .post(write_handler(import::upload::create).open().during_setup()),
        )
        .route(
            "/setup/import/cancel",
            post(write_handler(import::cancel).open().during_setup()),
        )
        .route(
            "/setup/import/progress",
            get(read_handler(import::progress).open().during_setup())
                .post(write_handler(import::start).open().during_setup()),
        )
        .route(
            "/admin/welcome",
            get(read_handler(create::welcome).for_administrators()),
        )
}
