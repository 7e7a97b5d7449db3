use crate::highlight::highlighter::{ReadState, WordSpan};
use crate::{CoveredWords, Excerpt, Highlighter, IndexConfig, ParsedQuery, TextField};
use quarry_markup::escape;
use quarry_markup::strip::strip;

fn parse_query(query: &str) -> ParsedQuery {
    ParsedQuery::parse(query, &IndexConfig::embedded().unwrap().bounds).unwrap()
}

fn excerpt(query: &str, texts: &[&str]) -> Excerpt {
    Highlighter::new(&parse_query(query), false).excerpt(
        texts.iter().map(|text| (TextField::Text, *text)),
        &CoveredWords::default(),
    )
}

fn excerpt_of(query: &str, texts: &[&str]) -> String {
    excerpt(query, texts).html()
}

/// Returns the words that a highlighter finds in a text that it reads in parts.
fn marks_in(highlighter: &Highlighter<'_>, parts: &[&str]) -> Vec<WordSpan> {
    let mut state = ReadState::default();
    let mut marks = Vec::new();
    let mut base = 0;
    for part in parts {
        highlighter.find_words(part, (0, base), &mut state, &mut marks);
        base += part.len();
    }
    marks
}

#[test]
fn matched_words_are_marked() {
    for (query, text, html) in [
        (
            "search",
            "Searching is fun",
            "<mark>Searching</mark> is fun",
        ),
        (
            "query",
            "see issue_query.rb",
            "see issue_<mark>query</mark>.rb",
        ),
        (
            "issue_query.rb",
            "see issue_query.rb here",
            "see <mark>issue_query.rb</mark> here",
        ),
        (
            "\"quick fox\"",
            "quick dog, quick fox",
            "quick dog, <mark>quick fox</mark>",
        ),
        (
            "conf*",
            "the configuration",
            "the <mark>configuration</mark>",
        ),
        ("東京", "私は東京都に", "私は<mark>東京</mark>都に"),
        (
            "actionbar",
            "an **actionBar** <bee>",
            "an <mark>actionBar</mark> &lt;bee&gt;",
        ),
        ("cafe", "Le Café &", "Le <mark>Café</mark> &amp;"),
        ("nothing", "the\n\n  beginning", "the beginning"),
        ("c++", "c, i++ or C++.", "c, i++ or <mark>C++</mark>."),
        ("c#", "C# is not c", "<mark>C#</mark> is not c"),
        (
            ".net",
            "the net of .NET and example.net",
            "the net of <mark>.NET</mark> and example.net",
        ),
        ("c", "C++ or C#", "<mark>C</mark>++ or <mark>C</mark>#"),
        (
            "crash",
            "![](crash.png) {{crash}} {code}crash{code}",
            "(<mark>crash</mark>.png) <mark>crash</mark> <mark>crash</mark>",
        ),
    ] {
        assert_eq!(excerpt_of(query, &[text]), html, "{query}");
    }
}

#[test]
fn distant_words_are_in_separate_fragments() {
    let filler = "lorem ipsum dolor sit amet ".repeat(40);
    let text = format!("{filler}alpha {filler}beta {filler}gamma {filler}");
    let html = excerpt_of("alpha beta gamma", &[&text]);
    assert_eq!(html.matches("<mark>").count(), 3, "{html}");
    assert_eq!(html.matches('…').count(), 4, "{html}");
    assert!(
        html.chars().count() < 450,
        "{} {html}",
        html.chars().count()
    );
}

#[test]
fn one_fragment_is_made_if_it_covers_all_words() {
    let filler = "lorem ipsum dolor sit amet ".repeat(40);
    let html = excerpt_of(
        "alpha beta",
        &[&format!("alpha {filler} alpha and beta {filler} beta")],
    );
    assert!(
        html.contains("<mark>alpha</mark> and <mark>beta</mark>"),
        "{html}"
    );
    assert_eq!(html.matches('…').count(), 2, "{html}");
}

#[test]
fn later_texts_are_searched() {
    assert_eq!(
        excerpt_of("beta", &["alpha", "beta"]),
        "… <mark>beta</mark>".replace("… ", "")
    );
    assert_eq!(
        excerpt_of("alpha beta", &["alpha", "beta"]),
        "<mark>alpha</mark> … <mark>beta</mark>"
    );
    assert_eq!(excerpt_of("x", &["", "  "]), "");
}

fn strip_marks(html: &str) -> Option<String> {
    let bare = html.replace("<mark>", "").replace("</mark>", "");
    if bare.contains(['<', '>', '"', '\'']) {
        return None;
    }
    let text = bare
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&");
    Some(
        text.chars()
            .filter(|letter| !letter.is_whitespace() && !letter.is_control() && *letter != '…')
            .collect(),
    )
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::default())]

    #[test]
    fn excerpts_are_escaped_and_contain_only_the_text(
        texts in proptest::collection::vec("([a-zA-Z<>&\"'é東京 _.\n]{0,12}|.{0,12}|alpha |beta ){0,30}", 0..4),
        query in "(alpha|beta|a\\*|\"alpha beta\"|東|é|_|[a-z]{1,2}| ){1,6}",
    ) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let html = excerpt_of(&query, &texts);
        let shown = strip_marks(&html);
        proptest::prop_assert!(shown.is_some(), "{}", html);
        let texts: Vec<_> = texts.iter().map(|text| strip(text)).collect();
        let mut source = texts.iter().flat_map(|text| text.chars());
        for letter in shown.unwrap_or_default().chars() {
            proptest::prop_assert!(source.any(|other| other == letter), "{} of {:?}", letter, html);
        }
    }
}

#[test]
fn words_late_in_a_text_and_across_its_chunks_are_found() {
    for before in (1_500..2_600).step_by(7) {
        let text = format!(
            "{} red balloon {}",
            "x ".repeat(before / 2),
            "y ".repeat(3_000)
        );
        let html = excerpt_of("\"red balloon\"", &[&text]);
        assert!(
            html.contains("<mark>red balloon</mark>"),
            "{before}: {html}"
        );
    }
    let late = format!("{} needle", "straw ".repeat(20_000));
    assert!(excerpt_of("needle", &[&late]).contains("<mark>needle</mark>"));
    assert!(
        excerpt_of("needle", &[&"s".repeat(50_000), "a needle"]).contains("<mark>needle</mark>")
    );
}

#[test]
fn every_kind_of_word_is_marked_whole_in_every_script() {
    for (query, text, html) in [
        (
            "нав*",
            "Новая Навигация здесь",
            "Новая <mark>Навигация</mark> здесь",
        ),
        ("ёлка", "Где Елка?", "Где <mark>Елка</mark>?"),
        ("strasse", "die Straße 5", "die <mark>Straße</mark> 5"),
        (
            "cafe",
            "un cafe\u{301} noir",
            "un <mark>cafe\u{301}</mark> noir",
        ),
        ("東京都", "私は東京都に", "私は<mark>東京都</mark>に"),
        ("東京 京都", "私は東京都に", "私は<mark>東京都</mark>に"),
        ("データ", "のﾃﾞｰﾀは", "の<mark>ﾃﾞｰﾀ</mark>は"),
        ("हिन्दी", "यह हिन्दी है", "यह <mark>हिन्दी</mark> है"),
        ("ภาษา", "ภาษา ไทย", "<mark>ภาษา</mark> ไทย"),
        (
            "мир OR fox",
            "fox и мир",
            "<mark>fox</mark> и <mark>мир</mark>",
        ),
        (
            "\"quick fox\"",
            "a *quick*\n  fox, a quick dog",
            "a <mark>quick fox</mark>, a quick dog",
        ),
        (
            "searched -fun",
            "Searching is fun",
            "<mark>Searching</mark> is fun",
        ),
        (
            "cri*",
            "a cry, crisis",
            "a <mark>cry</mark>, <mark>crisis</mark>",
        ),
        (
            "HTTPServer.run",
            "an HTTPServer.run()",
            "an <mark>HTTPServer.run</mark>()",
        ),
        ("don't", "we don’t", "we <mark>don’t</mark>"),
    ] {
        assert_eq!(excerpt_of(query, &[text]), html, "{query}");
    }
}

#[test]
fn identifier_parts_are_marked_if_any_word_matches() {
    let query = parse_query("time-sharing notes");
    for (any_word, expected) in [
        (false, "no time for sharing"),
        (true, "no <mark>time</mark> for <mark>sharing</mark>"),
    ] {
        let excerpt = Highlighter::new(&query, any_word).excerpt(
            [(TextField::Text, "no time for sharing")],
            &CoveredWords::default(),
        );
        assert_eq!(excerpt.html(), expected);
    }
}

#[test]
fn passages_have_the_field_and_the_offsets_of_words() {
    let query = parse_query("naïve fox");
    let texts = [
        (TextField::Text, "Été: *naive*  <b>x</b>"),
        (TextField::Notes, "a fox"),
    ];
    let excerpt = Highlighter::new(&query, false).excerpt(texts, &CoveredWords::default());
    let told: Vec<_> = excerpt
        .passages
        .iter()
        .map(|passage| (passage.field, passage.text.as_str(), passage.marks()))
        .collect();
    assert_eq!(
        told,
        [
            (TextField::Text, "Été: naive x", vec![(5, 10)]),
            (TextField::Notes, "a fox", vec![(2, 5)])
        ]
    );
}

#[test]
fn titles_are_marked_after_their_prefix() {
    let query = parse_query("bug leaks");
    let title = Highlighter::new(&query, false)
        .title("Bug #1 (<é>): ", "A bug  leaking")
        .0;
    assert_eq!(
        title.html(),
        "Bug #1 (&lt;é&gt;): A <mark>bug</mark>  <mark>leaking</mark>"
    );
    assert_eq!(
        (title.text.as_str(), title.marks()),
        ("Bug #1 (<é>): A bug  leaking", vec![(16, 19), (21, 28)])
    );
}

/// Whether a passage is well-formed: marks in order, inside, apart, not empty; its HTML is its
/// text, escaped, with tags at the marks.
fn has_valid_offsets(passage: &crate::Passage) -> bool {
    let letters: Vec<char> = passage.text.chars().collect();
    let mut at = 0;
    let mut html = String::new();
    for (from, to) in passage.marks() {
        let (Ok(from), Ok(to)) = (usize::try_from(from), usize::try_from(to)) else {
            return false;
        };
        if from < at || from >= to || to > letters.len() {
            return false;
        }
        html += &escape(&letters[at..from].iter().collect::<String>());
        html += &format!(
            "<mark>{}</mark>",
            escape(&letters[from..to].iter().collect::<String>())
        );
        at = to;
    }
    html += &escape(&letters[at..].iter().collect::<String>());
    let bare = passage.html().replace("<mark>", "").replace("</mark>", "");
    html == passage.html() && bare == escape(&passage.text) && !bare.contains('<')
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::default())]

    #[test]
    fn passages_are_well_formed(
        texts in proptest::collection::vec("([a-zA-Z<>&\"'é東京ﾃﾞか한ก _.\n*`#]{0,12}|.{0,12}|alpha |Beta|東京|<mark>|</mark>|&lt;){0,40}", 0..4),
        query in "(alpha|beta|a\\*|\"alpha beta\"|東|東京都|é|_|[a-z]{1,2}| |OR |-x|.){1,6}",
        any_word in proptest::bool::ANY,
    ) {
        let Ok(query) = ParsedQuery::parse(&query, &IndexConfig::embedded().unwrap().bounds) else { return Ok(()) };
        let highlighter = Highlighter::new(&query, any_word);
        let excerpt = highlighter.excerpt(texts.iter().map(|text| (TextField::Text, text.as_str())), &CoveredWords::default());
        proptest::prop_assert!(excerpt.passages.len() <= 3);
        for passage in &excerpt.passages {
            proptest::prop_assert!(has_valid_offsets(passage), "{:?}", passage);
        }
        let inner: Vec<String> = excerpt.passages.iter().map(super::Passage::html).collect();
        let html = excerpt.html();
        let inner = inner.join(" … ");
        proptest::prop_assert_eq!(html.trim_matches(['…', ' ']), inner.trim_matches(['…', ' ']));
        for text in &texts {
            let title = highlighter.title("Bug <é>: ", text).0;
            proptest::prop_assert!(has_valid_offsets(&title) && title.text == format!("Bug <é>: {text}"), "{:?}", title);
        }
    }

    #[test]
    fn prefilter_skips_no_marked_word(
        text in "(alpha|Beta|gamma's|HTTPServer|a_b|naïve|ÉTÉ|ﬁne|東京|ﾃﾞｰﾀ|Ёлка|нет|ΌΔΟΣ|ßa|don't|x1| |[a-zA-Zé東_.' ]{0,4}|\\PC|\n){0,60}",
        query in "(alpha|beta|a\\*|\"alpha beta\"|\"a b\"|東京|データ|naive|fine|ёлка|не|όδος|ssa|server|[a-z]{1,2}|\\PC| ){1,6}",
    ) {
        let Ok(query) = ParsedQuery::parse(&query, &IndexConfig::embedded().unwrap().bounds) else { return Ok(()) };
        let mut all = Highlighter::new(&query, false);
        let marks = all.title("", &text).0.marks();
        let every = crate::analyzer::Tokens::all(&text);
        all.prefilter = crate::analyzer::PrefixFilter::new(every.iter().map(|token| token.unstemmed.as_str()));
        proptest::prop_assert_eq!(marks, all.title("", &text).0.marks());
    }

    #[test]
    fn phrases_are_found_across_skipped_text_and_chunks(
        words in proptest::collection::vec("alpha|beta|gamma|x|a_b|naïve|東京|of|in Order|Some.Thing|\u{1E}", 1..80),
        query in "(\"alpha beta\"|\"alpha beta gamma\"|\"x alpha\"|\"beta x x gamma\"|some\\.thing|a_b|gamma| ){1,3}",
        cut in 0_usize..80,
    ) {
        let Ok(query) = ParsedQuery::parse(&query, &IndexConfig::embedded().unwrap().bounds) else { return Ok(()) };
        let mut highlighter = Highlighter::new(&query, true);
        let parts = words.split_at(cut.min(words.len()));
        let parts = [parts.0, parts.1].map(|words| words.iter().map(|word| format!("{word} ")).collect::<String>());
        let marks = marks_in(&highlighter, &[&parts[0], &parts[1]]);
        let whole = parts.concat();
        highlighter.prefilter = crate::analyzer::PrefixFilter::new(["alpha", "beta", "gamma", "x", "a", "b", "n", "東", "京", "o", "i", "s", "t"]);
        proptest::prop_assert_eq!(marks, marks_in(&highlighter, &[&whole]));
    }
}

#[test]
fn words_covered_by_the_title_are_optional() {
    let query = parse_query("alpha beta");
    let highlighter = Highlighter::new(&query, false);
    let (title, covered) = highlighter.title("", "Alpha");
    assert_eq!(title.html(), "<mark>Alpha</mark>");
    for (texts, html, complete) in [
        (vec!["say beta"], "say <mark>beta</mark>", true),
        (
            vec!["say alpha", "and beta"],
            "say <mark>alpha</mark> … and <mark>beta</mark>",
            true,
        ),
        (vec!["say gamma"], "say gamma", false),
        (vec![""], "", false),
    ] {
        let texts_of_fields = texts.iter().map(|text| (TextField::Text, *text));
        let excerpt = highlighter.excerpt(texts_of_fields, &covered);
        assert_eq!(
            (excerpt.html().as_str(), excerpt.complete),
            (html, complete),
            "{texts:?}"
        );
    }
    let (_, both) = highlighter.title("", "Beta of alpha");
    let beginning = highlighter.excerpt(
        [
            (TextField::Text, "the beginning"),
            (TextField::Notes, "alpha"),
        ],
        &both,
    );
    assert!(beginning.complete);
}
