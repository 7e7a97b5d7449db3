use super::{ALL, AnalyzedToken, PART, PrefixFilter, SEGMENT, SUBPART, Tokens, WHOLE};
use tantivy::tokenizer::{TokenStream, Tokenizer};

fn terms(text: &str) -> Vec<String> {
    Tokens::all(text)
        .into_iter()
        .map(|token| format!("{}@{}", token.term, token.position))
        .collect()
}

#[test]
fn text_becomes_terms() {
    for (text, wanted) in [
        ("Running dogs", "run@0 dog@1"),
        ("issue_query.rb", "issuequeryrb@0 issu@0 queri@1 rb@2"),
        ("actionBar", "actionbar@0 action@0 bar@1"),
        ("HTTPServer", "httpserver@0 http@0 server@1"),
        (
            "net.createHTTPClient",
            "netcreatehttpclient@0 net@0 createhttpcli@1 creat@1 http@2 client@3",
        ),
        ("app/models/issue.rb", "app@0 model@1 issuerb@2 issu@2 rb@3"),
        ("v3.2.1", "v3.2.1@0 v3@0 v@0 3@1 2@2 1@3"),
        ("user's don't", "user@0 dont@1"),
        ("Café Straße NAÏVE", "cafe@0 strass@1 naiv@2"),
        ("end. Next... x", "end@0 next@1 x@2"),
        ("東京都", "東@0 東京@0 京@1 京都@1 都@2"),
        ("ﾃﾞｰﾀ", "デ@0 デー@0 ー@1 ータ@1 タ@2"),
        ("は", "は@0"),
        ("rust東京x", "rust@0 東@1 東京@1 京@2 x@3"),
        ("a\u{1E}b", "a@0 b@17"),
        ("… — !? _", ""),
        ("ΌΔΟΣ ёлка", "οδοσ@0 елка@1"),
        ("हिन्दी", "हिन्दी@0"),
        ("C++ code", "c++@0 c@0 code@1"),
        ("C#, F# and .NET.", "c#@0 c@0 f#@1 f@1 and@2 .net@3 net@3"),
        ("(Objective-C++)/.Net", "object@0 c++@1 c@1 .net@2 net@2"),
        (
            "使用C++和.NET开发",
            "使@0 使用@0 用@1 c++@2 c@2 和@3 .net@4 net@4 开@5 开发@5 发@6",
        ),
        ("node.js", "nodejs@0 node@0 js@1"),
        ("nodejs NodeJS", "nodej@0 nodej@1 node@1 js@2"),
    ] {
        assert_eq!(terms(text).join(" "), wanted, "{text}");
    }
}

#[test]
fn punctuation_of_sentences_versions_and_code_is_no_part_of_words() {
    for (text, wanted) in [
        ("in C.", "in@0 c@1"),
        ("i++ ++i", "i@0 i@1"),
        ("really?++", "realli@0"),
        ("1.2.3+build", "1.2.3@0 1@0 2@1 3@2 build@3"),
        ("#123", "123@0"),
        ("C#12 c+++ ++c++ c+", "c@0 12@1 c@2 c@3 c@4"),
        (
            "example.net a().net ...net .network",
            "examplenet@0 exampl@0 net@1 a@2 net@3 net@4 network@5",
        ),
        ("g++ a#", "g@0 a@1"),
    ] {
        assert_eq!(terms(text).join(" "), wanted, "{text}");
    }
}

#[test]
fn letters_and_digits_are_different_parts() {
    for (text, wanted) in [
        ("iOS7: Window", "ios7@0 io@0 os@0 7@1 window@2"),
        ("KB5034441", "kb5034441@0 kb@0 5034441@1"),
        (
            "tableView2x",
            "tableview2x@0 tableview@0 tabl@0 view@1 2@2 x@3",
        ),
        ("x86_64", "x86_64@0 x86@0 x@0 86@1 64@2"),
        (
            "log4j.properties",
            "log4jproperties@0 log4j@0 log@0 4@1 j@2 properti@3",
        ),
        ("3.5mm 1.23", "3.5mm@0 3@0 5mm@1 5@1 mm@2 1.23@3 1@3 23@4"),
        ("C++11 C++17a", "c++@0 c@0 11@1 c++@2 c@2 17a@3 17@3 a@4"),
        // Hashes and hexadecimal numbers.
        (
            "3f2a9bc1 0x7fff 0X1F.2",
            "3f2a9bc1@0 0x7fff@1 0x1f.2@2 0x1f@2 2@3",
        ),
        ("0xylophone", "0xylophone@0 0@0 xylophon@1"),
        ("x²", "x@0 2@1"),
    ] {
        assert_eq!(terms(text).join(" "), wanted, "{text}");
    }
}

#[test]
fn single_letter_is_no_part() {
    for (text, wanted) in [
        (
            "iOS iPhone OAuth2",
            "io@0 os@0 iphon@1 phone@1 oauth2@2 oauth@2 auth@2 2@3",
        ),
        ("mContextMenu", "mcontextmenu@0 mcontext@0 context@0 menu@1"),
        ("aB xB.yC", "ab@0 b@0 xbyc@1 xb@1 b@1 yc@2 c@2"),
    ] {
        assert_eq!(terms(text).join(" "), wanted, "{text}");
    }
}

#[test]
fn hyphenated_words_with_a_short_half_are_joined() {
    for (text, wanted) in [
        ("e-mail", "email@0 e@0 mail@1"),
        (
            "an E-Mail, Wi-Fi.",
            "an@0 email@1 e@1 mail@2 wifi@3 wi@3 fi@4",
        ),
        ("'re‑open'…", "reopen@0 re@0 open@1"),
        ("SET-UP", "setup@0 set@0 up@1"),
        ("table-view", "tabl@0 view@1"),
        ("x-1 re-Open2", "x@0 1@1 re@2 open2@3 open@3 2@4"),
        ("--re-open a-b-c", "re@0 open@1 a@2 b@3 c@4"),
        (
            "e-mail.net x.e-mail",
            "e@0 mailnet@1 mail@1 net@2 xe@3 x@3 e@4 mail@5",
        ),
    ] {
        assert_eq!(terms(text).join(" "), wanted, "{text}");
    }
    let levels: Vec<u8> = Tokens::all("e-mail it")
        .iter()
        .map(|token| token.levels)
        .collect();
    let half = SUBPART | SEGMENT | PART;
    assert_eq!(levels, [WHOLE, half, half, ALL]);
}

#[test]
fn emoji_are_words_without_skin_tone_and_variation() {
    for (text, wanted) in [
        ("🎉 done🎉🎉", "🎉@0 done@1 🎉@2 🎉@3"),
        ("👍🏽 ❤️ ✓", "👍@0 ❤@1 ✓@2"),
        ("🇩🇪 → ─ ™", "🇩🇪@0"),
    ] {
        assert_eq!(terms(text).join(" "), wanted, "{text}");
    }
}

#[test]
fn exact_words_are_indexed_with_their_stems() {
    let mut tokenizer = crate::analyzer::WordTokenizer;
    let mut stream = tokenizer.token_stream("Running dog");
    let mut found = Vec::new();
    while stream.advance() {
        found.push((stream.token().text.clone(), stream.token().position));
    }
    assert_eq!(
        found,
        [
            ("run".to_owned(), 0),
            ("\u{1}running".to_owned(), 0),
            ("dog".to_owned(), 1)
        ]
    );
}

#[test]
fn words_with_another_prefix_than_their_stem_match() {
    for word in [
        "dying", "lying", "tying", "skies", "ski", "fly", "using", "use", "by", "dry", "a", "I",
    ] {
        let all = Tokens::all(word);
        assert_eq!(
            tokens_for_term(word, &all[0].term, usize::MAX),
            all,
            "{word}"
        );
        let far = tokens_for_term(&format!("some other words... {word}"), &all[0].term, 0);
        assert_eq!(
            far.last().map(|token| token.term.as_str()),
            Some(all[0].term.as_str()),
            "{word}"
        );
    }
}

#[test]
fn long_words_are_truncated_consistently() {
    let long = "x".repeat(10_000);
    assert_eq!(Tokens::all(&long), [Tokens::all(&long)[0].clone()]);
    assert_eq!(Tokens::all(&long)[0].term.len(), super::MAX_TOKEN_BYTES);
}

/// Returns the tokens of a text that pass the prefilter of this term, with positions that are exact
/// below `exact_below`.
fn tokens_for_term(text: &str, term: &str, exact_below: usize) -> Vec<AnalyzedToken> {
    let prefilter = PrefixFilter::new([term]);
    let mut tokens = Tokens::with_prefilter(text, &prefilter);
    tokens.count(exact_below);
    let mut found = Vec::new();
    while let Some(token) = tokens.advance() {
        found.push(AnalyzedToken {
            position: token.position.min(exact_below),
            ..token.clone()
        });
    }
    found
}

fn with_term<'t>(tokens: &'t [AnalyzedToken], term: &str) -> Vec<&'t AnalyzedToken> {
    tokens.iter().filter(|token| token.term == term).collect()
}

fn with_prefix<'t>(tokens: &'t [AnalyzedToken], prefix: &str) -> Vec<&'t AnalyzedToken> {
    let matching = tokens
        .iter()
        .filter(|token| token.unstemmed.starts_with(prefix));
    matching.collect()
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::default())]

    #[test]
    fn prefiltered_tokens_include_every_occurrence_of_the_term(
        text in "(((dy|ly|ty|sk|[A-Z]|[a-z0-9])[a-z]{0,5}(ing|ies|ied|ed|y|s|)|東京|C\\+\\+|c#|\\.NET|[ -~]|[0-9a-cA-C]{1,5}|🎉)([ ._é'’-]{1,3}|)){1,16}",
        exact_below in 0_usize..24,
    ) {
        let mut all = Tokens::all(&text);
        all.iter_mut().for_each(|token| token.position = token.position.min(exact_below));
        for wanted in &all {
            let found = tokens_for_term(&text, &wanted.term, exact_below);
            proptest::prop_assert_eq!(with_term(&found, &wanted.term), with_term(&all, &wanted.term));
            let prefix: String = wanted.unstemmed.chars().take(2).collect();
            let found = tokens_for_term(&text, &prefix, exact_below);
            proptest::prop_assert_eq!(with_prefix(&found, &prefix), with_prefix(&all, &prefix));
        }
    }

    #[test]
    fn next_candidate_is_the_first_possible_match(text in "[ -~é\n]{0,90}", terms in "([a-z0-9]{1,6} ){1,4}", from in 0_usize..90) {
        let prefilter = PrefixFilter::new(terms.split_whitespace());
        let bytes = text.as_bytes();
        let from = from.min(bytes.len());
        let place = prefilter.next_candidate(bytes, from);
        let expected = (from..bytes.len()).find(|at| {
            let starts_part = *at == 0
                || !bytes[at - 1].is_ascii_alphanumeric()
                || bytes[*at].is_ascii_uppercase()
                || bytes[at - 1].is_ascii_digit() != bytes[*at].is_ascii_digit();
            !bytes[*at].is_ascii() || (bytes[*at].is_ascii_alphanumeric() && starts_part && prefilter.may_match_part(&bytes[*at..]))
        });
        proptest::prop_assert_eq!(place, expected.unwrap_or(bytes.len()));
    }

    #[test]
    fn offsets_are_boundaries_and_positions_never_fall(text in "(.|[a-zA-Z_.'’\u{1E}東ﾃﾞか한글éß๑ก]|\\PC){0,60}") {
        let mut position = 0;
        let mut subparts = None;
        for token in Tokens::all(&text) {
            proptest::prop_assert!(text.is_char_boundary(token.from) && text.is_char_boundary(token.to) && token.from < token.to);
            proptest::prop_assert!(token.position >= position);
            proptest::prop_assert!(!token.term.is_empty() && token.term.len() <= super::MAX_TOKEN_BYTES);
            position = token.position;
            if token.levels & SUBPART != 0 {
                proptest::prop_assert!(subparts.is_none_or(|before| before < token.position));
                subparts = Some(token.position);
            }
        }
    }
}
