//! The rows of a Gantt chart: projects, in them versions, in those issues with subtasks below their
//! parents.

use crate::prelude::*;
use jiff::civil::Date;
use quarry_domain::projects::version::Version;
use quarry_domain::values::stable_sort::StableSort;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Row<'a> {
    /// The heading of a project.
    Project(ProjectId),
    /// The heading of a version.
    Version(&'a Version),
    /// An issue.
    Issue {
        issue: &'a Issue,
        /// How many of its ancestors are above it.
        depth: usize,
        /// Whether subtasks are below it.
        is_parent: bool,
    },
}

/// Where a group of issues stands: the position of its project, and its version: those without one
/// first, then by due date.
type GroupKey = (usize, Option<(bool, Option<Date>, i64)>);

/// The issues of a version in a project, or those without a version.
struct Group<'a> {
    project: ProjectId,
    version: Option<&'a Version>,
    issues: Vec<&'a Issue>,
}

/// Returns the rows for those of these issues that are on a page, and for versions, which may have
/// none. `page` is how many issues come before it and how many it has at most.
pub fn rows<'a>(
    catalogue: &'a Catalogue,
    issues: &'a [Issue],
    versions: impl Iterator<Item = &'a Version>,
    page: (usize, usize),
) -> Vec<Row<'a>> {
    let mut groups: BTreeMap<GroupKey, Group<'a>> = BTreeMap::new();
    let positions: HashMap<ProjectId, usize> = catalogue
        .tree
        .iter()
        .enumerate()
        .map(|(index, id)| (*id, index))
        .collect();
    let key = |project: ProjectId, version: Option<&Version>| {
        let position = positions.get(&project).copied().unwrap_or(usize::MAX);
        let version =
            version.map(|version| (version.due_date.is_none(), version.due_date, version.id.0));
        (position, version)
    };
    for issue in issues {
        let version = issue.version.and_then(|id| catalogue.versions.get(&id));
        let group = groups.entry(key(issue.project, version));
        let group = group.or_insert_with(|| Group::new(issue.project, version));
        group.issues.push(issue);
    }
    for version in versions {
        let group = groups.entry(key(version.project, Some(version)));
        group.or_insert_with(|| Group::new(version.project, Some(version)));
    }
    let mut rows = Vec::new();
    let mut project = None;
    let (mut before, mut left) = page;
    for group in groups.values() {
        let issues = group.rows();
        let skipped = issues.len().min(before);
        let shown = (issues.len() - skipped).min(left);
        before -= skipped;
        let rest = issues.len() - skipped - shown;
        if shown == 0 && rest > 0 {
            break;
        }
        // A version without issues is on the page of the issues before it.
        let is_earlier = match issues.is_empty() {
            true => before > 0 || (rows.is_empty() && page.0 > 0),
            false => shown == 0,
        };
        if is_earlier {
            continue;
        }
        left -= shown;
        if project != Some(group.project) {
            project = Some(group.project);
            rows.push(Row::Project(group.project));
        }
        rows.extend(group.version.map(Row::Version));
        rows.extend(issues.into_iter().skip(skipped).take(shown));
        if rest > 0 {
            break;
        }
    }
    rows
}

impl<'a> Group<'a> {
    fn new(project: ProjectId, version: Option<&'a Version>) -> Group<'a> {
        Group {
            project,
            version,
            issues: Vec::new(),
        }
    }

    /// Returns the issues by their first dates, subtasks below those parents that are in the group.
    fn rows(&self) -> Vec<Row<'a>> {
        let mut sorted = self.issues.clone();
        sorted.stable_sort_by_key(|issue| {
            (
                issue.start_date.or(issue.due_date),
                issue.due_date,
                issue.id,
            )
        });
        let members: HashSet<IssueId> = sorted.iter().map(|issue| issue.id).collect();
        let mut children: HashMap<IssueId, Vec<&Issue>> = HashMap::new();
        for issue in &sorted {
            if let Some(parent) = issue.parent.filter(|parent| members.contains(parent)) {
                children.entry(parent).or_default().push(issue);
            }
        }
        let is_root =
            |issue: &&&Issue| issue.parent.is_none_or(|parent| !members.contains(&parent));
        let mut seen = HashSet::new();
        let mut rows = Vec::with_capacity(sorted.len());
        // Issues that are their own ancestors, which no action makes, come last.
        for root in sorted.iter().filter(is_root).chain(&sorted) {
            let mut stack = vec![(*root, 0)];
            while let Some((issue, depth)) = stack.pop() {
                if !seen.insert(issue.id) {
                    continue;
                }
                let below = children.get(&issue.id).map_or(&[][..], Vec::as_slice);
                rows.push(Row::Issue {
                    issue,
                    depth,
                    is_parent: !below.is_empty(),
                });
                stack.extend(below.iter().rev().map(|child| (*child, depth + 1)));
            }
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_domain::ids::VersionId;
    use quarry_domain::projects::project::Project;

    fn issue(id: i64, day: i8, parent: Option<i64>, version: Option<i64>) -> Issue {
        Issue {
            id: IssueId(id),
            project: ProjectId(1),
            start_date: Some(Date::constant(2026, 11, day)),
            parent: parent.map(IssueId),
            version: version.map(VersionId),
            ..Issue::default()
        }
    }

    fn catalogue() -> Catalogue {
        let mut catalogue = Catalogue::default();
        for (id, due) in [(1, None), (2, Some(Date::constant(2026, 12, 1)))] {
            let version = Version {
                id: VersionId(id),
                project: ProjectId(1),
                due_date: due,
                ..Version::default()
            };
            catalogue.versions.insert(version.id, version);
        }
        let project = Project {
            id: ProjectId(1),
            ..Project::default()
        };
        catalogue.tree.push(project.id);
        catalogue.projects.insert(project.id, project);
        catalogue
    }

    fn text(rows: &[Row<'_>]) -> String {
        let texts: Vec<String> = rows
            .iter()
            .map(|row| match row {
                Row::Project(id) => format!("p{id}"),
                Row::Version(version) => format!("v{}", version.id),
                Row::Issue { issue, depth, .. } => format!("{}{}", "-".repeat(*depth), issue.id),
            })
            .collect();
        texts.join(" ")
    }

    #[test]
    fn issues_are_below_their_version_and_parent() {
        let catalogue = catalogue();
        let issues = [
            issue(1, 9, None, None),
            issue(2, 3, Some(1), None),
            issue(3, 2, Some(2), None),
            issue(4, 4, None, None),
            issue(5, 1, Some(1), Some(1)),
            issue(6, 1, None, Some(2)),
            issue(7, 1, Some(8), Some(2)),
            issue(8, 1, Some(7), Some(2)),
        ];
        let page = |skipped, count| {
            let versions = std::iter::empty();
            text(&rows(&catalogue, &issues, versions, (skipped, count)))
        };
        assert_eq!(page(0, 100), "p1 4 1 -2 --3 v2 6 7 -8 v1 5");
        assert_eq!(page(0, 5), "p1 4 1 -2 --3 v2 6");
        assert_eq!(page(5, 5), "p1 v2 7 -8 v1 5");
        assert_eq!(page(4, 1), "p1 v2 6");
        assert_eq!(page(8, 5), "");
        // Versions without issues follow those before them, also where a page ends with them.
        let with_versions = |skipped, count| {
            let issues = &issues[..4];
            let versions = [VersionId(2), VersionId(1)].map(|id| &catalogue.versions[&id]);
            text(&rows(
                &catalogue,
                issues,
                versions.into_iter(),
                (skipped, count),
            ))
        };
        assert_eq!(with_versions(0, 4), "p1 4 1 -2 --3 v2 v1");
        assert_eq!(with_versions(0, 3), "p1 4 1 -2");
        assert_eq!(with_versions(3, 3), "p1 --3 v2 v1");
        assert_eq!(with_versions(4, 3), "");
        let versions = catalogue.versions.values();
        let empty = rows(&catalogue, &[], versions, (0, 5));
        assert_eq!(text(&empty), "p1 v2 v1");
    }
}
