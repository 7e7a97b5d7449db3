//! Conditions of the issue list as SQL, over `issues i`. Other records, such as journals and
//! related issues, count only if the viewer may see them.

use super::{
    ColumnType, FilterContext, associations, custom_fields, history, people, push_exists_test,
    push_test, related_issues,
};
use crate::lists::visibility::{TIME_ENTRY_UNINDEXED, push_visible};
use crate::transaction::sql::Sql;
use quarry_domain::access::visibility;
use quarry_domain::ids::CustomFieldId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::query::associations::{Association, ValueField};
use quarry_domain::query::filter::Predicate;
use quarry_domain::query::issues;
use quarry_domain::query::issues::{Condition, Field};

/// Returns the column or expression of a field, if it has one.
fn column(field: Field) -> Option<(&'static str, ColumnType)> {
    Some(match field {
        Field::Id => ("i.id", ColumnType::Number),
        Field::Project => ("i.project_id", ColumnType::Number),
        Field::Status => ("i.status_id", ColumnType::Number),
        Field::Tracker => ("i.tracker_id", ColumnType::Number),
        Field::Priority => ("i.priority_id", ColumnType::Number),
        Field::Author => ("i.author_id", ColumnType::Number),
        Field::Assignee => ("i.assigned_to_id", ColumnType::Number),
        Field::Category => ("i.category_id", ColumnType::Number),
        Field::Version => ("i.fixed_version_id", ColumnType::Number),
        Field::ProjectStatus => (
            "(SELECT p.status FROM projects p WHERE p.id = i.project_id)",
            ColumnType::Number,
        ),
        Field::Subject => ("i.subject", ColumnType::Text),
        Field::Description => ("i.description", ColumnType::Text),
        Field::CreatedOn => ("i.created_on", ColumnType::Instant),
        Field::UpdatedOn => ("i.updated_on", ColumnType::Instant),
        Field::ClosedOn => ("i.closed_on", ColumnType::Instant),
        Field::StartDate => ("i.start_date", ColumnType::Date),
        Field::DueDate => ("i.due_date", ColumnType::Date),
        Field::DoneRatio => ("i.done_ratio", ColumnType::Number),
        Field::EstimatedHours => ("i.estimated_hours", ColumnType::Number),
        Field::Private => ("i.is_private", ColumnType::Number),
        _ => return None,
    })
}

/// Returns the column with the id of an associated record. The unary plus keeps SQLite from
/// starting with the records.
fn association_column(association: Association) -> &'static str {
    match association {
        Association::Project => "+i.project_id",
        Association::Author | Association::User => "+i.author_id",
        Association::Assignee => "+i.assigned_to_id",
        Association::Version => "+i.fixed_version_id",
    }
}

/// Adds the condition, as one term that can follow `AND`.
pub fn push_condition(sql: &mut Sql, condition: &Condition, context: FilterContext<'_>) {
    let predicate = &condition.predicate;
    let field = condition.field;
    match (field, predicate) {
        // An issue that was never updated has equal times of creation and update (compatibility
        // 6.3).
        (Field::UpdatedOn, Predicate::Empty) => {
            sql.push("(i.updated_on = i.created_on)");
        }
        (Field::UpdatedOn, Predicate::NotEmpty) => {
            sql.push("(i.updated_on > i.created_on)");
        }
        (
            Field::Status,
            Predicate::HasBeen(_) | Predicate::NeverBeen(_) | Predicate::ChangedFrom(_),
        ) => history::status(sql, predicate, context),
        (Field::Notes, _) => push_exists_test(
            sql,
            |sql| history::notes(sql, context),
            "j.notes",
            ColumnType::Text,
            predicate,
            context.catalogue,
        ),
        (Field::UpdatedBy, _) => push_exists_test(
            sql,
            |sql| history::journals(sql, context),
            "j.user_id",
            ColumnType::Number,
            predicate,
            context.catalogue,
        ),
        (Field::LastUpdatedBy, _) => history::last_updated_by(sql, predicate, context),
        (Field::Attachment, _) => push_exists_test(
            sql,
            attachments,
            "a.filename",
            ColumnType::Text,
            predicate,
            context.catalogue,
        ),
        (Field::AttachmentDescription, _) => attachment_description(sql, predicate, context),
        (Field::AnySearchable, _) => any_searchable(sql, predicate, context),
        (Field::SpentTime, _) => spent_time(sql, predicate, context),
        (Field::Watcher, _) => people::watcher(sql, predicate, context),
        (Field::AuthorGroup, _) => people::group(sql, "i.author_id", predicate, context),
        (Field::AuthorRole, _) => people::role(sql, "i.author_id", "i.project_id", predicate),
        (Field::AssigneeGroup, _) => people::group(sql, "i.assigned_to_id", predicate, context),
        (Field::AssigneeRole, _) => {
            people::role(sql, "i.assigned_to_id", "i.project_id", predicate)
        }
        (Field::VersionStatus, _) => {
            version(sql, ("v.status", ColumnType::Text), predicate, context)
        }
        (Field::VersionDueDate, _) => {
            version(sql, ("v.due_date", ColumnType::Date), predicate, context)
        }
        (Field::Related(kind), _) => related_issues::relation(sql, kind, predicate, context),
        (Field::Parent, _) => related_issues::parent(sql, predicate, context),
        (Field::Child, _) => related_issues::child(sql, predicate, context),
        (Field::Custom(field), _) => custom_fields::push_condition(sql, field, predicate, context),
        (Field::OfValue(through, field), _) => value_field(sql, through, field, predicate, context),
        (Field::OfAssociation(association, field), _) => associations::push_custom_field_test(
            sql,
            association_column(association),
            field,
            predicate,
            context,
        ),
        (field, _) => match column(field) {
            Some((name, column_type)) => {
                push_test(sql, name, column_type, predicate, context.catalogue)
            }
            // The project conditions of the list cover subprojects.
            None => {
                sql.push("1 = 1");
            }
        },
    }
}

/// Adds the test of a column of the target version. Those count that the viewer may see, and in the
/// list of a project those that are shared with it. With `!` and `!*`, an issue without a version
/// matches, too (compatibility 6.3).
fn version(
    sql: &mut Sql,
    (name, column_type): (&str, ColumnType),
    predicate: &Predicate,
    context: FilterContext<'_>,
) {
    sql.push(match predicate {
        Predicate::NotInTexts(_) | Predicate::Empty => "(i.fixed_version_id IS NULL OR ",
        _ => "(",
    });
    sql.push("EXISTS (SELECT 1 FROM versions v WHERE v.id = i.fixed_version_id AND ");
    sql.push_member("v.id", &associations::known_versions(context));
    sql.push(" AND ");
    push_test(sql, name, column_type, predicate, context.catalogue);
    sql.push("))");
}

/// Adds the test of a field of the users or versions in a custom field.
fn value_field(
    sql: &mut Sql,
    through: CustomFieldId,
    field: ValueField,
    predicate: &Predicate,
    context: FilterContext<'_>,
) {
    match issues::custom_fields(context.catalogue, context.viewer)
        .find(|custom_field| custom_field.id == through)
    {
        Some(through) => associations::push_value_field_test(
            sql,
            |sql| custom_fields::push_issue_values(sql, through, context.viewer),
            field,
            predicate,
            context,
        ),
        None => {
            sql.push("1 = 0");
        }
    }
}

/// Adds the query of the attachments of the issue.
fn attachments(sql: &mut Sql) {
    sql.push("SELECT 1 FROM attachments a WHERE a.container_kind = ")
        .bind(i64::from(Kind::Issue.code()))
        .push(" AND a.container_id = i.id");
}

/// Adds the test that an attachment has such a description. Also without a description, or without
/// words in it, there must be an attachment (compatibility 6.3).
fn attachment_description(sql: &mut Sql, predicate: &Predicate, context: FilterContext<'_>) {
    sql.push("EXISTS (");
    attachments(sql);
    sql.push(match predicate {
        Predicate::Empty => " AND COALESCE(a.description, '') = '')",
        Predicate::NotEmpty => " AND a.description <> '')",
        _ => " AND a.description <> '' AND ",
    });
    if !matches!(predicate, Predicate::Empty | Predicate::NotEmpty) {
        push_test(
            sql,
            "a.description",
            ColumnType::Text,
            predicate,
            context.catalogue,
        );
        sql.push(")");
    }
}

/// Adds the test of all searchable texts together: each word may occur in another text.
fn any_searchable(sql: &mut Sql, predicate: &Predicate, context: FilterContext<'_>) {
    let (glue, words) = match predicate {
        Predicate::Contains(words) | Predicate::NotContains(words) => {
            (" AND ", contains_each(words))
        }
        Predicate::ContainsAny(words) => (" OR ", contains_each(words)),
        other => ("", vec![other.clone()]),
    };
    sql.push(if matches!(predicate, Predicate::NotContains(_)) {
        "NOT ("
    } else {
        "("
    });
    for (index, word) in words.iter().enumerate() {
        sql.push(if index > 0 { glue } else { "" }).push("(");
        push_test(sql, "i.subject", ColumnType::Text, word, context.catalogue);
        sql.push(" OR ");
        push_test(
            sql,
            "COALESCE(i.description, '')",
            ColumnType::Text,
            word,
            context.catalogue,
        );
        sql.push(" OR ");
        push_exists_test(
            sql,
            |sql| history::notes(sql, context),
            "j.notes",
            ColumnType::Text,
            word,
            context.catalogue,
        );
        for field in custom_fields::searchable_fields(context) {
            sql.push(" OR ");
            custom_fields::push_condition(sql, field, word, context);
        }
        sql.push(")");
    }
    sql.push(")");
}

/// Returns a test for each of the words.
fn contains_each(words: &[String]) -> Vec<Predicate> {
    words
        .iter()
        .map(|word| Predicate::Contains(vec![word.clone()]))
        .collect()
}

/// Adds the test of the spent hours that the viewer may see; 0 counts as empty.
fn spent_time(sql: &mut Sql, predicate: &Predicate, context: FilterContext<'_>) {
    const SUM: &str = "COALESCE(SUM(t.hours), 0)";
    sql.push("(SELECT CASE WHEN ");
    match predicate {
        Predicate::Empty => {
            sql.push(SUM).push(" = 0");
        }
        Predicate::NotEmpty => {
            sql.push(SUM).push(" > 0");
        }
        other => push_test(sql, SUM, ColumnType::Number, other, context.catalogue),
    }
    sql.push(" THEN 1 ELSE 0 END FROM time_entries t WHERE t.issue_id = i.id AND ");
    push_visible(
        sql,
        visibility::time_entries(context.viewer),
        TIME_ENTRY_UNINDEXED,
    );
    sql.push(") = 1");
}
