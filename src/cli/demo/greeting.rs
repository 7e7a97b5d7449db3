//! The output at the start of the demonstration: the users, and commands to try.

use super::importer::password;
use crate::cli::output::table;
use crate::cli::output::usage_error::UsageError;
use indicatif::ProgressBar;
use quarry_app::App;
use quarry_domain::accounts::user::{User, UserStatus};
use quarry_domain::values::stable_sort::StableSort;
use quarry_store::StoreError;
use quarry_store::accounts::users;
use std::io::Write;
use std::time::Duration;

/// The user of the commands: a manager of several projects.
const EXAMPLE_USER: &str = "alice";

/// Maximum time to wait for the index, so that the first search is complete.
const INDEX_TIMEOUT: Duration = Duration::from_secs(120);

/// Prints the users with passwords and API keys, and three commands to try.
pub fn print_greeting(app: &App, url: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    let catalogue = app.store.catalogue()?;
    let Some(example_user) = catalogue.user_by_login(EXAMPLE_USER) else {
        return Err(UsageError(format!(
            "the demonstration data in {} have no user {EXAMPLE_USER} any more; load them into a new folder or database",
            app.config.data.display()
        ))
        .into());
    };
    let spinner = ProgressBar::new_spinner().with_message("building the search index");
    spinner.enable_steady_tick(Duration::from_millis(100));
    let indexed = app
        .search
        .wait_until(app.store.last_change(), INDEX_TIMEOUT);
    spinner.finish_and_clear();
    if !indexed {
        tracing::warn!("the search index is still being built; searches are incomplete until then");
    }
    let mut users: Vec<&User> = catalogue.users.values().collect();
    users.stable_sort_by_key(|user| user.id);
    let mut rows = vec![["login", "password", "API key", "name"].map(str::to_owned)];
    for user in users {
        let name = match user.status {
            UserStatus::Active => user.name.clone(),
            UserStatus::Registered | UserStatus::Locked | UserStatus::Anonymous => {
                format!("{} (cannot log in)", user.name)
            }
        };
        rows.push([
            user.login.clone(),
            password(&user.login),
            api_key(app, user)?,
            name,
        ]);
    }
    table::write(out, &rows)?;
    writeln!(out, "\nTry, while this runs:\n")?;
    for line in commands(url, &api_key(app, example_user)?) {
        writeln!(out, "{line}\n")?;
    }
    Ok(())
}

fn api_key(app: &App, user: &User) -> Result<String, StoreError> {
    let key = app.store.read(|db| users::api_key(db, user.id))?;
    Ok(key.unwrap_or_default())
}

/// Returns a search, a list, and the creation of an issue with a search that finds it.
fn commands(url: &str, key: &str) -> [String; 3] {
    let curl = format!("curl -s -H 'X-Service-API-Key: {key}'");
    let json = "-H 'Content-Type: application/json'";
    let issue =
        r#"{"issue":{"project_id":"titanium-sdk","subject":"Zebra stripes on the splash screen"}}"#;
    [
        format!("{curl} '{url}/search.json?q=table+view+crash'"),
        format!(
            "{curl} '{url}/issues.json?project_id=titanium-android&sort=updated_on:desc&limit=3'"
        ),
        format!(
            "{curl} {json} -d '{issue}' '{url}/issues.json' && {curl} '{url}/search.json?q=zebra+stripes'"
        ),
    ]
}
