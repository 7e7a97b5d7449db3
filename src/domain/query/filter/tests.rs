use super::*;
use crate::domain::query::issues::{Field, type_and_label};
use jiff::civil::date;

fn context() -> Context {
    Context { me: vec![PrincipalId(5), PrincipalId(101)], mine: [7].into(), bookmarks: vec![8, 9], today: date(2026, 11, 20) }
}

fn read(field: Field, text: &str) -> Result<Predicate, String> {
    let (kind, label) = type_and_label(field);
    parse_short(kind, label, text, &context())
}

#[test]
fn statuses_know_open_and_closed() {
    assert_eq!(read(Field::Status, "open"), Ok(Predicate::Open));
    assert_eq!(read(Field::Status, "closed"), Ok(Predicate::Closed));
    assert_eq!(read(Field::Status, "cf5"), Ok(Predicate::Closed));
    assert_eq!(read(Field::Status, "*"), Ok(Predicate::Any));
    assert_eq!(read(Field::Status, "!1|2"), Ok(Predicate::NoneOf(vec![1, 2])));
    assert_eq!(read(Field::Status, "3"), Ok(Predicate::OneOf(vec![3])));
}

#[test]
fn me_is_the_asker_and_for_assignees_the_groups_too() {
    assert_eq!(read(Field::Assignee, "me"), Ok(Predicate::OneOf(vec![5, 101])));
    assert_eq!(read(Field::Author, "me|7"), Ok(Predicate::OneOf(vec![5, 7])));
    assert_eq!(read(Field::Assignee, "!*"), Ok(Predicate::Empty));
    assert_eq!(read(Field::Author, "!*"), Ok(Predicate::NoneOf(vec![0])));
}

#[test]
fn plain_text_means_contains() {
    assert_eq!(read(Field::Subject, "two words"), Ok(Predicate::Contains(vec!["two words".to_owned()])));
    assert_eq!(read(Field::Subject, "~two words"), Ok(Predicate::Contains(vec!["two".to_owned(), "words".to_owned()])));
    assert_eq!(read(Field::Subject, "=two words"), Ok(Predicate::Equals("two words".to_owned())));
    assert_eq!(read(Field::Subject, "~"), Err("Subject cannot be blank".to_owned()));
}

#[test]
fn operators_are_those_of_the_field() {
    let ids = |ids: &[i64]| Ok(Predicate::OneOf(ids.to_vec()));
    assert_eq!(read(Field::Tracker, "*"), ids(&[0]), "what is no operator is a value");
    assert_eq!(read(Field::Parent, "~1,2|3"), Ok(Predicate::InTree(vec![1, 2, 3])));
    assert_eq!(read(Field::Parent, "!1"), Err("Parent task is invalid".to_owned()));
    assert_eq!(read(Field::Id, "1,2"), ids(&[1, 2]));
    assert_eq!(read(Field::EstimatedHours, "1:30"), Ok(Predicate::Number(Range { from: Some(1.5), to: Some(1.5) })));
    assert_eq!(read(Field::DoneRatio, "1:30"), Err("% Done is invalid".to_owned()));
    assert_eq!(read(Field::Attachment, "a.log"), Ok(Predicate::Equals("a.log".to_owned())));
    assert_eq!(read(Field::AnySearchable, "two words"), Ok(Predicate::Contains(vec!["two".to_owned(), "words".to_owned()])));
    assert_eq!(read(Field::VersionStatus, "!open|locked"), Ok(Predicate::NotInTexts(vec!["open".to_owned(), "locked".to_owned()])));
}

#[test]
fn relations_lead_to_issues_and_to_projects() {
    let read = |text| read(Field::Related(crate::domain::relation::RelationType::Blocks), text);
    assert_eq!(read("3|x"), Ok(Predicate::OneOf(vec![3, 0])));
    assert_eq!(read("!3"), Ok(Predicate::NoneOf(vec![3])));
    assert_eq!(read("=p3"), Ok(Predicate::RelatedInProjects(vec![3])));
    assert_eq!(read("=!pmine"), Ok(Predicate::RelatedOutsideProjects(vec![7])));
    assert_eq!(read("!pbookmarks"), Ok(Predicate::UnrelatedToProjects(vec![8, 9])));
    assert_eq!((read("*o"), read("!o")), (Ok(Predicate::RelatedToOpen), Ok(Predicate::UnrelatedToOpen)));
    assert_eq!((read("*"), read("!*")), (Ok(Predicate::NotEmpty), Ok(Predicate::Empty)));
}

#[test]
fn the_history_of_a_status_is_asked_for_in_the_long_form_alone() {
    let long = |operator| parse(FilterType::Status, "Status", operator, &["2"], &context());
    assert_eq!(
        (long("ev"), long("!ev"), long("cf")),
        (Ok(Predicate::HasBeen(vec![2])), Ok(Predicate::NeverBeen(vec![2])), Ok(Predicate::ChangedFrom(vec![2])))
    );
    assert_eq!(read(Field::Status, "cf2"), Ok(Predicate::Closed));
    assert_eq!(parse(FilterType::Choice, "Status", "ev", &["2"], &context()), Err("Status is invalid".to_owned()));
}

#[test]
fn wrong_dates_are_named_by_their_label() {
    assert_eq!(read(Field::CreatedOn, ">=2024-02-30"), Err("Created is invalid".to_owned()));
    assert_eq!(read(Field::DueDate, ">="), Err("Due date cannot be blank".to_owned()));
    assert_eq!(read(Field::CreatedOn, "><2024-01-01,2024-02-01"), Err("Created is invalid".to_owned()));
    assert!(matches!(read(Field::CreatedOn, "t"), Ok(Predicate::Time(_))));
}
