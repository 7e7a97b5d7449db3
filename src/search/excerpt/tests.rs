use super::excerpt;
use crate::search::{Mapping, Query};

fn of(question: &str, texts: &[&str]) -> String {
    let bounds = Mapping::embedded().unwrap().bounds;
    excerpt(&Query::parse(question, &bounds).unwrap(), texts.iter().map(|text| (*text).into()))
}

#[test]
fn what_matched_is_marked() {
    for (question, text, html) in [
        ("search", "Searching is fun", "<mark>Searching</mark> is fun"),
        ("query", "see issue_query.rb", "see issue_<mark>query</mark>.rb"),
        ("issue_query.rb", "see issue_query.rb here", "see <mark>issue_query.rb</mark> here"),
        ("\"quick fox\"", "quick dog, quick fox", "quick dog, <mark>quick fox</mark>"),
        ("conf*", "the configuration", "the <mark>configuration</mark>"),
        ("東京", "私は東京都に", "私は<mark>東京</mark>都に"),
        ("actionbar", "an actionBar <b>", "an <mark>actionBar</mark> &lt;b&gt;"),
        ("cafe", "Le Café &", "Le <mark>Café</mark> &amp;"),
        ("nothing", "the\n\n  beginning", "the beginning"),
    ] {
        assert_eq!(of(question, &[text]), html, "{question}");
    }
}

#[test]
fn far_words_come_in_fragments() {
    let filler = "lorem ipsum dolor sit amet ".repeat(40);
    let text = format!("{filler}alpha {filler}beta {filler}gamma {filler}");
    let html = of("alpha beta gamma", &[&text]);
    assert_eq!(html.matches("<mark>").count(), 3, "{html}");
    assert_eq!(html.matches('…').count(), 4, "{html}");
    assert!(html.chars().count() < 450, "{} {html}", html.chars().count());
}

#[test]
fn one_window_is_enough_when_it_shows_all() {
    let filler = "lorem ipsum dolor sit amet ".repeat(40);
    let html = of("alpha beta", &[&format!("alpha {filler} alpha and beta {filler} beta")]);
    assert!(html.contains("<mark>alpha</mark> and <mark>beta</mark>"), "{html}");
    assert_eq!(html.matches('…').count(), 2, "{html}");
}

#[test]
fn later_texts_are_read_too() {
    assert_eq!(of("beta", &["alpha", "beta"]), "… <mark>beta</mark>".replace("… ", ""));
    assert_eq!(of("alpha beta", &["alpha", "beta"]), "<mark>alpha</mark> … <mark>beta</mark>");
    assert_eq!(of("x", &["", "  "]), "");
}

fn plain(html: &str) -> Option<String> {
    let bare = html.replace("<mark>", "").replace("</mark>", "");
    if bare.contains(['<', '>', '"', '\'']) {
        return None;
    }
    let text = bare.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&");
    Some(text.chars().filter(|letter| !letter.is_whitespace() && !letter.is_control() && *letter != '…').collect())
}

proptest::proptest! {
    #[test]
    fn always_safe_and_only_what_stands_there(
        texts in proptest::collection::vec("([a-zA-Z<>&\"'é東京 _.\n]{0,12}|.{0,12}|alpha |beta ){0,30}", 0..4),
        question in "(alpha|beta|a\\*|\"alpha beta\"|東|é|_|[a-z]{1,2}| ){1,6}",
    ) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let html = of(&question, &texts);
        let shown = plain(&html);
        proptest::prop_assert!(shown.is_some(), "{}", html);
        let mut source = texts.iter().flat_map(|text| text.chars());
        for letter in shown.unwrap_or_default().chars() {
            proptest::prop_assert!(source.any(|other| other == letter), "{} of {:?}", letter, html);
        }
    }
}

#[test]
fn words_far_into_a_text_and_across_its_parts_are_found() {
    for before in (1_500..2_600).step_by(7) {
        let text = format!("{} red balloon {}", "x ".repeat(before / 2), "y ".repeat(3_000));
        let html = of("\"red balloon\"", &[&text]);
        assert!(html.contains("<mark>red balloon</mark>"), "{before}: {html}");
    }
    let late = format!("{} needle", "straw ".repeat(20_000));
    assert!(of("needle", &[&late]).contains("<mark>needle</mark>"));
    assert!(of("needle", &[&"s".repeat(50_000), "a needle"]).contains("<mark>needle</mark>"));
}
