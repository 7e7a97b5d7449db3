//! HTML as tests compare it.

use quarry_world::html_lines::join;

#[test]
fn lines_are_joined_as_a_browser_shows_them() {
    for (html, expected) in [
        ("<p>\n  one\n  two\n</p>", "<p>one two</p>"),
        (
            "<div>\n  <p>x</p>\n  <p>y</p>\n</div>",
            "<div><p>x</p><p>y</p></div>",
        ),
        (
            "<p>\n  <b>x</b>\n  <b>y</b>\n</p>",
            "<p><b>x</b> <b>y</b></p>",
        ),
        ("<p><b>x</b><b>y</b></p>", "<p><b>x</b><b>y</b></p>"),
        (
            "see\n<a href=\"/\">\n  it\n</a>\nnow",
            "see <a href=\"/\">it</a> now",
        ),
        (
            "<a\n  href=\"a > b\"\n  class=\"c\"\n>x</a>",
            "<a href=\"a > b\" class=\"c\">x</a>",
        ),
        ("<pre>\n a\n  b</pre>", "<pre>\n a\n  b</pre>"),
    ] {
        assert_eq!(join(html), expected, "{html}");
    }
}
