use super::*;

fn issue_reference(id: i64) -> Target<'static> {
    Target::Issue {
        id,
        note: None,
        with_subject: false,
    }
}

fn first(text: &str) -> Option<Target<'_>> {
    find(text, 0)
        .and_then(|found| found.reference)
        .map(|reference| reference.target)
}

#[test]
fn each_notation_is_recognized() {
    for (text, target) in [
        ("see #12.", issue_reference(12)),
        (
            "##12",
            Target::Issue {
                id: 12,
                note: None,
                with_subject: true,
            },
        ),
        (
            "(#12-3)",
            Target::Issue {
                id: 12,
                note: Some(3),
                with_subject: false,
            },
        ),
        (
            "#12#note-3",
            Target::Issue {
                id: 12,
                note: Some(3),
                with_subject: false,
            },
        ),
        ("#12-x", issue_reference(12)),
        ("#note-4", Target::Note(4)),
        ("in r758,", Target::Revision("758")),
        ("commit:c6f4d0fd.", Target::Commit("c6f4d0fd")),
        ("by @jsmith.", Target::User(Key::Name("jsmith"))),
        ("by @\"John Smith\".", Target::FullName("John Smith")),
        ("user:jsmith", Target::User(Key::Name("jsmith"))),
        ("user#7", Target::User(Key::Id(7))),
        (
            "attachment:my_file-1.png",
            Target::Attachment(Key::Name("my_file-1.png")),
        ),
        (
            "attachment:\"my file.png\"",
            Target::Attachment(Key::Name("my file.png")),
        ),
        ("version:1.0.0", Target::Version(Key::Name("1.0.0"))),
        ("version#3", Target::Version(Key::Id(3))),
        (
            "document:Greetings",
            Target::Document(Key::Name("Greetings")),
        ),
        ("forum#1", Target::Forum(Key::Id(1))),
        ("message#1218", Target::Message(Key::Id(1218))),
        ("news:Greetings", Target::News(Key::Name("Greetings"))),
        ("project:demo", Target::Project(Key::Name("demo"))),
        (
            "source:some/file.rb@52#L120",
            Target::Source("some/file.rb@52#L120"),
        ),
        ("[[Some Page]]", Target::WikiPage("Some Page")),
        ("[[Page|text]]", Target::WikiPage("Page")),
    ] {
        assert_eq!(first(text), Some(target), "{text:?}");
    }
}

#[test]
fn words_and_addresses_are_no_references() {
    for text in [
        "foo#12",
        "#12abc",
        "# 12",
        "&#39;",
        "/path/#12",
        "r2d2",
        "bar12",
        "a@example.org",
        "@",
        "commit:",
        "version: 1",
        "http://example.org/#12",
        "message:name",
        "#9999999999999999999999",
        "[[]]",
        "[[a\nb]]",
        "note:this",
    ] {
        assert_eq!(find(text, 0), None, "{text:?}");
    }
}

#[test]
fn a_project_can_be_named() {
    let found = find("see sandbox:r12", 0).unwrap();
    assert_eq!(
        found.reference,
        Some(Reference {
            project: Some("sandbox"),
            target: Target::Revision("12")
        })
    );
    assert_eq!((found.label, found.range), ("sandbox:r12", 4..15));
    let found = find("[[sandbox:Start#install|how to]]", 0).unwrap();
    assert_eq!(
        found.reference,
        Some(Reference {
            project: Some("sandbox"),
            target: Target::WikiPage("Start")
        })
    );
    assert_eq!((found.label, found.fragment), ("how to", Some("install")));
    assert_eq!(first("sandbox:#12"), None);
}

#[test]
fn an_exclamation_mark_prevents_a_link_and_is_not_shown() {
    let found = find("see !#12", 0).unwrap();
    assert_eq!(
        (found.reference, found.label, found.range),
        (None, "#12", 4..8)
    );
    assert_eq!(find("Stop!", 0), None);
}

#[test]
fn references_of_a_text_are_listed_for_loading_them_together() {
    let targets: Vec<Target<'_>> = references("#1, !#2 and `#3` by @anna")
        .map(|reference| reference.target)
        .collect();
    assert_eq!(
        targets,
        [
            issue_reference(1),
            issue_reference(3),
            Target::User(Key::Name("anna"))
        ]
    );
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::default())]

    #[test]
    fn occurrences_are_in_order_and_within_the_text(text in "[#@r!\\[\\]|:a-c1-3\" .é-]{0,60}") {
        let mut from = 0;
        let mut last = 0;
        while let Some(found) = find(&text, from) {
            proptest::prop_assert!(found.range.start >= last && found.range.end > found.range.start);
            proptest::prop_assert!(text.get(found.range.clone()).is_some());
            last = found.range.end;
            from = found.range.end;
        }
    }
}
