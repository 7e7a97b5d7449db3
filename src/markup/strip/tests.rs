use super::strip;

#[test]
fn markup_is_removed_and_words_remain() {
    for (text, plain) in [
        ("plain words", "plain words"),
        ("# Title\nsome **bold** and _soft_ text", "Title\nsome bold and soft text"),
        ("h2. Title", "Title"),
        ("* one\n* two", "one\ntwo"),
        ("> quoted\n> more", "quoted\nmore"),
        ("see `issue_query.rb` and snake_case_name", "see issue_query.rb and snake_case_name"),
        ("[link](http://a.b/c)", "link http://a.b/c)"),
        ("[[Wiki Page]]", "Wiki Page"),
        ("\"Redmine\":http://redmine.org", "\"Redmine http://redmine.org"),
        ("a <b>bold</b> word", "a  bold  word"),
        ("Vec<String> and <user@host>", "Vec<String> and <user@host>"),
        ("a &amp; b", "a & b"),
        ("```rust\nlet x = *y;\n```\nafter", "rust\nlet x = *y;\n\nafter"),
        ("@code@ and +new+", "code and new"),
        ("mail me@example.org", "mail me@example.org"),
        ("|_. head|cell|", " head cell "),
        ("2 * 3 = 6", "2 * 3 = 6"),
        ("Title\n-----\ntext", "Title\n\ntext"),
    ] {
        assert_eq!(strip(text), plain, "{text:?}");
    }
}

proptest::proptest! {
    #![proptest_config(crate::proptest_config())]

    #[test]
    fn no_word_is_lost(text in "[a-z_*`#<>&\\[\\]()|~@+. \n-]{0,80}", wild in ".{0,60}") {
        let letters = |text: &str| text.chars().filter(|letter| letter.is_alphanumeric()).collect::<String>();
        let _ = strip(&wild);
        if !text.contains('<') && !text.contains('&') && !text.contains(". ") {
            proptest::prop_assert_eq!(letters(&strip(&text)), letters(&text));
        }
    }
}
