//! Rules that hold for every text.

mod corpus;
mod properties;

use super::*;
use std::time::Duration;

const FORMATS: [TextFormat; 3] = [TextFormat::Markdown, TextFormat::Textile, TextFormat::Plain];

fn html(text: &str, format: TextFormat) -> String {
    render(text, format, &NoLinks, &RenderOptions::default()).to_string()
}

/// Panics, as a defect in a parser would.
struct Panicking;

impl LinkResolver for Panicking {
    fn resolve(&self, _: &Reference<'_>) -> Option<Link> {
        panic!("the resolver fails")
    }
}

#[test]
fn a_text_that_takes_too_long_is_shown_as_it_is() {
    let options = RenderOptions {
        timeout: Duration::ZERO,
        ..RenderOptions::default()
    };
    for format in FORMATS {
        let html = render("*a* <b>\n# x", format, &NoLinks, &options);
        assert_eq!(
            html.as_str(),
            "<pre class=\"plain-text\">*a* &lt;b&gt;\n# x</pre>"
        );
    }
}

#[test]
fn a_text_whose_rendering_panics_is_shown_as_it_is() {
    for format in FORMATS {
        let html = render("*a* #12", format, &Panicking, &RenderOptions::default());
        assert_eq!(html.as_str(), "<pre class=\"plain-text\">*a* #12</pre>");
    }
}

#[test]
fn a_text_that_is_too_long_is_shown_as_it_is() {
    let text = "*a* ".repeat(MAX_LENGTH / 4 + 1);
    for format in FORMATS {
        assert_eq!(
            html(&text, format),
            format!("<pre class=\"plain-text\">{text}</pre>")
        );
    }
}

#[test]
fn a_text_of_ampersands_is_shown_as_it_is() {
    let text = "&".repeat(limits::MAX_AMPERSANDS + 1);
    for format in FORMATS {
        assert!(html(&text, format).starts_with("<pre class=\"plain-text\">&amp;"));
    }
}

#[test]
fn hostile_repetitions_end_in_time() {
    let options = RenderOptions {
        timeout: Duration::from_secs(60),
        ..RenderOptions::default()
    };
    for part in [
        ">",
        "[",
        "![",
        "*a ",
        "**a",
        "<b>",
        "<pre",
        "<notextile>\n\n",
        "\"a ",
        "[a](b ",
        "- ",
        "|a",
        "`",
        "[[",
        "AB(c ",
        "%{a}b ",
        "(",
        "&",
    ] {
        let text = part.repeat(24 * 1024 / part.len());
        for format in FORMATS {
            let started = std::time::Instant::now();
            let html = render(&text, format, &NoLinks, &options);
            assert!(
                started.elapsed() < Duration::from_secs(30),
                "{part:?} {format:?}"
            );
            assert!(html.as_str().len() <= MAX_OUTPUT, "{part:?} {format:?}");
        }
    }
}

#[test]
fn long_hostile_texts_stop_soon_after_their_deadline() {
    for part in [
        "\"a\":",
        "-a- ",
        "@a@ ",
        "<pre>a</pre> ",
        "<code></",
        "[[",
        ">",
        "*a* ",
    ] {
        let text = part.repeat(500_000 / part.len());
        for format in FORMATS {
            let started = std::time::Instant::now();
            render(&text, format, &NoLinks, &RenderOptions::default());
            // Without optimization and beside other tests, the steps between two checks of the
            // clock take much longer.
            assert!(
                started.elapsed() < Duration::from_secs(60),
                "{part:?} {format:?} takes {:?}",
                started.elapsed()
            );
        }
    }
}

#[test]
fn block_with_too_many_elements_to_sanitize_at_once_is_shown_as_it_is() {
    let options = RenderOptions {
        timeout: Duration::from_secs(60),
        ..RenderOptions::default()
    };
    let elements = "*a* ".repeat(limits::MAX_PIECE_ITEMS + 1);
    let blocks = "*a*\n\n".repeat(limits::MAX_PIECE_ITEMS / 2 + 1);
    for format in [TextFormat::Markdown, TextFormat::Textile] {
        assert!(
            render(&elements, format, &NoLinks, &options)
                .as_str()
                .starts_with("<pre class=\"plain-text\">"),
            "{format:?}"
        );
        assert!(
            render(&blocks, format, &NoLinks, &options)
                .as_str()
                .starts_with("<p><"),
            "{format:?}"
        );
    }
}

#[test]
fn long_text_has_its_table_of_contents_in_its_place() {
    let before = "word\n\n".repeat(10_000);
    let options = RenderOptions {
        timeout: Duration::from_secs(60),
        ..RenderOptions::default()
    };
    for (format, heading) in [
        (TextFormat::Markdown, "# X"),
        (TextFormat::Textile, "h1. X"),
    ] {
        let html = render(
            &format!("{before}{{{{toc}}}}\n\n{heading}\n\n{before}"),
            format,
            &NoLinks,
            &options,
        )
        .to_string();
        let expected =
            "<p>word</p>\n<ul class=\"toc\"><li><a href=\"#X\">X</a></li></ul>\n<h2 id=\"X\">X";
        assert!(
            html.contains(expected),
            "{format:?}: {}",
            &html[..html.len().min(300)]
        );
        assert_eq!(
            html.matches("<p>word</p>\n").count() + usize::from(html.ends_with("<p>word</p>")),
            20_000,
            "{format:?}"
        );
    }
}

#[test]
fn ids_start_with_the_prefix_of_the_text() {
    let options = RenderOptions {
        id_prefix: "note-5-",
        heading_offset: 2,
        ..RenderOptions::default()
    };
    let html = render(
        "# A\n\n{{toc}}\n\nx[^1]\n\n[^1]: y",
        TextFormat::Markdown,
        &NoLinks,
        &options,
    )
    .to_string();
    for part in [
        "<h3 id=\"note-5-A\">",
        "href=\"#note-5-A\"",
        "id=\"note-5-fn-1\"",
        "href=\"#note-5-fn-1\"",
        "id=\"note-5-fnref-1\"",
    ] {
        assert!(html.contains(part), "{part} is not in {html}");
    }
}

#[test]
fn formats_follow_the_setting() {
    for (value, format) in [
        ("common_mark", TextFormat::Markdown),
        ("markdown", TextFormat::Markdown),
        ("textile", TextFormat::Textile),
        ("", TextFormat::Plain),
    ] {
        assert_eq!(TextFormat::from_setting(value), format);
    }
}

#[test]
fn plain_texts_have_lines_and_links_and_nothing_else() {
    let expected = "<p>*a* &lt;b&gt;<br>\n<a href=\"http://example.org\" class=\"external\" rel=\"nofollow noopener noreferrer\">\
        http://example.org</a></p>\n<p># c</p>";
    assert_eq!(
        html("*a* <b>\nhttp://example.org\n\n# c", TextFormat::Plain),
        expected
    );
}

#[test]
fn an_empty_text_is_nothing() {
    assert!(
        render(
            " \n",
            TextFormat::Markdown,
            &NoLinks,
            &RenderOptions::default()
        )
        .is_empty()
    );
}

#[test]
fn no_more_references_are_resolved_than_the_maximum() {
    struct Counting(std::cell::Cell<usize>);
    impl LinkResolver for Counting {
        fn resolve(&self, _: &Reference<'_>) -> Option<Link> {
            self.0.set(self.0.get() + 1);
            None
        }
    }
    let counting = Counting(std::cell::Cell::new(0));
    render(
        &"#1 ".repeat(MAX_REFERENCES + 10),
        TextFormat::Markdown,
        &counting,
        &RenderOptions {
            timeout: Duration::from_secs(60),
            ..RenderOptions::default()
        },
    );
    assert_eq!(counting.0.get(), MAX_REFERENCES);
}

#[test]
fn sections_have_links_and_the_title_of_the_page_is_left_out() {
    let options = RenderOptions {
        page_title: Some("Pump_room"),
        section_edit: Some("/edit?section="),
        ..RenderOptions::default()
    };
    for (text, format) in [
        (
            "# Pump  Room\n\n{{toc}}\n\n## Below\n\n> # Quoted\n\n# Pump room",
            TextFormat::Markdown,
        ),
        (
            "h1. Pump Room\n\n{{toc}}\n\nh2. Below\n\n> h1. Quoted\n\nh1. Pump room",
            TextFormat::Textile,
        ),
    ] {
        let html = render(text, format, &NoLinks, &options);
        let html = html.as_str();
        assert_eq!(html.matches("<h2").count(), 2, "{html}");
        assert!(
            html.contains(
                "<a class=\"edit-section\" href=\"/edit?section=2\" title=\"Edit this section\""
            ),
            "{html}"
        );
        assert!(
            html.contains("/edit?section=3") && !html.contains("/edit?section=1"),
            "{html}"
        );
        assert_eq!(html.matches("edit-section").count(), 2, "{html}");
        let plain = self::html(text, format);
        assert!(
            plain.matches("<h2").count() == 3 && !plain.contains("edit-section"),
            "{plain}"
        );
    }
}
