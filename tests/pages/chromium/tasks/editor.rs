//! Keys and pasted tables in a text area for wiki markup.

use super::super::driver::{Chromium, start};
use super::super::serve;
use super::{ENTER, ESCAPE};
use quarry_world::complete_world::complete_world;

const TEXT: &str = "#update textarea[name='issue[notes]']";
const TAB: &str = "\u{e004}";
/// Shift, held until [`RELEASE`].
const SHIFT: &str = "\u{e008}";
const RELEASE: &str = "\u{e000}";
/// Control, held until the end of the keys.
const CONTROL: &str = "\u{e009}";

fn text(chromium: &Chromium) -> String {
    let value = chromium.script(&format!("return document.querySelector({TEXT:?}).value"));
    value.as_str().unwrap().to_owned()
}

/// Empties the text, and types into it.
fn type_text(chromium: &Chromium, keys: &str) {
    chromium.wait_until(
        "the editor is ready",
        "document.querySelector('#update .editor-tools').hidden === false",
    );
    chromium.script(&format!(
        "const text = document.querySelector({TEXT:?}); text.value = ''; text.blur(); text.focus()"
    ));
    chromium.wait_until(
        "the text has its keys",
        "document.activeElement.dataset.keys",
    );
    chromium.type_keys(keys);
}

/// Pastes a text as a spreadsheet does.
fn paste(chromium: &Chromium, content: &str) {
    chromium.script(&format!(
        "const clipboardData = new DataTransfer(); \
         clipboardData.setData('text/plain', {content:?}); \
         document.activeElement.dispatchEvent(new ClipboardEvent('paste', {{ clipboardData, bubbles: true, cancelable: true }}))"
    ));
}

fn open_issue() -> Option<(super::super::Served, Chromium)> {
    let served = serve(complete_world());
    let chromium = start(&served.service.address)?;
    chromium.log_in("alice", "alicealice");
    chromium.open("/issues/2");
    Some((served, chromium))
}

#[test]
fn enter_continues_a_list_and_ends_it_in_an_empty_item() {
    let Some((_served, chromium)) = open_issue() else {
        return;
    };
    type_text(&chromium, &format!("- one{ENTER}two{ENTER}{ENTER}end"));
    assert_eq!(text(&chromium), "- one\n- two\nend");
    type_text(&chromium, &format!("9. nine{ENTER}ten"));
    assert_eq!(text(&chromium), "9. nine\n10. ten");
    type_text(&chromium, &format!("- [x] done{ENTER}open"));
    assert_eq!(text(&chromium), "- [x] done\n- [ ] open");
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn tab_indents_items_of_a_list_and_leaves_the_text_after_escape() {
    let Some((_served, chromium)) = open_issue() else {
        return;
    };
    type_text(&chromium, &format!("- one{ENTER}{TAB}two"));
    assert_eq!(text(&chromium), "- one\n  - two");
    chromium.type_keys(&format!("{SHIFT}{TAB}{RELEASE}"));
    assert_eq!(text(&chromium), "- one\n- two");
    chromium.type_keys(&format!("{ESCAPE}{TAB}"));
    assert_eq!(text(&chromium), "- one\n- two");
    let is_left = format!("document.activeElement !== document.querySelector({TEXT:?})");
    chromium.wait_until("the text is left", &is_left);
    // Outside a list, Tab goes on as everywhere.
    type_text(&chromium, &format!("a sentence{TAB}"));
    assert_eq!(text(&chromium), "a sentence");
    chromium.wait_until("the text is left", &is_left);
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn keys_mark_the_selection_and_remove_the_marks_again() {
    let Some((_served, chromium)) = open_issue() else {
        return;
    };
    type_text(&chromium, "word");
    chromium.script("document.activeElement.select()");
    chromium.type_keys(&format!("{CONTROL}b"));
    assert_eq!(text(&chromium), "**word**");
    chromium.type_keys(&format!("{CONTROL}b"));
    assert_eq!(text(&chromium), "word");
    chromium.type_keys(&format!("{CONTROL}i"));
    assert_eq!(text(&chromium), "_word_");
    type_text(&chromium, "page");
    chromium.script("document.activeElement.select()");
    chromium.type_keys(&format!("{CONTROL}k"));
    chromium.type_keys("/news");
    assert_eq!(text(&chromium), "[page](/news)");
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn table_of_a_spreadsheet_becomes_a_table_of_the_markup() {
    let Some((_served, chromium)) = open_issue() else {
        return;
    };
    type_text(&chromium, "");
    paste(&chromium, "Part\tPrice\nvalve\t1|2\n");
    let expected = "| Part | Price |\n| --- | --- |\n| valve | 1\\|2 |\n";
    assert_eq!(text(&chromium), expected);
    // A sentence with a tab is no table.
    type_text(&chromium, "");
    paste(&chromium, "one\ttwo");
    assert_eq!(text(&chromium), "");
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn textile_has_its_own_marks() {
    let world = complete_world();
    world.set(
        quarry::domain::administration::setting::Setting::TextFormatting,
        "textile",
    );
    let served = serve(world);
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/issues/2");
    type_text(&chromium, &format!("# one{ENTER}{TAB}two"));
    assert_eq!(text(&chromium), "# one\n## two");
    type_text(&chromium, "");
    paste(&chromium, "Part\tPrice\nvalve\t3\n");
    assert_eq!(text(&chromium), "|_. Part|_. Price|\n|valve|3|\n");
    type_text(&chromium, "word");
    chromium.script("document.activeElement.select()");
    chromium.type_keys(&format!("{CONTROL}b"));
    assert_eq!(text(&chromium), "*word*");
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn files_are_chosen_with_the_paper_clip_and_can_be_taken_out() {
    let Some((_served, chromium)) = open_issue() else {
        return;
    };
    type_text(&chromium, "");
    let is_shown = |selector: &str| {
        format!("document.querySelector({selector:?}).getClientRects().length > 0")
    };
    chromium.wait_until("the clip is shown", &is_shown("#update [data-attach]"));
    assert_eq!(
        chromium.script(&format!("return {}", is_shown("#attachments"))),
        false
    );
    chromium.script(
        "const files = new DataTransfer(), field = document.querySelector('#attachments'); \
         files.items.add(new File(['a'], 'a.txt')); files.items.add(new File(['b'], 'b.txt')); \
         field.files = files.files; field.dispatchEvent(new Event('change', { bubbles: true }))",
    );
    assert_eq!(chromium.text("#update .chosen"), "a.txt\n×\nb.txt\n×");
    chromium.click("#update .chosen button");
    assert_eq!(chromium.text("#update .chosen"), "b.txt\n×");
    chromium.click("#update .primary");
    chromium.wait_until(
        "the file is attached",
        "document.querySelector('#files')?.textContent.includes('b.txt')",
    );
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn comment_box_is_low_and_grows_with_its_text() {
    let Some((_served, chromium)) = open_issue() else {
        return;
    };
    let height = |chromium: &Chromium| {
        let height = chromium.script(&format!(
            "return document.querySelector({TEXT:?}).offsetHeight"
        ));
        height.as_i64().unwrap()
    };
    assert_eq!(height(&chromium), 88);
    type_text(&chromium, &ENTER.to_string().repeat(10));
    assert!(height(&chromium) > 200);
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn toolbar_is_shown_to_those_who_want_it() {
    let Some((_served, chromium)) = open_issue() else {
        return;
    };
    type_text(&chromium, "");
    assert_eq!(
        chromium.script("return document.querySelector('#update .toolbar')"),
        serde_json::Value::Null
    );
    chromium.click("#update [data-toolbar]");
    let is_shown = "document.querySelector('#update .toolbar')?.hidden === false";
    chromium.wait_until("the toolbar is shown", is_shown);
    // It is there on the next page, too.
    chromium.open("/issues/2");
    chromium.wait_until("the toolbar is shown", is_shown);
    type_text(&chromium, "one");
    chromium.click("#update .toolbar [aria-label='List of tasks']");
    assert_eq!(text(&chromium), "- [ ] one");
    chromium.click("#update [data-toolbar]");
    chromium.wait_until(
        "the toolbar is hidden",
        "document.querySelector('#update .toolbar').hidden",
    );
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn colon_and_letters_complete_emoji() {
    let Some((_served, chromium)) = open_issue() else {
        return;
    };
    type_text(&chromium, "Shipped :roc");
    chromium.wait_until(
        "the emoji is offered",
        "document.querySelector('.completions li')?.textContent.includes('rocket')",
    );
    chromium.type_keys(ENTER);
    assert_eq!(text(&chromium), "Shipped 🚀 ");
    // A time is none.
    type_text(&chromium, "at 10:30");
    assert_eq!(text(&chromium), "at 10:30");
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}
