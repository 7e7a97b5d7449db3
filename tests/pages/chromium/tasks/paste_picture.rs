//! Drops a picture beside the text of a comment, and saves it.

use super::super::driver::start;
use super::super::serve;
use super::{Counted, SAVE};
use quarry_world::complete_world::complete_world;

/// Drops a file on the element of this selector, and returns whether the page kept the event from
/// the browser, which would leave the page.
const DROP: &str = "const [selector, name, done] = arguments, transfer = new DataTransfer();
    transfer.items.add(new File(['x'], name, { type: name.endsWith('.png') ? 'image/png' : 'text/plain' }));
    const event = kind => new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: transfer });
    const target = document.querySelector(selector);
    done([target.dispatchEvent(event('dragover')), target.dispatchEvent(event('drop'))].every(went => !went));";

#[test]
fn dropped_files_are_attached_and_never_replace_the_page() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/issues/1");
    let drop = |selector: &str, name: &str| {
        let arguments = vec![selector.into(), name.into()];
        assert_eq!(chromium.script_with_callback(DROP, arguments), true);
    };
    let files = "return [...document.querySelector('#update input[type=file]').files].map(file => file.name)";
    let counted = Counted::new(&chromium);
    drop("#update .actions", "leak.png");
    drop("#update textarea", "log.txt");
    drop("h1", "missed.txt");
    let names = chromium.script(files);
    assert_eq!(names, serde_json::json!(["leak.png", "log.txt"]));
    let text = chromium.script("return document.querySelector('#update textarea').value");
    assert_eq!(text, "![](leak.png)");
    counted.press("r");
    counted.press(SAVE);
    chromium.wait_until("the note is saved", "location.hash.startsWith('#note-')");
    assert_eq!(counted.keys.get(), 2);
    assert!(chromium.text("main").contains("log.txt"));
    assert_eq!(chromium.faults(&["leak.png"]), Vec::<String>::new());
}
