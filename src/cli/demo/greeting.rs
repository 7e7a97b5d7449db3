//! What a person sees when the demonstration starts: who there is, and what to try.

use super::world::password;
use crate::app::App;
use crate::cli::misuse::Misuse;
use crate::cli::table;
use crate::domain::user::{User, UserStatus};
use crate::store::users;
use std::io::Write;
use std::net::SocketAddr;
use std::time::Duration;

/// Who tries the commands: a manager of several projects.
const TRIES: &str = "alice";

/// How long the commands wait for the index of the world, so that the first one finds what there is.
const INDEXED: Duration = Duration::from_secs(120);

/// Says the users with passwords and keys, and three commands that work as they stand.
pub fn greet(app: &App, address: SocketAddr, out: &mut dyn Write) -> anyhow::Result<()> {
    let catalogue = app.store.catalogue()?;
    let Some(tries) = catalogue.user_by_login(TRIES) else {
        let folder = app.config.data.display();
        return Err(Misuse(format!("{folder} holds other data than the demonstration world; name a new folder with --data")).into());
    };
    if !app.search.wait_until(app.store.last_change(), INDEXED) {
        tracing::warn!("the search index is still being made; searches find more in a moment");
    }
    let key_of = |user: &User| app.store.read(|db| users::api_key(db, user.id));
    let mut people: Vec<&User> = catalogue.users.values().collect();
    people.sort_by_key(|user| user.id);
    let mut rows = vec![["login", "password", "API key", "name"].map(str::to_owned)];
    for user in people {
        let name = match user.status {
            UserStatus::Active => user.name.clone(),
            UserStatus::Registered | UserStatus::Locked => format!("{} (may not log in)", user.name),
        };
        rows.push([user.login.clone(), password(&user.login), key_of(user)?.unwrap_or_default(), name]);
    }
    table::write(out, &rows)?;
    writeln!(out, "\nTry, while this runs:\n")?;
    for line in commands(address, &key_of(tries)?.unwrap_or_default()) {
        writeln!(out, "{line}\n")?;
    }
    Ok(())
}

/// A search, a list, and an issue that is found as soon as it is written.
fn commands(address: SocketAddr, key: &str) -> [String; 3] {
    let curl = format!("curl -s -H 'X-Service-API-Key: {key}'");
    let json = "-H 'Content-Type: application/json'";
    let issue = r#"{"issue":{"project_id":"titanium-sdk","subject":"Zebra stripes on the splash screen"}}"#;
    [
        format!("{curl} 'http://{address}/search.json?q=table+view+crash'"),
        format!("{curl} 'http://{address}/issues.json?project_id=titanium-android&sort=updated_on:desc&limit=3'"),
        format!("{curl} {json} -d '{issue}' 'http://{address}/issues.json' && {curl} 'http://{address}/search.json?q=zebra+stripes'"),
    ]
}
