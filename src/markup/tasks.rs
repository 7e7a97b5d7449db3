//! The check boxes of a text: `- [ ] task` and `- [x] done` in Markdown.
//!
//! Invariant: they are counted as the rendered text shows them.

use super::limits::MAX_LENGTH;
use super::options::{RenderOptions, TextFormat};
use super::reference::NoLinks;
use super::render::{with_line_feeds, write};
use super::writer::HtmlWriter;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Returns the text with some check boxes ticked or cleared, by their numbers from 1. Its lines end
/// with LF. Returns `None` if a number has no check box, or the text is too long to be rendered.
pub fn tick(text: &str, format: TextFormat, changes: &[(usize, bool)]) -> Option<String> {
    if text.len() > MAX_LENGTH {
        return None;
    }
    let text = with_line_feeds(text);
    let offsets = catch_unwind(AssertUnwindSafe(|| {
        let options = RenderOptions::default();
        let mut writer = HtmlWriter::new(&NoLinks, &options);
        let written = write(&text, format, &mut writer);
        written.ok().map(|()| writer.into_tasks())
    }));
    let offsets = offsets.ok().flatten()?;
    let mut text = text.into_bytes();
    for (number, is_done) in changes {
        let offset = *offsets.get(number.checked_sub(1)?)?;
        let brackets = offset.checked_sub(1)?..offset + 2;
        // The parser could be wrong about the place, as in a text with tabs.
        if !matches!(text.get(brackets)?, b"[ ]" | b"[x]" | b"[X]") {
            return None;
        }
        text[offset] = if *is_done { b'x' } else { b' ' };
    }
    String::from_utf8(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_ticked_wherever_a_list_can_stand() {
        let text = "Über [ ] uns\r\n\r\n- [ ] ä [ ] one\n  1. [x] two\n\n> * [ ] ✓ three\n\n- plain\n-\t[X] four\n\n```\n- [ ] code\n```\n\n+ [ ] five";
        let ticked = |changes: &[(usize, bool)]| tick(text, TextFormat::Markdown, changes);
        let text = text.replace('\r', "");
        let expected = [
            (1, "- [ ] ä", "- [x] ä"),
            (3, "* [ ] ✓", "* [x] ✓"),
            (5, "+ [ ] five", "+ [x] five"),
        ];
        for (number, before, after) in expected {
            assert_eq!(
                ticked(&[(number, true)]),
                Some(text.replace(before, after)),
                "{number}"
            );
        }
        let cleared = text.replace("[x] two", "[ ] two");
        let cleared = cleared.replace("[X] four", "[ ] four");
        assert_eq!(ticked(&[(2, false), (4, false)]), Some(cleared));
        assert_eq!(ticked(&[]), Some(text.clone()));
        assert_eq!(ticked(&[(0, true)]), None);
        assert_eq!(ticked(&[(6, true)]), None);
        assert_eq!(tick("- [ ] a", TextFormat::Textile, &[(1, true)]), None);
        assert_eq!(tick("- [ ] a", TextFormat::Plain, &[(1, true)]), None);
    }

    #[test]
    fn boxes_are_as_many_as_the_rendered_text_has() {
        let texts = [
            "- [ ] a\n- [x]\n- [ ]  \n- [ ] b",
            "1. [ ] a\n\n   - [ ] b\n\n   text\n\n   - [x] c",
            "a[^1]\n\n- [ ] b\n\n[^1]: - [ ] note",
        ];
        for text in texts {
            let options = RenderOptions::default();
            let html = crate::render(text, TextFormat::Markdown, &NoLinks, &options);
            let count = html.as_str().matches("<input").count();
            for number in 1..=count {
                assert!(
                    tick(text, TextFormat::Markdown, &[(number, true)]).is_some(),
                    "{text:?} {number}"
                );
            }
            assert_eq!(tick(text, TextFormat::Markdown, &[(count + 1, true)]), None);
        }
    }
}
