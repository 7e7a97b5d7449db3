//! The scripts of the pages of a service below a path of its host name.

use super::driver::start;
use quarry_world::complete_world::complete_world;
use quarry_world::process::{Service, message};

#[test]
fn scripts_work_below_a_base_path() {
    let data = complete_world().into_data();
    let mut set = data.quarry(&["setting", "set", "host_name", ""]);
    message(&set.output().unwrap());
    let arguments = ["serve", "--log", "error", "--base-path", "/quarry"];
    let service = Service::start(&mut data.quarry(&arguments));
    let Some(chromium) = start(&service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.wait_until(
        "the login is done",
        "document.querySelector('form[action$=\"/logout\"]')",
    );
    assert_eq!(chromium.path(), "/quarry/");

    // Suggestions of the search box, and the result that is opened.
    chromium.open("/projects");
    chromium.insert_into(".site-header input[name=q]", "pump");
    let option = "document.querySelector('.site-header [role=option]')";
    chromium.wait_until("results are suggested", option);
    chromium.type_keys("\u{E015}");
    chromium.type_keys("\u{E007}");
    chromium.wait_until(
        "a result is shown",
        "location.pathname !== '/quarry/projects' && location.pathname.startsWith('/quarry/')",
    );

    // A form, its preview and its draft.
    chromium.open("/projects/secret/issues/new");
    chromium.type_into("input[name='issue[subject]']", "Below a path");
    chromium.type_into("textarea[name='issue[description]']", "Some **bold** text");
    chromium.click("[data-mode=preview]");
    chromium.wait_until(
        "the preview is shown",
        "[...document.querySelectorAll('strong')].some(item => item.textContent === 'bold')",
    );
    chromium.click("main form button.primary");
    chromium.wait_until(
        "the issue is created",
        "/^\\/quarry\\/issues\\/\\d+$/.test(location.pathname)",
    );
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}
