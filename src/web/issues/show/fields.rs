//! The facts beside an issue: its attributes and custom fields, each with the address of the form
//! that changes it, if the viewer may.

use super::log_time;
use crate::components::avatar::Person;
use crate::components::badge::Stage;
use crate::components::form_field::FormField;
use crate::components::time::Moment;
use crate::issues::change::edit_field;
use crate::issues::time_entries::time_entry_pages;
use crate::prelude::*;
use quarry_domain::access::visibility;
use quarry_domain::administration::custom_field::Customized;
use quarry_domain::administration::setting::Setting;
use quarry_domain::values::stable_sort::StableSort;
use quarry_domain::values::text::date;
use quarry_http::resources::custom_values;
use quarry_http::resources::sentences::hours;
use quarry_store::administration::custom_fields;
use quarry_store::issues;
use quarry_store::issues::time_entries;

/// The facts in the order in which teams change them; custom fields follow those named here.
const ORDER: [&str; 11] = [
    "status_id",
    "assigned_to_id",
    "priority_id",
    "fixed_version_id",
    "due_date",
    "done_ratio",
    "category_id",
    "estimated_hours",
    "parent_issue_id",
    "start_date",
    "spent_hours",
];
/// The number of facts at the beginning of [`ORDER`] that are shown without a value, too.
const FREQUENT: usize = 6;
/// The facts after the custom fields.
const LAST: [&str; 4] = ["tracker_id", "project_id", "is_private", "updated_on"];
/// The value of a fact that most issues have.
const NOT_PRIVATE: &str = "no";

/// A fact: a label and a value.
#[derive(Default)]
pub struct Fact {
    /// The field in the API, such as `status_id`; unique on the page.
    pub name: String,
    pub label: String,
    /// The value as text; empty for none.
    pub text: String,
    /// The address to which the value links.
    pub path: Option<String>,
    /// A share of 100, shown as a bar.
    pub percent: Option<i64>,
    /// The person that is the value.
    pub person: Option<Person>,
    /// The time that is the value.
    pub moment: Option<Moment>,
    /// Of a status: how far it is.
    pub stage: Option<Stage>,
    /// The address of the form that changes it, if the viewer may.
    pub edit_path: Option<String>,
    /// Where the value comes from when nobody sets it; empty otherwise.
    pub note: &'static str,
}

impl Fact {
    fn new(name: &str, label: &str, text: impl Into<String>) -> Fact {
        Fact {
            name: name.to_owned(),
            label: label.to_owned(),
            text: text.into(),
            ..Fact::default()
        }
    }

    fn optional(name: &str, label: &str, text: Option<impl Into<String>>) -> Fact {
        Fact::new(name, label, text.map_or_else(String::new, Into::into))
    }

    fn linked(self, path: Option<String>) -> Fact {
        Fact { path, ..self }
    }

    fn person(name: &str, label: &str, person: Option<Person>) -> Fact {
        Fact {
            person,
            ..Fact::new(name, label, "")
        }
    }

    fn moment(name: &str, label: &str, moment: Moment) -> Fact {
        Fact {
            moment: Some(moment),
            ..Fact::new(name, label, "")
        }
    }

    /// Whether the value is a link already, so that the one to its form stands beside it.
    pub fn links_elsewhere(&self) -> bool {
        self.path.is_some() || self.person.is_some() || self.moment.is_some()
    }

    /// Whether a click on the value changes it, although it has a page: people go there seldom.
    pub fn is_choice(&self) -> bool {
        matches!(self.name.as_str(), "assigned_to_id" | "fixed_version_id")
    }

    /// Returns the page of the value; `None` if it has none.
    pub fn page(&self) -> Option<&str> {
        let person = self
            .person
            .as_ref()
            .and_then(|person| person.path.as_deref());
        self.path.as_deref().or(person)
    }

    /// Whether it is shown only on demand: it has no value, and teams change it seldom. Time is logged
    /// often.
    pub fn is_folded(&self) -> bool {
        let is_frequent = ORDER.iter().take(FREQUENT).any(|name| *name == self.name);
        let is_logged = self.name == "spent_hours" && self.edit_path.is_some();
        let is_default = self.name == "is_private" && self.text == NOT_PRIVATE;
        !is_frequent && !is_logged && self.note.is_empty() && (self.is_empty() || is_default)
    }

    /// Whether its form fits beside it.
    pub fn has_popover(&self) -> bool {
        self.name != "project_id"
    }

    fn is_empty(&self) -> bool {
        self.text.is_empty() && self.person.is_none() && self.moment.is_none()
    }
}

/// Returns the address of the form that changes a field; `None` if the viewer may not.
pub fn edit_path(issue: IssueId, settable: &[FormField], attribute: &str) -> Option<String> {
    let field = settable.iter().find(|field| field.attribute == attribute);
    field.map(|field| edit_field::path(issue, field))
}

/// Returns the facts of an issue in the order of display: those with a value, and those that the
/// viewer may set. Author and time of creation stand above the description. `settable` has the fields that the viewer may set. An issue with visible subtasks
/// says which values come from them.
pub fn facts(
    request: &RequestContext,
    db: &Read<'_>,
    issue: &Issue,
    settable: &[FormField],
    may_move: bool,
    has_subtasks: bool,
) -> Result<Vec<Fact>, Error> {
    let mut facts = attributes(request, db, issue)?;
    if has_subtasks {
        for fact in &mut facts {
            if comes_from_subtasks(db.catalogue(), &fact.name) {
                fact.note = "from the subtasks";
            }
        }
    }
    facts.extend(custom_facts(request, db, issue)?);
    for fact in &mut facts {
        let attribute = match fact.name.strip_prefix("cf_") {
            Some(id) => format!("custom_field_values.{id}"),
            None => fact.name.clone(),
        };
        fact.edit_path = match attribute.as_str() {
            "project_id" if may_move => Some(format!("{}/move", paths::issue(issue.id))),
            "spent_hours" if log_time::may_log(request, db.catalogue(), issue) => {
                Some(log_time::path(issue))
            }
            attribute => edit_path(issue.id, settable, attribute),
        };
    }
    let is_plain = |fact: &Fact| fact.name == "is_private" && !issue.private;
    facts.stable_sort_by_key(|fact| {
        let position = ORDER.iter().position(|name| *name == fact.name);
        let last = LAST.iter().position(|name| *name == fact.name);
        position.unwrap_or_else(|| ORDER.len() + last.map_or(0, |last| last + 1))
    });
    facts.retain(|fact| {
        fact.edit_path.is_some() || !fact.note.is_empty() || !fact.is_empty() && !is_plain(fact)
    });
    Ok(facts)
}

/// Whether the settings say that issues with subtasks have the field from them.
fn comes_from_subtasks(catalogue: &Catalogue, field: &str) -> bool {
    let setting = match field {
        "start_date" | "due_date" => Setting::ParentIssueDates,
        "priority_id" => Setting::ParentIssuePriority,
        "done_ratio" => Setting::ParentIssueDoneRatio,
        _ => return false,
    };
    catalogue.setting(setting) == "derived"
}

fn attributes(request: &RequestContext, db: &Read<'_>, issue: &Issue) -> Result<Vec<Fact>, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let tracker = catalogue.tracker(issue.tracker);
    let has = |field| tracker.is_none_or(|tracker| tracker.has(field));
    let status = catalogue.status(issue.status);
    let project = catalogue.projects.get(&issue.project);
    let mut facts = vec![
        Fact {
            stage: Some(Stage::of(catalogue, issue.status)),
            ..Fact::optional("status_id", "Status", status.map(|status| &status.name))
        },
        Fact::optional(
            "tracker_id",
            "Tracker",
            tracker.map(|tracker| &tracker.name),
        ),
        Fact::optional(
            "project_id",
            "Project",
            project.map(|project| &project.name),
        )
        .linked(project.map(paths::project)),
    ];
    if has("priority_id") {
        let priority = catalogue.enumeration(issue.priority);
        let name = priority.map(|priority| &priority.name);
        facts.push(Fact::optional("priority_id", "Priority", name));
    }
    let assignee = issue
        .assignee
        .map(|id| Person::with_picture(viewer, catalogue, id));
    let mut assignee = Fact::person("assigned_to_id", "Assignee", assignee);
    if issue.assignee.is_none() && has("assigned_to_id") {
        "Nobody".clone_into(&mut assignee.text);
    }
    facts.push(assignee);
    let category = issue.category.and_then(|id| catalogue.categories.get(&id));
    facts.push(Fact::optional(
        "category_id",
        "Category",
        category.map(|category| &category.name),
    ));
    let version = issue.version.and_then(|id| catalogue.versions.get(&id));
    let visible = version.filter(|version| viewer.may(Permission::ViewIssues, version.project));
    facts.push(
        Fact::optional(
            "fixed_version_id",
            "Target version",
            version.map(|version| &version.name),
        )
        .linked(visible.map(|version| paths::version(version.id))),
    );
    facts.push(parent(request, db, issue)?);
    facts.push(Fact::optional(
        "start_date",
        "Start date",
        issue.start_date.map(date),
    ));
    facts.push(Fact::optional(
        "due_date",
        "Due date",
        issue.due_date.map(date),
    ));
    facts.push(Fact::optional(
        "estimated_hours",
        "Estimated time",
        issue.estimated_hours.map(hours),
    ));
    let spent = spent(request, db, issue)?;
    let list = spent
        .is_some()
        .then(|| time_entry_pages::issue_list_path(catalogue, issue.project, issue.id));
    facts.push(Fact::optional("spent_hours", "Spent time", spent).linked(list));
    if has("done_ratio") {
        let percent = done_ratio(issue, catalogue);
        facts.push(Fact {
            percent: Some(percent),
            ..Fact::new("done_ratio", "% Done", format!("{percent} %"))
        });
    }
    let private = if issue.private { "yes" } else { NOT_PRIVATE };
    facts.push(Fact::new("is_private", "Private", private));
    facts.push(Fact::moment(
        "updated_on",
        "Updated",
        Moment::new(issue.updated_on),
    ));
    Ok(facts)
}

/// Returns the parent. A hidden one looks like none.
fn parent(request: &RequestContext, db: &Read<'_>, issue: &Issue) -> Result<Fact, Error> {
    let visible = visibility::issues(request.viewer());
    let parent = match issue.parent {
        Some(parent) => issues::find(db, visible, parent)?,
        None => None,
    };
    let text = parent
        .as_ref()
        .map(|parent| format!("#{} {}", parent.id, parent.subject));
    let parent = parent.map(|parent| parent.id);
    Ok(Fact::optional("parent_issue_id", "Parent task", text).linked(parent.map(paths::issue)))
}

/// Returns the spent time that the viewer may see; `None` for none.
fn spent(request: &RequestContext, db: &Read<'_>, issue: &Issue) -> Result<Option<String>, Error> {
    let viewer = request.viewer();
    if !viewer.may(Permission::ViewTimeEntries, issue.project) {
        return Ok(None);
    }
    let by_issue = time_entries::hours_by_issue(db, viewer, &[issue.id.0])?;
    let spent = by_issue.get(&issue.id).copied().unwrap_or(0.0);
    Ok((spent > 0.0).then(|| hours(spent)))
}

fn custom_facts(
    request: &RequestContext,
    db: &Read<'_>,
    issue: &Issue,
) -> Result<Vec<Fact>, Error> {
    let catalogue = db.catalogue();
    if catalogue.custom_fields.is_empty() {
        return Ok(Vec::new());
    }
    let values = custom_fields::find_values(db, Customized::Issue, issue.id.0)?;
    let fields = catalogue
        .custom_fields_of(Customized::Issue)
        .filter(|field| field.is_in(issue.project, issue.tracker))
        .filter(|field| field.is_visible_to(request.viewer(), issue.project));
    let facts = fields.map(|field| {
        let value = custom_values::list(catalogue, std::iter::once(field), &values).pop();
        let (text, path) = value.map_or_else(Default::default, |value| (value.text, value.path));
        Fact::new(&format!("cf_{}", field.id), &field.name, text).linked(path)
    });
    Ok(facts.collect())
}

/// Returns the done ratio: that of the status if the setting says so, otherwise that of the issue
/// (compatibility 6.6).
pub fn done_ratio(issue: &Issue, catalogue: &Catalogue) -> i64 {
    let by_status = catalogue.setting(Setting::IssueDoneRatio) == "issue_status";
    let of_status = catalogue
        .status(issue.status)
        .and_then(|status| status.default_done_ratio)
        .filter(|_| by_status);
    of_status.unwrap_or(issue.done_ratio).clamp(0, 100)
}
