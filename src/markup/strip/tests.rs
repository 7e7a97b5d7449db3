use super::strip;

#[test]
fn markup_is_removed_and_words_remain() {
    for (text, plain) in [
        ("plain words", "plain words"),
        (
            "# Title\nsome **bold** and _soft_ text",
            "Title\nsome bold and soft text",
        ),
        ("h2. Title", "Title"),
        ("* one\n* two", "one\ntwo"),
        ("> quoted\n> more", "quoted\nmore"),
        (
            "see `issue_query.rb` and snake_case_name",
            "see issue_query.rb and snake_case_name",
        ),
        ("[link](http://a.b/c)", "link (http://a.b/c)"),
        ("before ![](image.png) after", "before  (image.png) after"),
        ("![screen shot](image.png)", "screen shot (image.png)"),
        (
            "!image.png! and !/a/b.png! now!",
            "image.png and /a/b.png now!",
        ),
        (
            "{{toc}}\n{{LeakCanary}} {{collapse(More)\ntext\n}}",
            "\nLeakCanary collapse(More)\ntext\n",
        ),
        (
            "{code:java}int x = {1};{code} {noformat}a{noformat}",
            " int x = {1};   a ",
        ),
        ("%{color:red}red%", "red%"),
        ("C++, c++ and C# +new+", "C++, c++ and C# new"),
        ("a **b** ****c****", "a b ****c****"),
        ("|a|b|\n|---|:-:|\n|c|d|", " a b \n\n c d "),
        ("[[Wiki Page]]", "Wiki Page"),
        (
            "\"Redmine\":http://redmine.org \"quoted\"",
            "Redmine http://redmine.org \"quoted\"",
        ),
        ("a <b>bold</b> word", "a  bold  word"),
        ("Vec<String> and <user@host>", "Vec<String> and <user@host>"),
        ("a &amp; b", "a & b"),
        (
            "```rust\nlet x = *y;\n```\nafter",
            "rust\nlet x = *y;\n\nafter",
        ),
        ("@code@ and +new+", "code and new"),
        ("mail me@example.org", "mail me@example.org"),
        ("|_. head|cell|", " head cell "),
        ("2 * 3 = 6", "2 * 3 = 6"),
        ("*Note:* text, **1.** one, *a!*", "Note: text, 1. one, a!"),
        ("see a.* and b.*", "see a.* and b.*"),
        ("Title\n-----\ntext", "Title\n\ntext"),
    ] {
        assert_eq!(strip(text), plain, "{text:?}");
    }
}

#[test]
fn long_runs_take_linear_time() {
    for byte in ["_", "@", "*", "{", "!", "\"", "%{", "<", "!a", "{code"] {
        let text = byte.repeat(512 * 1024 / byte.len());
        let started = std::time::Instant::now();
        strip(&text);
        assert!(
            started.elapsed() < std::time::Duration::from_secs(60),
            "{byte:?} takes {:?}",
            started.elapsed()
        );
    }
}

fn letters(text: &str) -> String {
    text.chars()
        .filter(|letter| letter.is_alphanumeric())
        .collect()
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::default())]

    #[test]
    fn no_word_is_lost(text in "[a-z_*`#<>&\\[\\]()|~@+. \n-]{0,80}", wild in ".{0,60}") {
        let _ = strip(&wild);
        if !text.contains('<') && !text.contains('&') && !text.contains(". ") {
            proptest::prop_assert_eq!(letters(&strip(&text)), letters(&text));
        }
    }
}

#[test]
fn long_texts_in_chunks_are_stripped_like_whole_ones() {
    let text = "h2. Title\n\n* an *item* with `code` and 東京都 [[Page]]\n```\nlet *x*;\n```\n> quoted & more\n".repeat(60);
    for part in [1, 7, 100, 2_000] {
        let mut stripper = super::Stripper::new(&text);
        let mut out = String::new();
        let mut bytes = 0;
        while !stripper.is_done() {
            bytes += stripper.strip_next(part, &mut out);
        }
        assert_eq!(
            (out.as_str(), bytes),
            (&*strip(&text), text.len()),
            "{part}"
        );
    }
}
