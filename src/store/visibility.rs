//! The second interpreter of `domain::visibility`: the expression as SQL.

use super::sql::Sql;
use crate::domain::visibility::Visible;

/// The columns in which a table keeps the facts of its records.
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
    /// Its tracker; `NULL` for what is no issue.
    pub tracker: &'static str,
    /// Whether the project is to lead the plan, be the projects few or many.
    pub leads: bool,
}

/// The facts of issues in a query over `issues i` that are found otherwise: by number, or one after the other. What has a sign before
/// it is not looked up in an index; a plan that begins with the projects would read every issue in them.
pub const ISSUE: Columns = Columns {
    project: "+i.project_id",
    private: "i.is_private",
    author: "+i.author_id",
    assignee: "+i.assigned_to_id",
    tracker: "+i.tracker_id",
    leads: false,
};

/// The same where the engine has its way.
pub const FREE_ISSUE: Columns = Columns {
    project: "i.project_id",
    private: "i.is_private",
    author: "i.author_id",
    assignee: "i.assigned_to_id",
    tracker: "i.tracker_id",
    leads: false,
};

/// The same where the issues are found by their projects, few or many.
pub const LED_ISSUE: Columns = Columns { leads: true, ..FREE_ISSUE };

/// The same in a query within it, over `issues d`.
pub const INNER_ISSUE: Columns = Columns {
    project: "+d.project_id",
    private: "d.is_private",
    author: "+d.author_id",
    assignee: "+d.assigned_to_id",
    tracker: "+d.tracker_id",
    leads: false,
};

/// The facts of entries of the history, in a query over `journals j` within one over `issues i`.
pub const JOURNAL: Columns =
    Columns { project: "+i.project_id", private: "j.private_notes", author: "j.user_id", assignee: "NULL", tracker: "NULL", leads: false };

/// The facts of time entries, in a query over `time_entries t` that finds them by their issues. Its author is who has spent the time.
pub const TIME_ENTRY: Columns =
    Columns { project: "+t.project_id", private: "0", author: "+t.user_id", assignee: "NULL", tracker: "NULL", leads: false };

/// The same where the engine has its way.
pub const FREE_TIME_ENTRY: Columns = Columns { project: "t.project_id", author: "t.user_id", ..TIME_ENTRY };

/// Those of records that belong to a project and have no other fact that matters.
pub const fn in_project(project: &'static str) -> Columns {
    Columns { project, private: "0", author: "NULL", assignee: "NULL", tracker: "NULL", leads: false }
}

/// Adds the condition to a statement, as one term that can stand behind `AND`.
pub fn condition(sql: &mut Sql, visible: &Visible, columns: Columns) {
    match visible {
        Visible::Everything => drop(sql.push("1 = 1")),
        Visible::Nothing => drop(sql.push("1 = 0")),
        Visible::Any(parts) => joined(sql, parts, columns, " OR ", "1 = 0"),
        Visible::All(parts) => joined(sql, parts, columns, " AND ", "1 = 1"),
        Visible::InProjects(projects) if columns.leads => drop(sql.push(columns.project).push(" IN").bind_ids(projects.as_slice())),
        Visible::InProjects(projects) => drop(sql.member(columns.project, projects)),
        Visible::NotPrivate => drop(sql.push(columns.private).push(" = 0")),
        Visible::WrittenBy(user) => drop(sql.push(columns.author).push(" = ").bind(*user)),
        Visible::AssignedTo(principals) => {
            let ids: Vec<i64> = principals.iter().map(|id| id.0).collect();
            sql.push(columns.assignee).push(" IN").bind_ids(&ids);
        }
        Visible::OfTrackers(trackers) => drop(sql.push(columns.tracker).push(" IN").bind_ids(trackers.as_slice())),
    }
}

fn joined(sql: &mut Sql, parts: &[Visible], columns: Columns, word: &str, empty: &str) {
    if parts.is_empty() {
        sql.push(empty);
        return;
    }
    sql.push("(");
    for (place, part) in parts.iter().enumerate() {
        if place > 0 {
            sql.push(word);
        }
        condition(sql, part, columns);
    }
    sql.push(")");
}
