//! Conditions of the issue list as SQL, over `issues i`. Of what is around an issue, only that counts which the viewer may see:
//! the rest is as if it were not there.

use super::{Kept, Reader, around, custom_fields, history, people, test, test_many};
use crate::domain::kind::Kind;
use crate::domain::query::filter::Test;
use crate::domain::query::issues::{Condition, Field};
use crate::domain::visibility;
use crate::store::sql::Sql;
use crate::store::visibility::{TIME_ENTRY, condition as seen};

/// The column or expression that a field is, where it is one.
fn column(field: Field) -> Option<(&'static str, Kept)> {
    Some(match field {
        Field::Id => ("i.id", Kept::Number),
        Field::Project => ("i.project_id", Kept::Number),
        Field::Status => ("i.status_id", Kept::Number),
        Field::Tracker => ("i.tracker_id", Kept::Number),
        Field::Priority => ("i.priority_id", Kept::Number),
        Field::Author => ("i.author_id", Kept::Number),
        Field::Assignee => ("i.assigned_to_id", Kept::Number),
        Field::Category => ("i.category_id", Kept::Number),
        Field::Version => ("i.fixed_version_id", Kept::Number),
        Field::VersionStatus => ("(SELECT v.status FROM versions v WHERE v.id = i.fixed_version_id)", Kept::Text),
        Field::VersionDueDate => ("(SELECT v.due_date FROM versions v WHERE v.id = i.fixed_version_id)", Kept::Date),
        Field::ProjectStatus => ("(SELECT p.status FROM projects p WHERE p.id = i.project_id)", Kept::Number),
        Field::Subject => ("i.subject", Kept::Text),
        Field::Description => ("i.description", Kept::Text),
        Field::CreatedOn => ("i.created_on", Kept::Instant),
        Field::UpdatedOn => ("i.updated_on", Kept::Instant),
        Field::ClosedOn => ("i.closed_on", Kept::Instant),
        Field::StartDate => ("i.start_date", Kept::Date),
        Field::DueDate => ("i.due_date", Kept::Date),
        Field::DoneRatio => ("i.done_ratio", Kept::Number),
        Field::EstimatedHours => ("i.estimated_hours", Kept::Number),
        Field::Private => ("i.is_private", Kept::Number),
        _ => return None,
    })
}

/// Adds the condition, as one term that can stand behind `AND`.
pub fn condition(sql: &mut Sql, asked: &Condition, reader: Reader<'_>) {
    let (asked, field) = (&asked.test, asked.field);
    match (field, asked) {
        // "Never updated" is an instant of change that is that of creation (contract 4.3).
        (Field::UpdatedOn, Test::Missing) => drop(sql.push("(i.updated_on = i.created_on)")),
        (Field::UpdatedOn, Test::Present) => drop(sql.push("(i.updated_on > i.created_on)")),
        (Field::Status, Test::Once(_) | Test::Never(_) | Test::Left(_)) => history::status(sql, asked, reader),
        (Field::Notes, _) => test_many(sql, |sql| history::notes(sql, reader), "j.notes", Kept::Text, asked, reader.catalogue),
        (Field::UpdatedBy, _) => test_many(sql, |sql| history::entries(sql, reader), "j.user_id", Kept::Number, asked, reader.catalogue),
        (Field::LastUpdatedBy, _) => history::last(sql, asked, reader),
        (Field::Attachment, _) => test_many(sql, files, "a.filename", Kept::Text, asked, reader.catalogue),
        (Field::AttachmentDescription, _) => test_many(sql, files, "a.description", Kept::Text, asked, reader.catalogue),
        (Field::AnySearchable, _) => anywhere(sql, asked, reader),
        (Field::SpentTime, _) => spent(sql, asked, reader),
        (Field::Watcher, _) => people::watcher(sql, asked, reader),
        (Field::AssigneeGroup, _) => people::group(sql, "i.assigned_to_id", asked, reader),
        (Field::AssigneeRole, _) => people::role(sql, "i.assigned_to_id", "i.project_id", asked),
        (Field::Related(kind), _) => around::related(sql, kind, asked, reader),
        (Field::Parent, _) => around::parent(sql, asked, reader),
        (Field::Child, _) => around::child(sql, asked, reader),
        (Field::Custom(field), _) => custom_fields::condition(sql, field, asked, reader),
        (field, _) => match column(field) {
            Some((name, kept)) => test(sql, name, kept, asked, reader.catalogue),
            // Which projects are meant is said by the part of them that is listed.
            None => drop(sql.push("1 = 1")),
        },
    }
}

/// The files of the issue.
fn files(sql: &mut Sql) {
    sql.push("SELECT 1 FROM attachments a WHERE a.container_kind = ")
        .bind(i64::from(Kind::Issue.code()))
        .push(" AND a.container_id = i.id");
}

/// Each word may stand in another text of the issue.
fn anywhere(sql: &mut Sql, asked: &Test, reader: Reader<'_>) {
    let of_word = |word: &String| Test::Contains(vec![word.clone()]);
    let (glue, words) = match asked {
        Test::Contains(words) | Test::Lacks(words) => (" AND ", words.iter().map(of_word).collect()),
        Test::ContainsAny(words) => (" OR ", words.iter().map(of_word).collect()),
        other => ("", vec![other.clone()]),
    };
    sql.push(if matches!(asked, Test::Lacks(_)) { "NOT (" } else { "(" });
    for (place, word) in words.iter().enumerate() {
        sql.push(if place > 0 { glue } else { "" }).push("(");
        test(sql, "i.subject", Kept::Text, word, reader.catalogue);
        sql.push(" OR ");
        test(sql, "COALESCE(i.description, '')", Kept::Text, word, reader.catalogue);
        sql.push(" OR ");
        test_many(sql, |sql| history::notes(sql, reader), "j.notes", Kept::Text, word, reader.catalogue);
        for field in custom_fields::searched(reader) {
            sql.push(" OR ");
            custom_fields::condition(sql, field, word, reader);
        }
        sql.push(")");
    }
    sql.push(")");
}

/// The hours that the viewer may know of; where there are none, they are 0, which counts as nothing.
fn spent(sql: &mut Sql, asked: &Test, reader: Reader<'_>) {
    const SUM: &str = "COALESCE(SUM(t.hours), 0)";
    sql.push("(SELECT CASE WHEN ");
    match asked {
        Test::Missing => drop(sql.push(SUM).push(" = 0")),
        Test::Present => drop(sql.push(SUM).push(" > 0")),
        other => test(sql, SUM, Kept::Number, other, reader.catalogue),
    }
    sql.push(" THEN 1 ELSE 0 END FROM time_entries t WHERE t.issue_id = i.id AND ");
    seen(sql, visibility::time_entries(reader.viewer), TIME_ENTRY);
    sql.push(") = 1");
}
