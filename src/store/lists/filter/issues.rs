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
use quarry_domain::issues::relation::RelationType;
use quarry_domain::query::associations::{Association, ValueField};
use quarry_domain::query::filter::Predicate;
use quarry_domain::query::issues;
use quarry_domain::query::issues::{Condition, Field};

/// Where the values of a field are.
enum Source {
    /// A column of the issue, or an expression.
    Column(&'static str, ColumnType),
    /// A column of the rows of a query, to which conditions can be added.
    Rows(PushRows, &'static str, ColumnType),
    /// A column of the target version.
    Version(&'static str, ColumnType),
    /// The groups of the user or group in a column.
    Groups(&'static str),
    /// The roles that the user or group in a column has in the project.
    Roles(&'static str),
    /// The function adds the test.
    Test(fn(&mut Sql, &Predicate, FilterContext<'_>)),
    Relations(RelationType),
    CustomField(CustomFieldId),
    /// The users or versions in a custom field.
    CustomValue(CustomFieldId, ValueField),
    Association(Association, CustomFieldId),
    /// Nothing to test: the filter has already chosen the projects of the list.
    Scope,
    /// A text for the search, which the caller has to replace by what is found. It finds nothing
    /// here.
    Search,
}

/// Adds a query up to where `AND` can follow.
type PushRows = fn(&mut Sql, FilterContext<'_>);

fn source(field: Field) -> Source {
    use ColumnType::{Date, Instant, Number, Text};
    use Source::{Column, Groups, Roles, Rows, Test};
    match field {
        Field::Id => Column("i.id", Number),
        Field::Project => Column("i.project_id", Number),
        Field::Subproject => Source::Scope,
        Field::Status => Column("i.status_id", Number),
        Field::Tracker => Column("i.tracker_id", Number),
        Field::Priority => Column("i.priority_id", Number),
        Field::Author => Column("i.author_id", Number),
        Field::Assignee => Column("i.assigned_to_id", Number),
        Field::Category => Column("i.category_id", Number),
        Field::Version => Column("i.fixed_version_id", Number),
        Field::VersionStatus => Source::Version("v.status", Text),
        Field::ProjectStatus => Column(
            "(SELECT p.status FROM projects p WHERE p.id = i.project_id)",
            Number,
        ),
        Field::DoneRatio => Column("i.done_ratio", Number),
        Field::Private => Column("i.is_private", Number),
        Field::VersionDueDate => Source::Version("v.due_date", Date),
        Field::CreatedOn => Column("i.created_on", Instant),
        Field::UpdatedOn => Column("i.updated_on", Instant),
        Field::ClosedOn => Column("i.closed_on", Instant),
        Field::StartDate => Column("i.start_date", Date),
        Field::DueDate => Column("i.due_date", Date),
        Field::EstimatedHours => Column("i.estimated_hours", Number),
        Field::SpentTime => Test(spent_time),
        Field::Search => Source::Search,
        Field::Subject => Column("i.subject", Text),
        Field::Description => Column("i.description", Text),
        Field::Notes => Rows(history::notes, "j.notes", Text),
        Field::AnySearchable => Test(any_searchable),
        Field::Attachment => Rows(attachments, "a.filename", Text),
        Field::AttachmentDescription => Test(attachment_description),
        Field::AuthorGroup => Groups("i.author_id"),
        Field::AuthorRole => Roles("i.author_id"),
        Field::AssigneeGroup => Groups("i.assigned_to_id"),
        Field::AssigneeRole => Roles("i.assigned_to_id"),
        Field::Watcher => Test(people::watcher),
        Field::UpdatedBy => Rows(history::journals, "j.user_id", Number),
        Field::LastUpdatedBy => Test(history::last_updated_by),
        Field::Parent => Test(related_issues::parent),
        Field::Child => Test(related_issues::child),
        Field::Related(relation) => Source::Relations(relation),
        Field::Custom(id) => Source::CustomField(id),
        Field::OfValue(through, field) => Source::CustomValue(through, field),
        Field::OfAssociation(association, id) => Source::Association(association, id),
    }
}

/// Whether a filter by the field needs the row of the issue only, and no other tables: names of
/// columns begin with `i.`, and expressions do not.
pub fn is_own_column(field: Field) -> bool {
    matches!(source(field), Source::Column(name, _) if name.starts_with("i."))
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
    match (condition.field, predicate) {
        // An issue that was never updated has equal times of creation and update (compatibility
        // 6.3).
        (Field::UpdatedOn, Predicate::Empty) => {
            sql.push("(i.updated_on = i.created_on)");
            return;
        }
        (Field::UpdatedOn, Predicate::NotEmpty) => {
            sql.push("(i.updated_on > i.created_on)");
            return;
        }
        (
            Field::Status,
            Predicate::HasBeen(_) | Predicate::NeverBeen(_) | Predicate::ChangedFrom(_),
        ) => return history::status(sql, predicate, context),
        (Field::Search, Predicate::OneOf(ids)) => {
            sql.push_member("i.id", &ids.iter().copied().collect());
            return;
        }
        _ => {}
    }
    match source(condition.field) {
        Source::Column(name, column_type) => {
            push_test(sql, name, column_type, predicate, context.catalogue)
        }
        Source::Rows(rows, name, column_type) => push_exists_test(
            sql,
            |sql| rows(sql, context),
            name,
            column_type,
            predicate,
            context.catalogue,
        ),
        Source::Version(name, column_type) => version(sql, (name, column_type), predicate, context),
        Source::Groups(principal) => people::group(sql, principal, predicate, context),
        Source::Roles(principal) => people::role(sql, principal, "i.project_id", predicate),
        Source::Test(push) => push(sql, predicate, context),
        Source::Relations(relation) => related_issues::relation(sql, relation, predicate, context),
        Source::CustomField(id) => custom_fields::push_condition(sql, id, predicate, context),
        Source::CustomValue(through, field) => value_field(sql, through, field, predicate, context),
        Source::Association(association, field) => associations::push_custom_field_test(
            sql,
            association_column(association),
            field,
            predicate,
            context,
        ),
        Source::Scope => {
            sql.push("1 = 1");
        }
        Source::Search => {
            sql.push("1 = 0");
        }
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
fn attachments(sql: &mut Sql, _context: FilterContext<'_>) {
    sql.push("SELECT 1 FROM attachments a WHERE a.container_kind = ")
        .bind(i64::from(Kind::Issue.code()))
        .push(" AND a.container_id = i.id");
}

/// Adds the test that an attachment has such a description. Also without a description, or without
/// words in it, there must be an attachment (compatibility 6.3).
fn attachment_description(sql: &mut Sql, predicate: &Predicate, context: FilterContext<'_>) {
    sql.push("EXISTS (");
    attachments(sql, context);
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
