use super::*;
use jiff::civil::date;

const ME: &[PrincipalId] = &[PrincipalId(5), PrincipalId(101)];

fn read(field: Field, text: &str) -> Result<Test, String> {
    short(field, text, &Context { me: ME, today: date(2026, 11, 20) }).map(|condition| condition.test)
}

#[test]
fn the_table_stands_in_the_order_of_the_fields() {
    for (place, row) in TABLE.iter().enumerate() {
        assert_eq!(row.0 as usize, place, "{}", row.1);
    }
}

#[test]
fn statuses_know_open_and_closed() {
    assert_eq!(read(Field::Status, "open"), Ok(Test::Open));
    assert_eq!(read(Field::Status, "closed"), Ok(Test::Closed));
    assert_eq!(read(Field::Status, "cf5"), Ok(Test::Closed));
    assert_eq!(read(Field::Status, "*"), Ok(Test::Anything));
    assert_eq!(read(Field::Status, "!1|2"), Ok(Test::NoneOf(vec![1, 2])));
    assert_eq!(read(Field::Status, "3"), Ok(Test::OneOf(vec![3])));
}

#[test]
fn me_is_the_asker_and_for_assignees_the_groups_too() {
    assert_eq!(read(Field::Assignee, "me"), Ok(Test::OneOf(vec![5, 101])));
    assert_eq!(read(Field::Author, "me|7"), Ok(Test::OneOf(vec![5, 7])));
    assert_eq!(read(Field::Assignee, "!*"), Ok(Test::Missing));
    assert_eq!(read(Field::Author, "!*"), Ok(Test::NoneOf(vec![0])));
}

#[test]
fn plain_text_means_contains() {
    assert_eq!(read(Field::Subject, "two words"), Ok(Test::Contains(vec!["two words".to_owned()])));
    assert_eq!(read(Field::Subject, "~two words"), Ok(Test::Contains(vec!["two".to_owned(), "words".to_owned()])));
    assert_eq!(read(Field::Subject, "=two words"), Ok(Test::Is("two words".to_owned())));
    assert_eq!(read(Field::Subject, "~"), Err("Subject cannot be blank".to_owned()));
}

#[test]
fn wrong_dates_are_named_by_their_label() {
    assert_eq!(read(Field::CreatedOn, ">=2024-02-30"), Err("Created is invalid".to_owned()));
    assert_eq!(read(Field::DueDate, ">="), Err("Due date cannot be blank".to_owned()));
    assert_eq!(read(Field::CreatedOn, "><2024-01-01,2024-02-01"), Err("Created is invalid".to_owned()));
    assert!(matches!(read(Field::CreatedOn, "t"), Ok(Test::When(_))));
}
