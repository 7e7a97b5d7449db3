//! Clients of others against the real program over a socket: the crate oauth2 with the consent in a
//! real browser, and Authlib for Python. Where a browser, Python or the package cannot be had, the
//! tests print `NOT TESTED` and pass.

mod authlib;
mod browser_flow;
mod listener;
mod transport;

use quarry::actions::accounts::oauth;
use quarry::actions::accounts::users::Actor;
use quarry::domain::accounts::oauth::ApplicationChange;
use quarry_world::World;

/// The address of a native application, which listens on a port that the system chooses.
const LOOPBACK: &str = "http://127.0.0.1/callback";

/// Registers an application and returns its client id and its secret; a public one has none.
fn register(
    world: &World,
    name: &str,
    scopes: &str,
    is_confidential: bool,
) -> (String, Option<String>) {
    let change = ApplicationChange {
        name: name.to_owned(),
        redirect_uris: vec![LOOPBACK.to_owned()],
        scopes: scopes.split(' ').map(str::to_owned).collect(),
        is_confidential,
    };
    let created = world
        .app
        .store
        .write(move |db| oauth::create(db, Actor::Operator, &change));
    let (application, secret) = created.unwrap();
    (application.client_id, secret)
}
