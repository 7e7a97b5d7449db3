//! The rows of a list of time entries, with what they need besides the entries.

use crate::components::avatar::Person;
use crate::components::list_page::Link;
use crate::prelude::*;
use quarry_actions::issues::time_entries;
use quarry_domain::ids::EnumerationId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::index_feed::search_record::SearchRecord;
use quarry_domain::issues::time_entry::TimeEntry;
use quarry_domain::values::text::date;
use quarry_http::resources::sentences::hours;
use quarry_store::index_feed::search_records;
use std::collections::HashMap;

/// A time entry in a list.
pub struct Row {
    pub id: i64,
    /// The day on which the time was spent.
    pub day: String,
    pub person: Person,
    pub activity: String,
    /// The project, where the list has several.
    pub project: Option<Link>,
    /// The issue, if the viewer may see it.
    pub issue: Option<Link>,
    pub comments: String,
    pub hours: String,
    /// What the viewer may do with it.
    pub links: Vec<Link>,
}

/// Returns number and subject of an issue.
pub fn issue_label(issue: &SearchRecord) -> String {
    format!("#{} {}", issue.id, issue.title)
}

/// The records that time entries refer to, as far as the viewer may see them.
pub struct RowContext<'a> {
    pub viewer: &'a Viewer,
    pub catalogue: &'a Catalogue,
    issues: HashMap<i64, SearchRecord>,
}

impl<'a> RowContext<'a> {
    /// Loads the issues of these time entries.
    pub fn load(
        db: &'a Read<'_>,
        viewer: &'a Viewer,
        entries: &[TimeEntry],
    ) -> Result<RowContext<'a>, Error> {
        let mut ids: Vec<i64> = entries
            .iter()
            .filter_map(|entry| entry.issue)
            .map(|issue| issue.0)
            .collect();
        ids.sort_unstable();
        ids.dedup();
        Ok(RowContext {
            viewer,
            catalogue: db.catalogue(),
            issues: search_records::load(db, viewer, Kind::Issue, &ids)?,
        })
    }

    /// Returns the issue of a time entry, if the viewer may see it.
    pub fn issue(&self, entry: &TimeEntry) -> Option<&SearchRecord> {
        self.issue_by_id(entry.issue?)
    }

    /// Returns the issue with this id, if one of the time entries has it and the viewer may see it.
    pub fn issue_by_id(&self, id: IssueId) -> Option<&SearchRecord> {
        self.issues.get(&id.0)
    }

    /// Returns the comment. One on an issue that the viewer may not see is hidden, except for their own time.
    pub fn comments<'e>(&self, entry: &'e TimeEntry) -> &'e str {
        let is_own = self.viewer.user == Some(entry.user);
        let is_visible = is_own || entry.issue.is_none() || self.issue(entry).is_some();
        let comments = entry.comments.as_deref().filter(|_| is_visible);
        comments.unwrap_or_default()
    }

    /// Returns the name of the activity.
    pub fn activity(&self, entry: &TimeEntry) -> &'a str {
        self.activity_name(entry.activity)
    }

    /// Returns the name of an activity.
    pub fn activity_name(&self, id: EnumerationId) -> &'a str {
        let activity = self.catalogue.enumeration(id);
        activity.map_or("", |activity| &activity.name)
    }

    /// Returns the name of the person who spent the time.
    pub fn person_name(&self, entry: &TimeEntry) -> &'a str {
        let name = self.catalogue.principal_name(entry.user.into());
        name.unwrap_or("Anonymous")
    }

    /// Returns the row. `back` is a parameter of its links, with the address of the list.
    pub fn row(&self, entry: &TimeEntry, has_projects: bool, back: &str) -> Row {
        let link =
            |label, verb| Link::new(label, format!("/time_entries/{}/{verb}{back}", entry.id));
        let project = self
            .catalogue
            .projects
            .get(&entry.project)
            .filter(|_| has_projects);
        let edit = time_entries::may_edit(self.viewer, entry).then(|| link("Edit", "edit"));
        let may_delete = time_entries::may_delete(self.catalogue, self.viewer, entry);
        let delete = may_delete.then(|| link("Delete", "delete"));
        Row {
            id: entry.id.0,
            day: date(entry.spent_on),
            person: Person::with_picture(self.viewer, self.catalogue, entry.user.into()),
            activity: self.activity(entry).to_owned(),
            project: project.map(|project| Link::new(&project.name, paths::project(project))),
            issue: self
                .issue(entry)
                .map(|issue| Link::new(issue_label(issue), paths::issue(issue.id))),
            comments: self.comments(entry).to_owned(),
            hours: hours(entry.hours),
            links: edit.or(delete).into_iter().collect(),
        }
    }
}
