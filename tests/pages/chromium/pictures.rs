//! Pictures that are pasted into a note, or dropped on it.

use super::driver::{Chromium, start};
use super::serve;
use quarry_world::complete_world::complete_world;
use serde_json::json;

/// Pastes a picture of one colour into the comment, or drops it there. The arguments are the
/// colour, the name and the event.
const ATTACH: &str = "const [color, name, kind, done] = arguments, canvas = document.createElement('canvas');
    canvas.width = canvas.height = 8;
    const context = canvas.getContext('2d');
    context.fillStyle = color;
    context.fillRect(0, 0, 8, 8);
    canvas.toBlob(blob => {
      const transfer = new DataTransfer(), text = document.querySelector('#update textarea');
      transfer.items.add(new File([blob], name, { type: 'image/png' }));
      const options = { bubbles: true, cancelable: true, clipboardData: transfer, dataTransfer: transfer };
      text.dispatchEvent(kind === 'paste' ? new ClipboardEvent(kind, options) : new DragEvent(kind, options));
      done(text.value);
    });";

/// Returns an expression for the first pixel of a picture: red, green, blue.
fn color(selector: &str) -> String {
    format!(
        "(() => {{
            const image = document.querySelector({selector:?});
            if (!image || !image.complete || !image.naturalWidth) return '';
            const canvas = document.createElement('canvas'), context = canvas.getContext('2d');
            context.drawImage(image, 0, 0);
            return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).join();
        }})()"
    )
}

const RED: &str = "255,0,0";
const BLUE: &str = "0,0,255";

/// Pastes or drops a picture, and returns the comment with its markup.
fn attach(chromium: &Chromium, color: &str, name: &str, kind: &str) -> String {
    let text = chromium.script_with_callback(ATTACH, vec![json!(color), json!(name), json!(kind)]);
    text.as_str().unwrap().to_owned()
}

#[track_caller]
fn assert_color(chromium: &Chromium, selector: &str, expected: &str) {
    chromium.wait_until(
        &format!("{selector} is {expected}"),
        &format!("{} === '{expected}'", color(selector)),
    );
}

/// Saves the comment and waits until the page has so many notes with pictures.
fn save(chromium: &Chromium, count: usize) {
    chromium.click("#update .actions .primary");
    chromium.wait_until(
        "the note is saved",
        &format!("document.querySelectorAll('[id^=note-] .prose img').length === {count}"),
    );
}

/// Returns the addresses of the pictures in notes.
fn pictures(chromium: &Chromium) -> Vec<String> {
    let addresses =
        chromium.script("return [...document.querySelectorAll('[id^=note-] .prose img')].map(image => image.getAttribute('src'))");
    addresses
        .as_array()
        .unwrap()
        .iter()
        .map(|address| address.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn notes_and_previews_show_their_own_pictures() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/issues/1");
    let before = pictures(&chromium).len();
    let preview = "#update .editor-preview img";

    // Browsers call every pasted picture image.png.
    for (number, color, expected) in [(1, "red", RED), (2, "blue", BLUE)] {
        let text = attach(&chromium, color, "image.png", "paste");
        assert!(
            text.starts_with("![](pasted-2") && text.ends_with("-1.png)"),
            "{text}"
        );
        chromium.click("#update button[data-mode=preview]");
        assert_color(&chromium, preview, expected);
        save(&chromium, before + number);
    }
    let pasted = pictures(&chromium);
    assert!(
        pasted[before..]
            .iter()
            .all(|address| address.contains("/pasted-")),
        "{pasted:?}"
    );

    // Files with a name keep it, also when the issue has one already.
    for (number, color, expected) in [(3, "red", RED), (4, "blue", BLUE)] {
        assert_eq!(
            attach(&chromium, color, "my picture.png", "drop"),
            "![](<my picture.png>)"
        );
        chromium.click("#update button[data-mode=preview]");
        assert_color(&chromium, preview, expected);
        save(&chromium, before + number);
    }
    let all = pictures(&chromium);
    for (address, expected) in all[before..].iter().zip([RED, BLUE, RED, BLUE]) {
        // They are loaded when they come into view.
        chromium.script(&format!(
            "document.querySelector('img[src=\"{address}\"]').scrollIntoView()"
        ));
        assert_color(&chromium, &format!("img[src='{address}']"), expected);
    }
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn several_pictures_in_one_comment_have_different_names() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    chromium.open("/issues/1");
    attach(&chromium, "red", "image.png", "paste");
    let text = attach(&chromium, "blue", "", "drop");
    let names: Vec<&str> = text
        .split("![](")
        .filter(|part| !part.is_empty())
        .map(|part| part.trim_end_matches(')'))
        .collect();
    assert!(names.len() == 2 && names[0] != names[1], "{text}");
    let chosen = chromium.script("return [...document.querySelector('#update input[type=file]').files].map(file => file.name)");
    assert_eq!(chosen, json!(names));
    chromium.click("#update button[data-mode=preview]");
    assert_color(&chromium, "#update .editor-preview img:nth-of-type(1)", RED);
    assert_color(
        &chromium,
        "#update .editor-preview img:nth-of-type(2)",
        BLUE,
    );
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}

#[test]
fn own_picture_is_uploaded_without_a_script_and_shown() {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("alice.png");
    let image = image::RgbImage::from_pixel(300, 200, image::Rgb([0, 0, 255]));
    image.save(&path).unwrap();
    chromium.disable_scripts(true);
    chromium.open("/my/account");
    chromium.type_into("input[name=picture]", path.to_str().unwrap());
    chromium.click(".picture-form .btn");
    assert_eq!(chromium.path(), "/my/account");
    chromium.disable_scripts(false);

    chromium.open("/users/2");
    for (selector, size) in [("h1 img.avatar", 56), ("header img.avatar", 28)] {
        let shown = format!(
            "(() => {{
                const image = document.querySelector('{selector}');
                return image?.naturalWidth === 96 && image.clientWidth === {size} && image.clientHeight === {size};
            }})()"
        );
        chromium.wait_until("the picture is shown", &shown);
    }
    // JPEG keeps colors almost.
    let blue = color("h1 img.avatar");
    chromium.wait_until(
        "it is blue",
        &format!("/^[0-2],[0-2],25[3-5]$/.test({blue})"),
    );
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
}
