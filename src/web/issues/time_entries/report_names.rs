//! The names of the values that a report groups by, and the lists of their time entries.

use super::report_table::ReportRow;
use super::rows::issue_label;
use crate::prelude::*;
use crate::queries::ListAddress;
use quarry_domain::ids::{CategoryId, EnumerationId, StatusId, TrackerId, VersionId};
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::index_feed::search_record::SearchRecord;
use quarry_domain::query::saved::SavedFilter;
use quarry_domain::query::time_report::ReportCriterion;
use quarry_store::index_feed::search_records;
use std::collections::HashMap;

/// The names of the values in some rows.
pub struct ReportNames<'a> {
    viewer: &'a Viewer,
    catalogue: &'a Catalogue,
    /// Whether the report has several projects.
    has_projects: bool,
    issues: HashMap<i64, SearchRecord>,
}

impl<'a> ReportNames<'a> {
    /// Loads the issues in these rows.
    pub fn load(
        db: &'a Read<'_>,
        viewer: &'a Viewer,
        rows: &[ReportRow],
        has_projects: bool,
    ) -> Result<ReportNames<'a>, Error> {
        let mut ids: Vec<i64> = rows
            .iter()
            .flat_map(|row| &row.values)
            .filter(|(criterion, _)| *criterion == ReportCriterion::Issue)
            .filter_map(|(_, id)| *id)
            .collect();
        ids.sort_unstable();
        ids.dedup();
        Ok(ReportNames {
            viewer,
            catalogue: db.catalogue(),
            has_projects,
            issues: search_records::load(db, viewer, Kind::Issue, &ids)?,
        })
    }

    /// Returns the name of a value.
    pub fn name(&self, criterion: ReportCriterion, value: Option<i64>) -> String {
        let Some(id) = value else {
            return match criterion {
                ReportCriterion::Category => "No category",
                ReportCriterion::Version => "No version",
                _ => "No issue",
            }
            .to_owned();
        };
        let catalogue = self.catalogue;
        let name = match criterion {
            ReportCriterion::Project => Some(catalogue.project_name(ProjectId(id)).to_owned()),
            ReportCriterion::Issue => self.issues.get(&id).map(issue_label),
            ReportCriterion::User => catalogue.principal_name(id.into()).map(str::to_owned),
            ReportCriterion::Activity => catalogue
                .enumeration(EnumerationId(id))
                .map(|activity| activity.name.clone()),
            ReportCriterion::Tracker => catalogue
                .tracker(TrackerId(id))
                .map(|tracker| tracker.name.clone()),
            ReportCriterion::Status => catalogue
                .status(StatusId(id))
                .map(|status| status.name.clone()),
            ReportCriterion::Category => catalogue
                .categories
                .get(&CategoryId(id))
                .map(|category| self.with_project(&category.name, category.project)),
            ReportCriterion::Version => catalogue
                .versions
                .get(&VersionId(id))
                .map(|version| self.with_project(&version.name, version.project)),
        };
        name.unwrap_or_else(|| "Unknown".to_owned())
    }

    /// Returns a name with that of its project where several projects can have it.
    fn with_project(&self, name: &str, project: ProjectId) -> String {
        if self.has_projects && self.viewer.sees(project) {
            format!("{name} ({})", self.catalogue.project_name(project))
        } else {
            name.to_owned()
        }
    }

    /// Returns the address of the page of a value.
    pub fn path(&self, criterion: ReportCriterion, value: Option<i64>) -> Option<String> {
        let id = value?;
        match criterion {
            ReportCriterion::Issue => Some(paths::issue(id)),
            ReportCriterion::Project => {
                let project = self.catalogue.projects.get(&ProjectId(id))?;
                Some(paths::project(project))
            }
            _ => None,
        }
    }
}

/// Returns the parameters of the list with the time entries of a row. `address` has those of the
/// report.
pub fn list_address(address: &ListAddress, row: &ReportRow) -> ListAddress {
    let filters = row.values.iter().map(|(criterion, value)| {
        let (name, operator) = match (criterion, value) {
            // Entries without an issue have no tracker and no status.
            (ReportCriterion::Issue | ReportCriterion::Tracker | ReportCriterion::Status, None) => {
                ("issue_id", "!*")
            }
            (criterion, None) => (filter_name(*criterion), "!*"),
            (criterion, Some(_)) => (filter_name(*criterion), "="),
        };
        SavedFilter {
            name: name.to_owned(),
            operator: operator.to_owned(),
            values: value.iter().map(i64::to_string).collect(),
        }
    });
    filters.fold(address.clone(), |address, filter| {
        address.with_filter(&filter)
    })
}

/// Returns the name of the filter by a criterion.
fn filter_name(criterion: ReportCriterion) -> &'static str {
    match criterion {
        ReportCriterion::Project => "project_id",
        ReportCriterion::Issue => "issue_id",
        ReportCriterion::User => "user_id",
        ReportCriterion::Activity => "activity_id",
        ReportCriterion::Tracker => "issue.tracker_id",
        ReportCriterion::Status => "issue.status_id",
        ReportCriterion::Category => "issue.category_id",
        ReportCriterion::Version => "issue.fixed_version_id",
    }
}
