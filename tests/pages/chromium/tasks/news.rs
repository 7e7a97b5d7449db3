//! Writes news, and comments on it.

use super::super::driver::start;
use super::super::serve;
use super::Counted;
use quarry_world::complete_world::complete_world;

#[test]
fn news_is_written_and_commented() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/projects/secret/news");
    let counted = Counted::new(&chromium);
    counted.click_until(
        ".title-row a.primary",
        "the form has the focus on the title",
        "document.activeElement.name === 'news[title]'",
    );
    chromium.type_keys("Land in sight");
    chromium.type_into("[name='news[description]']", "At *dawn*.");
    counted.click_until(
        "main .primary",
        "the news item is shown",
        "document.querySelector('h1').textContent === 'Land in sight'",
    );
    chromium.type_into("[name=comments]", "Hooray");
    counted.click_until(
        "main .primary",
        "the comment is shown",
        "location.hash === '#comments' && document.querySelector('#comment-1').textContent.includes('Hooray')",
    );
    assert_eq!(counted.clicks.get(), 3);
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}
