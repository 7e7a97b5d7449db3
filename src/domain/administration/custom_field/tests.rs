use super::*;

fn field(format: &str) -> CustomField {
    CustomField {
        id: CustomFieldId(1),
        possible_values: vec!["Linux".to_owned(), "Mac".to_owned()],
        enumeration: vec![(4, "four".to_owned(), true), (5, "five".to_owned(), false)],
        ..CustomField::new(
            Customized::Issue,
            "Build",
            format.parse().unwrap_or(Format::Other),
        )
    }
}

fn error_in(field: &CustomField, value: &str) -> Option<String> {
    field.validate(&[value.to_owned()], |id| id == 7)
}

#[test]
fn values_must_fit_their_format() {
    let cases = [
        ("int", "+12", "1.5", "is not a number"),
        ("float", "-1.5", "x", "is invalid"),
        ("date", "2024-02-29", "2024-02-30", "is not a valid date"),
        ("list", "Linux", "BeOS", "is not included in the list"),
        ("enumeration", "4", "5", "is not included in the list"),
        ("user", "7", "8", "is not included in the list"),
    ];
    for (format, valid, invalid, message) in cases {
        assert_eq!(error_in(&field(format), valid), None, "{format}");
        assert_eq!(
            error_in(&field(format), invalid).as_deref(),
            Some(message),
            "{format}"
        );
    }
}

#[test]
fn texts_must_fit_length_limits_and_pattern() {
    let field = CustomField {
        pattern: compile("^[a-z]+$"),
        min_length: Some(2),
        max_length: Some(3),
        required: true,
        ..field("string")
    };
    assert_eq!(error_in(&field, "abc"), None);
    assert_eq!(error_in(&field, "A").as_deref(), Some("is invalid"));
    assert_eq!(
        error_in(&field, "a").as_deref(),
        Some("is too short (minimum is 2 characters)")
    );
    assert_eq!(
        error_in(&field, "abcd").as_deref(),
        Some("is too long (maximum is 3 characters)")
    );
    assert_eq!(error_in(&field, " ").as_deref(), Some("cannot be blank"));
}

#[test]
fn empty_value_is_stored_only_if_there_was_one() {
    let field = field("string");
    let mut values = Values::default();
    values.apply(
        &[&field],
        &vec![
            (field.id, vec![String::new()]),
            (CustomFieldId(99), vec!["x".to_owned()]),
        ],
    );
    assert_eq!(values, Values::default());
    values.apply(
        &[&field],
        &vec![(field.id, vec!["one".to_owned(), "two".to_owned()])],
    );
    assert_eq!(values.get(field.id), Some(&["one".to_owned()][..]));
    values.apply(&[&field], &vec![(field.id, Vec::new())]);
    assert_eq!(values.get(field.id), Some(&[String::new()][..]));
}

#[test]
fn each_added_and_removed_value_is_one_change() {
    let field = CustomField {
        multiple: true,
        ..field("list")
    };
    let mut before = Values::default();
    let mut after = Values::default();
    before.set(field.id, vec!["Linux".to_owned(), "Windows".to_owned()]);
    after.set(field.id, vec!["Linux".to_owned(), "Mac".to_owned()]);
    let changes = changes(&[&field], &before, &after);
    assert_eq!(
        changes,
        [
            (field.id, Some("Windows".to_owned()), None),
            (field.id, None, Some("Mac".to_owned()))
        ]
    );
}
