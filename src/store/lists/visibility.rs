//! Expressions of `domain::access::visibility` as SQL.

use crate::transaction::sql::Sql;
use quarry_domain::access::visible::Visible;

/// The columns of a table that visibility depends on.
#[derive(Clone, Copy)]
pub struct Columns {
    /// The project of the record.
    pub project: &'static str,
    /// Whether it is private; `0` where it cannot be.
    pub private: &'static str,
    /// Its author; `NULL` where there is none.
    pub author: &'static str,
    /// Its assignee; `NULL` where there is none.
    pub assignee: &'static str,
    /// Its tracker; `NULL` for other records than issues.
    pub tracker: &'static str,
}

/// Columns of `issues i` in a query that finds issues by id or in a scan. The unary plus keeps
/// SQLite from using an index for the column: a plan that starts with the projects would read every
/// issue in them.
pub const ISSUE_UNINDEXED: Columns = Columns {
    project: "+i.project_id",
    private: "i.is_private",
    author: "+i.author_id",
    assignee: "+i.assigned_to_id",
    tracker: "+i.tracker_id",
};

/// Columns of `issues i` where SQLite may use their indexes.
pub const ISSUE_INDEXED: Columns = Columns {
    project: "i.project_id",
    private: "i.is_private",
    author: "i.author_id",
    assignee: "i.assigned_to_id",
    tracker: "i.tracker_id",
};

/// Columns of `issues d` in a subquery.
pub const SUBQUERY_ISSUE: Columns = Columns {
    project: "+d.project_id",
    private: "d.is_private",
    author: "+d.author_id",
    assignee: "+d.assigned_to_id",
    tracker: "+d.tracker_id",
};

/// Columns of `journals j` in a subquery of one over `issues i`.
pub const JOURNAL: Columns = Columns {
    project: "+i.project_id",
    private: "j.private_notes",
    author: "j.user_id",
    assignee: "NULL",
    tracker: "NULL",
};

/// Columns of `time_entries t` in a query that finds them by issue. The author is the user who
/// spent the time.
pub const TIME_ENTRY_UNINDEXED: Columns = Columns {
    project: "+t.project_id",
    private: "0",
    author: "+t.user_id",
    assignee: "NULL",
    tracker: "NULL",
};

/// Columns of `time_entries t` where SQLite may use their indexes.
pub const TIME_ENTRY_INDEXED: Columns = Columns {
    project: "t.project_id",
    author: "t.user_id",
    ..TIME_ENTRY_UNINDEXED
};

/// Columns of records whose visibility depends on their project only.
pub const fn in_project(project: &'static str) -> Columns {
    Columns {
        project,
        private: "0",
        author: "NULL",
        assignee: "NULL",
        tracker: "NULL",
    }
}

/// Adds the condition, as one term that can follow `AND`.
pub fn push_visible(sql: &mut Sql, visible: &Visible, columns: Columns) {
    match visible {
        Visible::Everything => {
            sql.push("1 = 1");
        }
        Visible::Nothing => {
            sql.push("1 = 0");
        }
        Visible::Any(parts) => push_joined(sql, parts, columns, " OR ", "1 = 0"),
        Visible::All(parts) => push_joined(sql, parts, columns, " AND ", "1 = 1"),
        Visible::InProjects(projects) => {
            sql.push_member(columns.project, projects);
        }
        Visible::NotPrivate => {
            sql.push(columns.private).push(" = 0");
        }
        Visible::WrittenBy(user) => {
            sql.push(columns.author).push(" = ").bind(*user);
        }
        Visible::AssignedTo(principals) => {
            let ids: Vec<i64> = principals.iter().map(|id| id.0).collect();
            sql.push(columns.assignee).push(" IN").bind_ids(&ids);
        }
        Visible::InTrackers(trackers) => {
            sql.push(columns.tracker)
                .push(" IN")
                .bind_ids(trackers.as_slice());
        }
    }
}

fn push_joined(sql: &mut Sql, parts: &[Visible], columns: Columns, operator: &str, empty: &str) {
    if parts.is_empty() {
        sql.push(empty);
        return;
    }
    sql.push("(");
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            sql.push(operator);
        }
        push_visible(sql, part, columns);
    }
    sql.push(")");
}
