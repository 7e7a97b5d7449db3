//! Starts a topic, replies to it and quotes the reply.

use super::super::driver::start;
use super::super::serve;
use super::Counted;
use quarry_world::complete_world::complete_world;

#[test]
fn topic_is_started_and_answered() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/boards/1");
    let counted = Counted::new(&chromium);
    counted.click_until(
        ".title-row a[href='/boards/1/topics/new']",
        "the form has the focus on the subject",
        "document.activeElement.name === 'message[subject]'",
    );
    chromium.type_keys("Oars");
    chromium.type_into("[name='message[content]']", "Ash or **spruce**?");
    counted.click("[data-mode=preview]");
    chromium.wait_until(
        "the preview is shown",
        "document.querySelector('.editor-preview strong')",
    );
    counted.click_until(
        "main .primary",
        "the topic is shown",
        "/^\\/boards\\/1\\/topics\\/\\d+$/.test(location.pathname)",
    );
    assert_eq!(counted.clicks.get(), 3);
    // The reply box stands at the end of the topic.
    chromium.type_into("#reply textarea", "Ash.");
    counted.click_until(
        "#reply .primary",
        "the reply is marked",
        "location.hash.startsWith('#message-') && document.querySelector('.entry:target').textContent.includes('Ash.')",
    );
    assert_eq!(counted.clicks.get(), 4);
    counted.click_until(
        ".entry:target a[href$='quote=1']",
        "the quotation has the focus",
        "document.activeElement.value.startsWith('alice Tester wrote:\\n\\n> Ash.')",
    );
    chromium.type_keys("Why?");
    counted.click_until(
        "main .primary",
        "both replies are shown",
        "document.querySelectorAll('.entry').length === 3",
    );
    assert_eq!(counted.clicks.get(), 6);
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}
