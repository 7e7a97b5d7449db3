//! The records that the cells of a page of the list need, loaded once, and only for columns that are
//! shown.

use super::cell_texts::join;
use crate::prelude::*;
use quarry_domain::access::visibility;
use quarry_domain::administration::custom_field::{Customized, Values};
use quarry_domain::content::watcher::WatchableType;
use quarry_domain::ids::PrincipalId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::index_feed::search_record::SearchRecord;
use quarry_domain::query::associations::Association;
use quarry_domain::query::columns::Column;
use quarry_store::StoreError;
use quarry_store::administration::custom_fields;
use quarry_store::content::{attachments, watchers};
use quarry_store::index_feed::search_records;
use quarry_store::issues;
use quarry_store::issues::{journals, relations, time_entries};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The records that the cells of a page need besides the issues.
pub struct CellContext<'a> {
    pub(super) viewer: &'a Viewer,
    pub(super) catalogue: &'a Catalogue,
    pub(super) spent: HashMap<IssueId, f64>,
    pub(super) total_spent: HashMap<IssueId, f64>,
    pub(super) total_estimated: HashMap<IssueId, f64>,
    pub(super) parents: HashMap<i64, SearchRecord>,
    pub(super) updaters: HashMap<i64, UserId>,
    pub(super) values: HashMap<i64, Values>,
    pub(super) record_values: HashMap<(Association, i64), Values>,
    pub(super) files: HashMap<i64, String>,
    pub(super) last_notes: HashMap<i64, String>,
    pub(super) related: HashMap<i64, Vec<i64>>,
    pub(super) watchers: HashMap<i64, Vec<PrincipalId>>,
}

impl<'a> CellContext<'a> {
    /// Loads what these columns need for these issues.
    pub fn load(
        db: &'a Read<'_>,
        viewer: &'a Viewer,
        listed: &[Arc<Issue>],
        columns: &[Column],
    ) -> Result<CellContext<'a>, Error> {
        let ids: Vec<i64> = listed.iter().map(|issue| issue.id.0).collect();
        let has = |column: Column| columns.contains(&column);
        let has_custom = columns
            .iter()
            .any(|column| matches!(column, Column::Custom(_)));
        let parents: Vec<i64> = listed
            .iter()
            .filter_map(|issue| issue.parent)
            .map(|parent| parent.0)
            .collect();
        let mut context = CellContext {
            viewer,
            catalogue: db.catalogue(),
            spent: load_if(has(Column::SpentHours), || {
                time_entries::hours_by_issue(db, viewer, &ids)
            })?,
            total_spent: load_if(has(Column::TotalSpentHours), || {
                issues::total_spent(db, viewer, &ids)
            })?,
            total_estimated: load_if(has(Column::TotalEstimatedHours), || {
                issues::total_estimated(db, viewer, &ids)
            })?,
            parents: load_if(has(Column::Parent) || has(Column::ParentSubject), || {
                search_records::load(db, viewer, Kind::Issue, &parents)
            })?,
            updaters: load_if(has(Column::LastUpdatedBy), || {
                issues::last_updaters(db, viewer, &ids)
            })?,
            values: load_if(has_custom, || {
                custom_fields::list_values(db, Customized::Issue, &ids)
            })?,
            record_values: HashMap::new(),
            files: HashMap::new(),
            last_notes: HashMap::new(),
            related: HashMap::new(),
            watchers: HashMap::new(),
        };
        context.load_texts(db, listed, &ids, columns)?;
        context.load_record_values(db, listed, columns)?;
        Ok(context)
    }

    /// Loads files, notes, relations and watchers.
    fn load_texts(
        &mut self,
        db: &Read<'_>,
        issues: &[Arc<Issue>],
        ids: &[i64],
        columns: &[Column],
    ) -> Result<(), Error> {
        if columns.contains(&Column::Files) {
            let files = attachments::list_by_container(db, Kind::Issue, ids)?;
            self.files = files
                .into_iter()
                .map(|(issue, files)| (issue, join(files.into_iter().map(|file| file.filename))))
                .collect();
        }
        if columns.contains(&Column::LastNotes) {
            let projects: HashMap<i64, ProjectId> = issues
                .iter()
                .map(|issue| (issue.id.0, issue.project))
                .collect();
            let notes = journals::readable_notes(db, self.viewer, &projects)?.notes;
            self.last_notes = notes
                .into_iter()
                .map(|note| (note.issue, note.text))
                .collect();
        }
        if columns.contains(&Column::Relations) {
            for relation in relations::list_visible(db, self.viewer, ids)? {
                self.related
                    .entry(relation.from.0)
                    .or_default()
                    .push(relation.to.0);
                self.related
                    .entry(relation.to.0)
                    .or_default()
                    .push(relation.from.0);
            }
        }
        if columns.contains(&Column::Watchers) {
            let visible = issues.iter().filter(|issue| {
                self.viewer
                    .may(Permission::ViewIssueWatchers, issue.project)
            });
            let ids: Vec<i64> = visible.map(|issue| issue.id.0).collect();
            self.watchers = watchers::list_by_record(db, WatchableType::Issue, &ids)?;
        }
        Ok(())
    }

    /// Loads the custom fields of associated records: those of records that the viewer may see.
    fn load_record_values(
        &mut self,
        db: &Read<'_>,
        issues: &[Arc<Issue>],
        columns: &[Column],
    ) -> Result<(), Error> {
        for association in [
            Association::Project,
            Association::Author,
            Association::Assignee,
            Association::Version,
        ] {
            if !columns.iter().any(
                |column| matches!(column, Column::OfAssociation(other, _) if *other == association),
            ) {
                continue;
            }
            let visible: BTreeSet<i64> = match association {
                Association::Project => self
                    .viewer
                    .projects_with(Permission::ViewProject)
                    .map(|id| id.0)
                    .collect(),
                Association::Version => visibility::versions(self.viewer, self.catalogue)
                    .map(|version| version.id.0)
                    .collect(),
                _ => visibility::principals(self.viewer, self.catalogue)
                    .as_slice()
                    .iter()
                    .copied()
                    .collect(),
            };
            let records: BTreeSet<i64> = issues
                .iter()
                .filter_map(|issue| record_of(issue, association))
                .collect();
            let ids: Vec<i64> = records.intersection(&visible).copied().collect();
            // Users and groups share one type of values.
            let customized = association
                .customized()
                .first()
                .copied()
                .unwrap_or(Customized::Project);
            let values = custom_fields::list_values(db, customized, &ids)?;
            self.record_values.extend(
                values
                    .into_iter()
                    .map(|(id, values)| ((association, id), values)),
            );
        }
        Ok(())
    }
}

/// Loads what a column needs, if it is shown.
fn load_if<T: Default>(
    is_shown: bool,
    load: impl FnOnce() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    if is_shown { load() } else { Ok(T::default()) }
}

/// Returns the id of the associated record of an issue.
pub(super) fn record_of(issue: &Issue, association: Association) -> Option<i64> {
    match association {
        Association::Project => Some(issue.project.0),
        Association::Author | Association::User => Some(issue.author.0),
        Association::Assignee => issue.assignee.map(|id| id.0),
        Association::Version => issue.version.map(|id| id.0),
    }
}
