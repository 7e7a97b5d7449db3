use super::*;
use crate::query::issues::{Field, type_and_label};
use jiff::civil::{Weekday, date};
use jiff::tz::TimeZone;

fn context() -> Context {
    Context {
        me: vec![PrincipalId(5), PrincipalId(101)],
        mine: [7].into(),
        bookmarks: vec![8, 9],
        calendar: Calendar {
            today: date(2026, 11, 20),
            first_weekday: Weekday::Monday,
            zone: TimeZone::UTC,
        },
    }
}

fn parse_for(field: Field, text: &str) -> Result<Predicate, String> {
    let (kind, label) = type_and_label(field);
    parse_short(kind, label, text, &context())
}

#[test]
fn status_filter_accepts_open_and_closed() {
    assert_eq!(parse_for(Field::Status, "open"), Ok(Predicate::Open));
    assert_eq!(parse_for(Field::Status, "closed"), Ok(Predicate::Closed));
    assert_eq!(parse_for(Field::Status, "cf5"), Ok(Predicate::Closed));
    assert_eq!(parse_for(Field::Status, "*"), Ok(Predicate::Any));
    assert_eq!(
        parse_for(Field::Status, "!1|2"),
        Ok(Predicate::NoneOf(vec![1, 2]))
    );
    assert_eq!(parse_for(Field::Status, "3"), Ok(Predicate::OneOf(vec![3])));
}

#[test]
fn me_means_the_viewer_and_for_assignees_also_their_groups() {
    assert_eq!(
        parse_for(Field::Assignee, "me"),
        Ok(Predicate::OneOf(vec![5, 101]))
    );
    assert_eq!(
        parse_for(Field::Author, "me|7"),
        Ok(Predicate::OneOf(vec![5, 7]))
    );
    assert_eq!(parse_for(Field::Assignee, "!*"), Ok(Predicate::Empty));
    assert_eq!(
        parse_for(Field::Author, "!*"),
        Ok(Predicate::NoneOf(vec![0]))
    );
}

#[test]
fn plain_text_means_contains() {
    assert_eq!(
        parse_for(Field::Subject, "two words"),
        Ok(Predicate::Contains(vec!["two words".to_owned()]))
    );
    assert_eq!(
        parse_for(Field::Subject, "~two words"),
        Ok(Predicate::Contains(vec![
            "two".to_owned(),
            "words".to_owned()
        ]))
    );
    assert_eq!(
        parse_for(Field::Subject, "=two words"),
        Ok(Predicate::Equals("two words".to_owned()))
    );
    assert_eq!(
        parse_for(Field::Subject, "~"),
        Err("Subject cannot be blank".to_owned())
    );
}

#[test]
fn each_field_has_its_own_operators() {
    assert_eq!(
        parse_for(Field::Tracker, "*"),
        ids(&[0]),
        "an operator of other fields is part of the value"
    );
    assert_eq!(
        parse_for(Field::Parent, "~1,2|3"),
        Ok(Predicate::InTree(vec![1, 2, 3]))
    );
    assert_eq!(
        parse_for(Field::Parent, "!1"),
        Err("Parent task is invalid".to_owned())
    );
    assert_eq!(parse_for(Field::Id, "1,2"), ids(&[1, 2]));
    assert_eq!(
        parse_for(Field::EstimatedHours, "1:30"),
        Ok(Predicate::Number(Range {
            from: Some(1.5),
            to: Some(1.5)
        }))
    );
    assert_eq!(
        parse_for(Field::DoneRatio, "1:30"),
        Err("% Done is invalid".to_owned())
    );
    assert_eq!(
        parse_for(Field::Attachment, "a.log"),
        Ok(Predicate::Equals("a.log".to_owned()))
    );
    assert_eq!(
        parse_for(Field::AnySearchable, "two words"),
        Ok(Predicate::Contains(vec![
            "two".to_owned(),
            "words".to_owned()
        ]))
    );
    assert_eq!(
        parse_for(Field::VersionStatus, "!open|locked"),
        Ok(Predicate::NotInTexts(vec![
            "open".to_owned(),
            "locked".to_owned()
        ]))
    );
}

fn ids(ids: &[i64]) -> Result<Predicate, String> {
    Ok(Predicate::OneOf(ids.to_vec()))
}

#[test]
fn relation_filter_accepts_issues_and_projects() {
    assert_eq!(parse_relation("3|x"), Ok(Predicate::OneOf(vec![3, 0])));
    assert_eq!(parse_relation("!3"), Ok(Predicate::NoneOf(vec![3])));
    assert_eq!(
        parse_relation("=p3"),
        Ok(Predicate::RelatedInProjects(vec![3]))
    );
    assert_eq!(
        parse_relation("=!pmine"),
        Ok(Predicate::RelatedOutsideProjects(vec![7]))
    );
    assert_eq!(
        parse_relation("!pbookmarks"),
        Ok(Predicate::UnrelatedToProjects(vec![8, 9]))
    );
    assert_eq!(
        (parse_relation("*o"), parse_relation("!o")),
        (Ok(Predicate::RelatedToOpen), Ok(Predicate::UnrelatedToOpen))
    );
    assert_eq!(
        (parse_relation("*"), parse_relation("!*")),
        (Ok(Predicate::NotEmpty), Ok(Predicate::Empty))
    );
}

fn parse_relation(text: &str) -> Result<Predicate, String> {
    parse_for(
        Field::Related(crate::issues::relation::RelationType::Blocks),
        text,
    )
}

#[test]
fn status_history_operators_exist_in_the_long_form_only() {
    let long = |operator| parse(FilterType::Status, "Status", operator, &["2"], &context());
    assert_eq!(
        (long("ev"), long("!ev"), long("cf")),
        (
            Ok(Predicate::HasBeen(vec![2])),
            Ok(Predicate::NeverBeen(vec![2])),
            Ok(Predicate::ChangedFrom(vec![2]))
        )
    );
    assert_eq!(parse_for(Field::Status, "cf2"), Ok(Predicate::Closed));
    assert_eq!(
        parse(
            FilterType::VersionStatus,
            "Status",
            "ev",
            &["2"],
            &context()
        ),
        Err("Status is invalid".to_owned())
    );
}

#[test]
fn errors_in_dates_name_the_label() {
    assert_eq!(
        parse_for(Field::CreatedOn, ">=2024-02-30"),
        Err("Created is invalid".to_owned())
    );
    assert_eq!(
        parse_for(Field::DueDate, ">="),
        Err("Due date cannot be blank".to_owned())
    );
    assert_eq!(
        parse_for(Field::CreatedOn, "><2024-01-01,2024-02-01"),
        Err("Created is invalid".to_owned())
    );
    assert!(matches!(
        parse_for(Field::CreatedOn, "t"),
        Ok(Predicate::Time(_))
    ));
}

#[test]
fn words_begin_with_the_operator_that_dates_take() {
    for (word, operator) in [
        ("today", "t"),
        ("this_week", "t"),
        ("tomorrow", "t"),
        ("week", "w"),
        ("month", "m"),
        ("year", "y"),
        ("ld_", "ld"),
        ("lweek", "lw"),
        ("l2weeks", "l2w"),
        ("lmonth", "lm"),
        ("nweek", "nw"),
        ("t|2024-01-01", "t"),
    ] {
        let expected = parse_for(Field::DueDate, operator);
        assert!(matches!(expected, Ok(Predicate::Time(_))), "{operator}");
        assert_eq!(parse_for(Field::DueDate, word), expected, "{word}");
        assert_eq!(
            split_short(FilterType::Date, word),
            (operator, vec![""]),
            "{word}"
        );
    }
    assert_eq!(
        parse_for(Field::UpdatedOn, "t+3"),
        parse_for(Field::UpdatedOn, "t"),
        "times are never in the future"
    );
    assert_eq!(parse_for(Field::DueDate, "*any"), Ok(Predicate::NotEmpty));
    assert_eq!(parse_for(Field::DueDate, "!*none"), Ok(Predicate::Empty));
    for text in ["last_week", "next_month", "day", "Today", "t-x", "!today"] {
        assert_eq!(
            parse_for(Field::DueDate, text),
            Err("Due date is invalid".to_owned()),
            "{text}"
        );
    }
}

#[test]
fn only_the_first_value_must_not_be_blank() {
    let blank = |field: Field, label: &str| {
        (
            parse_for(field, "|5"),
            Err::<Predicate, String>(format!("{label} cannot be blank")),
        )
    };
    for (field, label) in [
        (Field::Priority, "Priority"),
        (Field::Assignee, "Assignee"),
        (Field::Status, "Status"),
        (Field::DoneRatio, "% Done"),
    ] {
        let (found, expected) = blank(field, label);
        assert_eq!(found, expected);
        assert_eq!(parse_for(field, "=|5"), expected);
    }
    assert_eq!(
        parse_for(Field::Priority, "!|5"),
        Err("Priority cannot be blank".to_owned())
    );
    assert_eq!(
        parse_for(Field::CreatedOn, "><|2024-01-01"),
        Err("Created cannot be blank".to_owned())
    );
    assert_eq!(
        parse_for(Field::Priority, "5|"),
        Ok(Predicate::OneOf(vec![5, 0]))
    );
    assert_eq!(
        parse_for(Field::Description, "~ "),
        Err("Description cannot be blank".to_owned())
    );
}

#[test]
fn integers_have_no_fraction_and_trees_take_what_is_a_number() {
    for text in ["2.5", "=2.5", ">=2.5", "><1|2.5", "x"] {
        assert_eq!(
            parse_for(Field::DoneRatio, text),
            Err("% Done is invalid".to_owned()),
            "{text}"
        );
    }
    assert_eq!(
        parse_for(Field::DoneRatio, "20,40"),
        Ok(Predicate::OneOf(vec![20, 40]))
    );
    assert_eq!(
        parse_for(Field::DoneRatio, ">=20"),
        Ok(Predicate::Number(Range {
            from: Some(20.0),
            to: None
        }))
    );
    assert_eq!(
        parse_for(Field::EstimatedHours, "2.5"),
        Ok(Predicate::Number(Range {
            from: Some(2.5),
            to: Some(2.5)
        }))
    );
    assert_eq!(
        parse_for(Field::Parent, "~1.5"),
        Ok(Predicate::InTree(vec![1]))
    );
    assert_eq!(
        parse_for(Field::Child, "~x"),
        Ok(Predicate::InTree(vec![0]))
    );
    assert_eq!(
        parse_for(Field::Parent, "1.5"),
        Err("Parent task is invalid".to_owned())
    );
}
