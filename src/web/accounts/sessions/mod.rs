//! Log in and log out (`/login`, `/logout`), and what happens when a session has ended while
//! somebody was writing.

mod back_url;
mod login;
mod resume;
mod second_factor;
mod start;
mod steps;

pub use login::login_page;
pub use resume::{resume_page, written_texts};
pub use start::{next_step, restart, start};

use crate::prelude::*;
use quarry_http::{GuardedSecret, RouteHandler};

/// Returns the routes of logins.
pub fn routes() -> Routes {
    let step = read_handler(steps::show).open();
    Routes::new()
        .route(
            "/login",
            get(read_handler(login::new).open()).post(guarded(login::create, GuardedSecret::Login)),
        )
        .route(
            "/login/code",
            get(step).post(guarded(steps::check_code, GuardedSecret::OwnCode)),
        )
        .route(
            "/login/password",
            get(step).post(guarded(steps::update_password, GuardedSecret::NewPassword)),
        )
        .route(
            "/login/two_factor",
            get(step).post(guarded(second_factor::set_up, GuardedSecret::OwnCode)),
        )
        .route(
            "/logout",
            get(read_handler(login::confirm_logout).open())
                .post(write_handler(login::logout).open()),
        )
}

fn guarded(
    handler: fn(&RequestContext) -> Result<Reply, Error>,
    secret: GuardedSecret,
) -> RouteHandler {
    write_handler(handler).open().guarding(secret)
}
