//! The first start: default data for an empty data folder, and its administrator, or a code to
//! create one in the browser.

use crate::cli::audit;
use crate::cli::output::usage_error::UsageError;
use quarry_actions::ActionError;
use quarry_actions::accounts::account;
use quarry_actions::accounts::users::RightsChange;
use quarry_actions::administration::install;
use quarry_app::Setup;
use quarry_config::Environment;
use quarry_domain::accounts::password;
use quarry_domain::accounts::user::User;
use quarry_store::files::blobs;
use quarry_store::index_feed::epochs;
use quarry_store::{Store, imported};
use std::io::Write;

const VARIABLE: &str = "QUARRY_ADMIN_PASSWORD";

/// Inserts the default roles, trackers, statuses and so on into an empty store. As long as there is
/// no user, it then creates the administrator `admin` with the password in the environment, or
/// starts the set-up and prints the address with its code.
pub fn initialize(
    store: &Store,
    setup: &Setup,
    environment: &Environment,
    url: &str,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    blobs::delete_kept(store)?;
    // An import that has stopped before its first row has left a new installation.
    if store.read(imported::is_incomplete)? {
        store.write(imported::forget_unstarted)?;
    }
    if store.read(imported::is_incomplete)? {
        return continue_import(store, setup, url, out);
    }
    if !store.catalogue()?.users.is_empty() {
        return Ok(());
    }
    match environment.find_secret(VARIABLE)? {
        Some(password) => add_administrator(store, password),
        None => {
            store.write(|db| install::default_data(db).map(drop))?;
            let code = setup.start(store.secrets(), &store.read(epochs::current_token)?);
            writeln!(
                out,
                "open {url}/setup?code={code} to set up this installation"
            )?;
            Ok(writeln!(
                out,
                "the code is {code}; it is valid until the set-up is complete{}",
                if store.is_shared() {
                    ", on every node"
                } else {
                    " or the service stops"
                }
            )?)
        }
    }
}

/// Starts the set-up for an import that has stopped before it was complete: it alone goes on, because
/// what people write meanwhile could take the ids of records that are not imported yet.
fn continue_import(
    store: &Store,
    setup: &Setup,
    url: &str,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let code = setup.start(store.secrets(), &store.read(epochs::current_token)?);
    Ok(writeln!(
        out,
        "an import from Redmine is not complete: open {url}/setup/import?code={code} to continue it, or run \
         `quarry import redmine` again and restart the service"
    )?)
}

/// Inserts the default data and the administrator, in one transaction.
fn add_administrator(store: &Store, password: String) -> anyhow::Result<()> {
    if password.chars().count() < password::MIN_LENGTH {
        return Err(UsageError(format!(
            "{VARIABLE} is too short: it must have at least {} characters",
            password::MIN_LENGTH
        ))
        .into());
    }
    let user = store.write::<_, ActionError>(move |db| {
        install::default_data(db)?;
        let account = User {
            login: "admin".to_owned(),
            firstname: "Quarry".to_owned(),
            lastname: "Admin".to_owned(),
            mail: "admin@example.net".to_owned(),
            hides_mail: true,
            admin: true,
            created_on: db.now(),
            ..User::default()
        };
        Ok(account::add(db, &account, &password)?.0)
    })?;
    audit::log_user_changes(
        user,
        "admin",
        &[RightsChange::Created, RightsChange::AdminGranted],
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_domain::accounts::guess_permit::GuessPermit;

    #[allow(clippy::disallowed_methods, reason = "the test guesses on purpose")]
    fn accepts(setup: &Setup, store: &Store, code: &str) -> bool {
        setup.accepts(GuessPermit::issue(), store.secrets(), code)
    }

    fn start(store: &Store, password: Option<&str>) -> anyhow::Result<(Setup, String)> {
        let variables = password.map(|password| (VARIABLE.into(), password.into()));
        let environment = Environment::from_variables(variables)?;
        let setup = Setup::default();
        let mut out = Vec::new();
        initialize(
            store,
            &setup,
            &environment,
            "http://localhost:3000",
            &mut out,
        )?;
        Ok((setup, String::from_utf8(out)?))
    }

    #[test]
    fn empty_store_waits_for_the_set_up_until_there_is_a_user() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let (first, printed) = start(&store, None).unwrap();
        let code = printed
            .split_once("http://localhost:3000/setup?code=")
            .unwrap()
            .1
            .split(' ')
            .next()
            .unwrap()
            .to_owned();
        assert!(
            accepts(&first, &store, &code) && printed.contains(&format!("the code is {code};")),
            "{printed}"
        );
        let catalogue = store.catalogue().unwrap();
        assert_eq!((catalogue.roles.len(), catalogue.users.len()), (5, 0));
        let (second, again) = start(&store, None).unwrap();
        assert!(
            again.contains(&code) && accepts(&second, &store, &code),
            "another node has the same code"
        );
        store.close();
        let store = Store::open(folder.path()).unwrap();
        let (second, again) = start(&store, None).unwrap();
        assert!(
            !again.contains(&code) && !accepts(&second, &store, &code),
            "each start on a file has its own code"
        );
        assert!(start(&store, Some("long enough")).unwrap().1.is_empty());
        assert!(
            store
                .catalogue()
                .unwrap()
                .user_by_login("admin")
                .is_some_and(|user| user.admin)
        );
        let (third, nothing) = start(&store, None).unwrap();
        assert!(nothing.is_empty() && !third.may_be_pending());
        store.close();
    }

    #[test]
    fn short_password_is_rejected_before_anything_is_inserted() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        assert!(
            start(&store, Some("short"))
                .unwrap_err()
                .to_string()
                .contains("at least 8")
        );
        assert!(store.catalogue().unwrap().roles.is_empty());
        store.close();
    }
}
