//! The form of a time entry: on an issue, in a project, and to change one.

use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{Choice, FormField, choice};
use crate::form::custom_fields::rows_in_project;
use crate::issues::issue_reference::{self, IssueReference};
use crate::prelude::*;
use quarry_actions::issues::assignable;
use quarry_domain::administration::custom_field::{Customized, Values};
use quarry_domain::administration::enumeration::Enumeration;
use quarry_domain::administration::setting::Setting;
use quarry_domain::administration::time_zone;
use quarry_domain::ids::EnumerationId;
use quarry_domain::issues::time_entry::{TimeEntry, TimeEntryChange, round};
use quarry_domain::values::patch::Patch;
use quarry_http::resources::fields;
use quarry_store::issues::time_entries as stored_time_entries;

/// The name of the object in forms, as in the API.
pub const OBJECT: &str = "time_entry";
/// The field with the issue.
pub const ISSUE: &str = "time_entry[issue_id]";
/// The field with the comment.
pub const COMMENTS: &str = "time_entry[comments]";

/// Maximum number of people to choose from.
const MAX_PEOPLE: usize = 500;

/// What the form is for.
pub struct TimeEntryForm<'a> {
    pub request: &'a RequestContext,
    pub db: &'a Read<'a>,
    /// The project in which the time is logged.
    pub project: ProjectId,
    /// The time entry that is changed, with its values of custom fields.
    pub entry: Option<(&'a TimeEntry, &'a Values)>,
    /// What was sent.
    pub sent: &'a Input,
}

impl TimeEntryForm<'_> {
    /// Returns hours, activity, date, comment, custom fields, and for those who may log the time of
    /// others the person.
    pub fn fields(&self) -> Result<Vec<FormField>, Error> {
        let catalogue = self.db.catalogue();
        let viewer = self.request.viewer();
        let entry = self.entry.map(|(entry, _)| entry);
        let form = FieldBuilder::new(OBJECT, self.sent);
        let day = entry.map_or_else(
            || time_zone::date_for_user(catalogue, viewer.user, self.db.now()),
            |entry| entry.spent_on,
        );
        let hours = entry.map(|entry| round(entry.hours).to_string());
        let hours = form
            .line("hours", "Hours", hours.unwrap_or_default())
            .with_hint("Such as 1.5, 1:30 or 1h30.")
            .required();
        let comments = entry.and_then(|entry| entry.comments.clone());
        let comments = form.line("comments", "Comment", comments.unwrap_or_default());
        let mut rows = vec![
            if entry.is_none() {
                hours.focused()
            } else {
                hours
            },
            self.activity(form)?,
            form.date("spent_on", "Date", Some(day)).required(),
            required_if(comments, catalogue, "comments"),
        ];
        rows.extend(self.person(form));
        let defaults = Values::defaults(catalogue.custom_fields_of(Customized::TimeEntry));
        let values = self.entry.map_or(&defaults, |(_, values)| values);
        let kind = (Customized::TimeEntry, OBJECT);
        rows.extend(rows_in_project(
            self.request,
            catalogue,
            kind,
            self.project,
            values,
            self.sent,
        ));
        Ok(rows)
    }

    /// Returns the field of the activity: at first the last one of the viewer that the project has, or
    /// else the default.
    fn activity(&self, form: FieldBuilder<'_>) -> Result<FormField, Error> {
        let catalogue = self.db.catalogue();
        let mut activities: Vec<Choice> = catalogue
            .activities_of(self.project)
            .map(|activity| choice(activity.id, &activity.name))
            .collect();
        let current = match self.entry {
            Some((entry, _)) => catalogue.enumeration(entry.activity),
            None => self
                .last_activity()?
                .or_else(|| catalogue.default_activity(self.project)),
        };
        if current.is_none() {
            activities.insert(0, choice("", "Choose an activity"));
        }
        let current = current.map(|activity| (activity.id.to_string(), activity.name.clone()));
        let field = form.select_or_keep("activity_id", "Activity", current, activities);
        Ok(field.required())
    }

    /// Returns the activity of the latest day on which the viewer has logged time with one that the
    /// project has.
    fn last_activity(&self) -> Result<Option<&Enumeration>, Error> {
        let catalogue = self.db.catalogue();
        let Some(user) = self.request.viewer().user else {
            return Ok(None);
        };
        let shared = |activity: &Enumeration| activity.parent.unwrap_or(activity.id);
        let in_project = |used: EnumerationId| {
            let used = shared(catalogue.enumeration(used)?);
            catalogue
                .activities_of(self.project)
                .find(|activity| shared(activity) == used)
        };
        let used = stored_time_entries::latest_activities(self.db, user)?;
        Ok(used.into_iter().find_map(in_project))
    }

    /// Returns the field of the person who spent the time, if the viewer may choose one.
    fn person(&self, form: FieldBuilder<'_>) -> Option<FormField> {
        let catalogue = self.db.catalogue();
        let viewer = self.request.viewer();
        if !viewer.may(Permission::LogTimeForOtherUsers, self.project) {
            return None;
        }
        let user = self.entry.map(|(entry, _)| entry.user).or(viewer.user)?;
        let name = catalogue.principal_name(user.into()).unwrap_or_default();
        let members = assignable::list_members(catalogue, self.project);
        let people = members
            .into_iter()
            .take(MAX_PEOPLE)
            .filter(|member| {
                let member = Viewer::new(catalogue, Some(UserId(member.0)));
                member.may(Permission::LogTime, self.project)
            })
            .map(|member| choice(member, catalogue.principal_name(member).unwrap_or_default()));
        let current = Some((user.to_string(), name.to_owned()));
        Some(form.select_or_keep("user_id", "Person", current, people))
    }

    /// Returns the rows of the issue, which words can name. `stored` is the one of the entry that
    /// the viewer may see.
    pub fn issue(&self, stored: Option<IssueId>, named: Option<&IssueReference>) -> Vec<FormField> {
        let form = FieldBuilder::new(OBJECT, self.sent);
        let stored = stored.map(|issue| issue.to_string());
        let field = form.line("issue_id", "Issue", stored.unwrap_or_default());
        let field = required_if(field, self.db.catalogue(), "issue_id");
        let field = issue_reference::searchable(field, Some(self.project));
        match named {
            Some(named) => issue_reference::fields(field, named),
            None => vec![field],
        }
    }
}

fn required_if(field: FormField, catalogue: &Catalogue, name: &str) -> FormField {
    let mut required = catalogue.list_setting(Setting::TimelogRequiredFields);
    if required.any(|word| word == name) {
        field.required()
    } else {
        field
    }
}

/// Parses a form. `named` is the issue that its field names; a field that names none, or several, is
/// an error beside it.
pub fn parse_time_entry(
    request: &RequestContext,
    form: &Input,
    named: Option<&IssueReference>,
) -> Result<TimeEntryChange, Error> {
    let change = fields::time_entry::parse(form, request.viewer())?;
    Ok(match named {
        None => change,
        Some(IssueReference::One(issue)) => TimeEntryChange {
            issue: Patch::Set(*issue),
            ..change
        },
        Some(_) => {
            let field = FieldBuilder::new(OBJECT, form).line("issue_id", "Issue", "");
            let error = issue_reference::error(&field, named);
            return Err(Error::Invalid(ValidationErrors::from(error)));
        }
    })
}
