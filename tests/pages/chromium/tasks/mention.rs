//! Mentions somebody and links an issue in a comment, by keys.

use super::super::driver::start;
use super::super::serve;
use super::{Counted, DOWN, ENTER, ESCAPE};
use quarry_world::complete_world::complete_world;

const LIST: &str = "document.querySelector('#update .completions')";

#[test]
fn user_is_mentioned_and_an_issue_is_linked_by_keys() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/issues/1");
    let counted = Counted::new(&chromium);
    counted.press("r");
    chromium.insert("Ask @b");
    chromium.wait_until("people are offered", &format!("!{LIST}.hidden"));
    let status = chromium.script(
        "const text = document.querySelector('#update textarea'); return [text.parentElement.querySelector('[role=status]').textContent, document.getElementById(text.getAttribute('aria-activedescendant')).textContent]",
    );
    assert_eq!(status[0], "1 person");
    assert!(status[1].as_str().unwrap().contains("bob"), "{status}");
    counted.press(ENTER);
    chromium.insert("about #open pu");
    chromium.wait_until("issues are offered", &format!("!{LIST}.hidden"));
    // The words may be part of a sentence: nothing is chosen before an arrow is pressed.
    counted.press(DOWN);
    counted.press(ENTER);
    let text = chromium.script("return document.querySelector('#update textarea').value");
    let text = text.as_str().unwrap();
    assert!(
        text.starts_with("Ask @bob about #") && text.ends_with(' '),
        "{text}"
    );
    assert!(!text.contains("pu"), "{text}");
    assert_eq!(counted.keys.get(), 4);

    // Escape closes the list, and the text stays.
    chromium.insert("and @a");
    chromium.wait_until("people are offered", &format!("!{LIST}.hidden"));
    counted.press(ESCAPE);
    chromium.wait_until("the list is closed", &format!("{LIST}.hidden"));
    chromium.wait_until(
        "the text stays",
        "document.querySelector('#update textarea').value.endsWith('and @a')",
    );
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}
