use super::*;

fn parse(text: &str) -> Result<String, String> {
    let catalogue = Catalogue::default();
    let viewer = Viewer::new(&catalogue, None);
    let context = QueryContext {
        viewer: &viewer,
        catalogue: &catalogue,
        calendar: Calendar {
            today: jiff::civil::date(2026, 3, 4),
            first_weekday: jiff::civil::Weekday::Monday,
            zone: jiff::tz::TimeZone::UTC,
        },
        project: None,
    };
    let query = context.parse(text)?;
    let filters = query.filters.iter();
    let filters = filters.map(|filter| {
        format!(
            "{} {} {}",
            filter.name,
            filter.operator,
            filter.values.join("|")
        )
    });
    Ok(filters.collect::<Vec<_>>().join("; "))
}

#[test]
fn words_and_qualifiers_become_filters() {
    let cases = [
        (
            "is:open printer jams",
            "status_id o ; any_searchable ~ printer jams",
        ),
        ("-is:open", "status_id c "),
        ("printer OR scanner", "any_searchable *~ printer scanner"),
        ("-printer", "any_searchable !~ printer"),
        ("in:title pump", "subject ~ pump"),
        ("#12", "issue_id = 12"),
        (
            "assignee:none has:attachment",
            "assigned_to_id !* ; attachment * ",
        ),
        ("created:2024-02", "created_on >< 2024-02-01|2024-02-29"),
        ("updated:>2024-12-31", "updated_on >= 2025-01-01"),
        (
            "created:2024..2025-01-02",
            "created_on >< 2024-01-01|2025-01-02",
        ),
        ("created:..2024", "created_on <= 2024-12-31"),
        ("due:<today", "due_date <= 2026-03-03"),
        ("closed:last-week", "closed_on >< 2026-02-23|2026-03-01"),
        ("start:none", "start_date !* "),
        ("type:issue http://a.b", "any_searchable ~ http://a.b"),
        ("", ""),
    ];
    for (text, expected) in cases {
        assert_eq!(parse(text).as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn what_a_list_cannot_filter_by_is_said() {
    let cases = [
        ("type:wiki", "This list has issues only"),
        ("\"two words\"", "not phrases"),
        ("a -b", "cannot be combined"),
        ("-a -b", "one word only"),
        ("a OR b c", "OR must stand"),
        ("is:open is:closed", "same field"),
        ("assignee:me", "Log in"),
        ("author:nobody-at-all", "Nobody whom you can see"),
        ("project:secret", "no project"),
        ("created:soon", "created: expects a day"),
        ("-created:2024", "cannot be used in a list"),
        ("asignee:me", "did you mean assignee:?"),
        ("status:Nowhere", "status:"),
    ];
    for (text, expected) in cases {
        let message = parse(text).unwrap_err();
        assert!(message.contains(expected), "{text}: {message}");
    }
    assert!(parse(&"a".repeat(2000)).is_err());
    assert!(parse(&"a ".repeat(200)).is_err());
}
