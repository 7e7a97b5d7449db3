//! Adds a document with a file, and a file of the project.

use super::super::driver::start;
use super::super::serve;
use super::Counted;
use quarry_world::complete_world::complete_world;

/// Puts a file into the file field of the page, as somebody who chooses it.
const CHOOSE: &str = "const transfer = new DataTransfer(), field = document.querySelector('input[type=file]'); \
     transfer.items.add(new File(['%PDF'], 'chart.pdf')); field.files = transfer.files; \
     field.dispatchEvent(new Event('change', { bubbles: true }))";

#[test]
fn document_and_file_are_added() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/projects/secret/documents");
    let counted = Counted::new(&chromium);
    counted.click_until(
        ".title-row a.primary",
        "the form has the focus on the title",
        "document.activeElement.name === 'document[title]'",
    );
    chromium.type_keys("Chart of the bay");
    chromium.script(CHOOSE);
    counted.click_until(
        "main .primary",
        "the document has the file",
        "document.querySelector('.attachments')?.textContent.includes('chart.pdf')",
    );
    assert_eq!(counted.clicks.get(), 2);

    chromium.open("/projects/secret/files");
    counted.click_until(
        ".title-row a.primary",
        "the form is shown",
        "document.querySelector('input[type=file]')",
    );
    chromium.script(CHOOSE);
    chromium.click("[name='file[version_id]'] option[value='1']");
    counted.click_until(
        "main .primary",
        "the list has the file",
        "document.querySelector('table')?.textContent.includes('chart.pdf')",
    );
    assert_eq!(counted.clicks.get(), 4);
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}
