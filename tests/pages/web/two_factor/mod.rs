//! Two-factor authentication.

mod account;
mod required;

use quarry::store::accounts::two_factor;
use quarry_world::{World, user};

/// The key of the test vectors in RFC 6238, and a code that it shows at the time of the world,
/// 2026-11-20T12:00:00Z.
const KEY: &str = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

/// Returns the code of the world's time, or of so many steps of 30 seconds later.
pub fn code(step: i64) -> String {
    code_at(1_795_176_000 + 30 * step)
}

/// Returns the code of the key at a time in seconds.
pub fn code_at(now: i64) -> String {
    totp_rs::Builder::new()
        .with_secret(*b"12345678901234567890")
        .build()
        .unwrap()
        .generate(u64::try_from(now).unwrap())
        .to_string()
}

/// Gives a user this key.
pub fn with_key(world: &World, login: &'static str) {
    let sealed = world
        .app
        .store
        .secrets()
        .seal(KEY, world.app.entropy.as_ref())
        .unwrap();
    world.write(move |db| two_factor::set_key(db, user(login), Some(&sealed)));
}
