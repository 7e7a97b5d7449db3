//! Downloads a list.

use super::super::driver::start;
use super::super::serve;
use super::Counted;
use quarry_world::complete_world::complete_world;

#[test]
fn list_is_downloaded_as_csv() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/issues?status_id=*&sort=id");
    let counted = Counted::new(&chromium);
    let path = chromium.script("return document.querySelector('footer a[download]').href");
    assert!(
        path.as_str()
            .unwrap()
            .ends_with("/issues.csv?status_id=*&sort=id")
    );
    let first = chromium.script_with_callback(
        "const done = arguments[arguments.length - 1]; \
         fetch(document.querySelector('footer a[download]').href).then(r => r.text()).then(t => done(t.split('\\r\\n')[0]))",
        Vec::new(),
    );
    assert_eq!(
        first,
        "#,Project,Tracker,Status,Priority,Subject,Assignee,Updated"
    );
    counted.click_until(
        "footer details summary",
        "the choices of the download are shown",
        "document.querySelector('footer details').open",
    );
    assert_eq!(counted.clicks.get(), 1);
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}
