//! Property tests of the HTML of every text: balanced, escaped, bounded.

use super::corpus::World;
use super::*;
use proptest::prelude::*;

const VOID: [&str; 4] = ["br", "hr", "img", "input"];
const ATTRIBUTES: [&str; 17] = [
    "alt",
    "aria-hidden",
    "checked",
    "class",
    "colspan",
    "disabled",
    "href",
    "id",
    "loading",
    "rel",
    "rowspan",
    "scope",
    "src",
    "start",
    "tabindex",
    "title",
    "type",
];

/// Checks that every tag is closed in order, that every attribute is quoted and known, and that no
/// address runs a script.
fn check(html: &str) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        if rest[..at].contains('>') {
            return Err(format!("an unescaped > in {:?}", &rest[..at]));
        }
        rest = &rest[at + 1..];
        if let Some(closing) = rest.strip_prefix('/') {
            let (name, after) = closing
                .split_once('>')
                .ok_or("an end tag without its end")?;
            if open.pop() != Some(name) {
                return Err(format!("</{name}> closes nothing"));
            }
            rest = after;
            continue;
        }
        let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let (name, mut attributes) = rest.split_at(length);
        if name.is_empty() {
            return Err(format!("an unescaped < before {rest:?}"));
        }
        while let Some(attribute) = attributes.strip_prefix(' ') {
            let (attribute, value) = attribute
                .split_once("=\"")
                .ok_or("an attribute without quotes")?;
            let (value, after) = value
                .split_once('"')
                .ok_or("an attribute without its end")?;
            if !ATTRIBUTES.contains(&attribute) {
                return Err(format!("the attribute {attribute:?}"));
            }
            let bare: String = value
                .chars()
                .filter(|c| !c.is_whitespace() && !c.is_control())
                .collect::<String>()
                .to_lowercase();
            if matches!(attribute, "href" | "src")
                && (bare.starts_with("javascript")
                    || bare.starts_with("data:")
                    || bare.starts_with("vbscript"))
            {
                return Err(format!("the address {value:?}"));
            }
            attributes = after;
        }
        rest = attributes
            .strip_prefix('>')
            .ok_or_else(|| format!("a tag without its end before {attributes:?}"))?;
        if !VOID.contains(&name) {
            open.push(name);
        }
    }
    if open.is_empty() {
        Ok(())
    } else {
        Err(format!("{open:?} stay open"))
    }
}

/// Texts made of pieces that mean something in one of the notations.
fn text() -> impl Strategy<Value = String> {
    const PIECES: [&str; 84] = [
        "\n",
        "\n\n",
        "\n    ",
        " ",
        " ",
        "a",
        "b c",
        "é",
        "日本",
        "🙂",
        "*",
        "**",
        "_",
        "__",
        "-",
        "--",
        "---",
        "+",
        "~",
        "~~",
        "^",
        "%",
        "@",
        "??",
        "`",
        "```",
        "```rust\n",
        "==",
        "#",
        "# ",
        "## ",
        "* ",
        "** ",
        "#* ",
        "- ",
        "- [ ] ",
        "- [x] ",
        "1. ",
        "> ",
        "|",
        "\n|",
        "|_. ",
        "|\\2. ",
        "\n|---|\n",
        "h1. ",
        "h2=. ",
        "bq. ",
        "bc. ",
        "bc.. ",
        "p>. ",
        "fn1. ",
        "[1]",
        "[^1]",
        "\n\n[^1]: ",
        "[",
        "](",
        ")",
        "(",
        "!",
        "![",
        "[[",
        "]]",
        "\"",
        "\":",
        "\":javascript:alert(1)",
        "(javascript:alert(1))",
        "http://a.b/c",
        "www.a.bc",
        "x@y.zz",
        "#12",
        "r7",
        "commit:ab",
        "version:\"",
        "@anna",
        "<b>",
        "</b>",
        "<br>",
        "<pre>",
        "</pre>",
        "<script>",
        "<details>\n<summary>s</summary>\n\n",
        "</details>",
        "<!--",
        "-->",
    ];
    proptest::collection::vec(prop_oneof![4 => proptest::sample::select(&PIECES[..]).prop_map(str::to_owned), 1 => ".{0,6}"], 0..40)
        .prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(proptest::test_runner::Config::default())]

    #[test]
    fn html_is_escaped_balanced_and_bounded(text in text()) {
        let options = RenderOptions { timeout: Duration::from_secs(60), ..RenderOptions::default() };
        for format in FORMATS {
            let html = render(&text, format, &World, &options).to_string();
            if let Err(problem) = check(&html) {
                prop_assert!(false, "{problem} in {html}");
            }
            prop_assert!(!html.starts_with("<pre class=\"plain-text\">"), "{text:?} is not rendered");
            prop_assert!(html.len() <= 1000 + 400 * text.len());
           prop_assert_eq!(sanitizer::sanitize(&html), html);
        }
    }

    #[test]
    fn plain_texts_keep_every_letter(text in "[a-z \n#@:./*_<>&\"-]{0,80}") {
        let html = render(&text, TextFormat::Plain, &NoLinks, &RenderOptions { timeout: Duration::from_secs(60), ..RenderOptions::default() });
        let mut shown = String::new();
        let mut in_tag = false;
        for c in html.as_str().chars() {
            match c {
                '<' => in_tag = true,
                '>' => in_tag = false,
                c if !in_tag => shown.push(c),
                _ => {}
            }
        }
        let shown = shown.replace("&lt;", "").replace("&gt;", "").replace("&quot;", "").replace("&nbsp;", "").replace("&amp;", "");
        prop_assert_eq!(letters(&shown), letters(&text));
    }
}

fn letters(text: &str) -> String {
    text.chars().filter(char::is_ascii_lowercase).collect()
}

#[test]
fn the_corpus_is_escaped_and_balanced() {
    for folder in ["markdown", "textile"] {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../fixtures/markup")
            .join(folder);
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path
                .extension()
                .is_some_and(|extension| extension == "html")
            {
                check(std::fs::read_to_string(&path).unwrap().trim_end())
                    .unwrap_or_else(|problem| panic!("{problem} in {}", path.display()));
            }
        }
    }
}
