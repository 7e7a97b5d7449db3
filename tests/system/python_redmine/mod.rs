//! python-redmine, a client written for Redmine, against the real program; `client.py` has the
//! steps. It is installed once, below the target directory; without Python or a package index the
//! test prints that and passes.

use quarry_world::process::{Service, message, quarry, run};
use quarry_world::python;
use quarry_world::redmine_import::{fixture, import};
use std::process::Command;

/// The installed version; fixed, so that a new release cannot break the test.
const CLIENT: &str = "python-redmine==2.5.0";
const SCRIPT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/system/python_redmine/client.py"
);

#[test]
fn python_redmine_client_works() {
    let python = match python::with_packages("python-redmine", &[CLIENT]) {
        Ok(python) => python,
        Err(reason) => return println!("NOT TESTED with python-redmine: {reason}"),
    };
    let folder = tempfile::tempdir().unwrap();
    // Exit code 1: the contents of the files are missing and reported.
    let _ = import(folder.path(), &fixture(), &[]);
    message(&run(
        folder.path(),
        &["setting", "set", "rest_api_enabled", "1"],
    ));
    // The imported host name is that of the Redmine; the client follows links to this service.
    message(&run(folder.path(), &["setting", "set", "host_name", ""]));
    let service = Service::start(quarry(&["serve", "--log", "error", "--data"]).arg(folder.path()));
    // The service is local; proxies of the environment do not apply.
    let tour = Command::new(python)
        .args(["-B", SCRIPT, &format!("http://{}", service.address)])
        .env("NO_PROXY", "127.0.0.1")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&tour.stdout);
    println!("{text}");
    assert!(
        tour.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&tour.stderr)
    );
    assert!(
        text.contains("\nsearching: goes well\n"),
        "the tour has begun, and gone on: {text}"
    );
    service.terminate();
    let (status, logged) = service.ended();
    assert!(status.success() && logged.is_empty(), "{logged}");
}
