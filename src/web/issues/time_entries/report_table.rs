//! The rows of a report: a tree of groups, each with its sums, the largest first.

use super::periods::Periods;
use quarry_domain::query::time_report::ReportCriterion;
use quarry_domain::values::stable_sort::StableSort;
use quarry_store::issues::time_reports::HoursGroup;
use std::collections::BTreeMap;

/// The sums of a report.
pub struct ReportTable {
    pub periods: Periods,
    /// The rows in their order, as many as fit.
    pub rows: Vec<ReportRow>,
    /// Number of rows in all.
    pub row_count: usize,
    /// The sum of each shown period, over all rows.
    pub sums: Vec<f64>,
    /// The sum over all rows and periods, also those that are not shown.
    pub total: f64,
}

/// A row.
pub struct ReportRow {
    /// The criteria down to that of the row, each with the id of its value.
    pub values: Vec<(ReportCriterion, Option<i64>)>,
    /// The hours in each shown period.
    pub cells: Vec<f64>,
    /// The hours in all periods.
    pub total: f64,
}

/// A group with those below it.
struct Node<'g> {
    value: Option<i64>,
    groups: Vec<&'g HoursGroup>,
    total: f64,
    below: Vec<Node<'g>>,
}

impl ReportTable {
    /// Returns the table of these groups, with at most `max_rows` rows. With `only_leaves` it has the
    /// rows of the last criterion alone.
    pub fn new(
        groups: &[HoursGroup],
        criteria: &[ReportCriterion],
        periods: Periods,
        max_rows: usize,
        only_leaves: bool,
    ) -> ReportTable {
        let tree = nodes(groups.iter().collect(), 0, criteria.len());
        let mut table = ReportTable {
            rows: Vec::new(),
            row_count: 0,
            sums: sums(groups.iter(), &periods),
            total: groups.iter().map(|group| group.hours).sum(),
            periods,
        };
        let limits = (max_rows, only_leaves);
        table.push_rows(&tree, criteria, &mut Vec::new(), limits);
        table
    }

    fn push_rows(
        &mut self,
        nodes: &[Node<'_>],
        criteria: &[ReportCriterion],
        above: &mut Vec<(ReportCriterion, Option<i64>)>,
        (max_rows, only_leaves): (usize, bool),
    ) {
        let Some((criterion, below)) = criteria.split_first() else {
            return;
        };
        for node in nodes {
            above.push((*criterion, node.value));
            if below.is_empty() || !only_leaves {
                self.row_count += 1;
                if self.rows.len() < max_rows {
                    self.rows.push(ReportRow {
                        values: above.clone(),
                        cells: sums(node.groups.iter().copied(), &self.periods),
                        total: node.total,
                    });
                }
            }
            self.push_rows(&node.below, below, above, (max_rows, only_leaves));
            above.pop();
        }
    }
}

/// Returns the groups at this level, the one with the most hours first.
fn nodes(groups: Vec<&HoursGroup>, level: usize, levels: usize) -> Vec<Node<'_>> {
    if level == levels {
        return Vec::new();
    }
    let mut by_value: BTreeMap<Option<i64>, Vec<&HoursGroup>> = BTreeMap::new();
    for group in groups {
        let value = group.values.get(level).copied().flatten();
        by_value.entry(value).or_default().push(group);
    }
    let mut nodes: Vec<Node<'_>> = by_value
        .into_iter()
        .map(|(value, groups)| Node {
            value,
            total: groups.iter().map(|group| group.hours).sum(),
            below: nodes(groups.clone(), level + 1, levels),
            groups,
        })
        .collect();
    nodes.stable_sort_by(|a, b| b.total.total_cmp(&a.total));
    nodes
}

/// Returns the sum of each shown period.
fn sums<'g>(groups: impl Iterator<Item = &'g HoursGroup>, periods: &Periods) -> Vec<f64> {
    let mut sums = vec![0.0; periods.starts.len()];
    for group in groups {
        if let Some(sum) = periods
            .index(group.period)
            .and_then(|index| sums.get_mut(index))
        {
            *sum += group.hours;
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_domain::query::time_report::Period;

    fn group(values: &[Option<i64>], period: &str, hours: f64) -> HoursGroup {
        HoursGroup {
            values: values.to_vec(),
            period: period.parse().unwrap(),
            hours,
        }
    }

    #[test]
    fn rows_are_a_tree_with_the_largest_first() {
        let groups = [
            group(&[Some(1), None], "2026-10-01", 1.0),
            group(&[Some(1), Some(9)], "2026-11-01", 2.0),
            group(&[Some(2), Some(9)], "2026-11-01", 8.0),
        ];
        let criteria = [ReportCriterion::User, ReportCriterion::Issue];
        let periods = |max| Periods::new(Period::Month, groups.iter().map(|g| g.period), max);
        let table = ReportTable::new(&groups, &criteria, periods(9), 9, false);
        let rows: Vec<_> = table
            .rows
            .iter()
            .map(|row| (row.values.len(), row.cells.clone(), row.total))
            .collect();
        assert_eq!(
            rows,
            [
                (1, vec![0.0, 8.0], 8.0),
                (2, vec![0.0, 8.0], 8.0),
                (1, vec![1.0, 2.0], 3.0),
                (2, vec![0.0, 2.0], 2.0),
                (2, vec![1.0, 0.0], 1.0),
            ]
        );
        assert_eq!(
            (table.sums.as_slice(), table.total),
            ([1.0, 10.0].as_slice(), 11.0)
        );
        let leaves = ReportTable::new(&groups, &criteria, periods(1), 2, true);
        assert_eq!((leaves.rows.len(), leaves.row_count), (2, 3));
        assert_eq!(
            (leaves.sums.as_slice(), leaves.total),
            ([10.0].as_slice(), 11.0)
        );
    }
}
