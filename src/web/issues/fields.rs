//! The facts beside an issue: attributes and custom fields that have a value.

use crate::components::avatar::Person;
use crate::components::time::date;
use crate::custom_values;
use quarry_domain::access::permission::Permission;
use quarry_domain::administration::custom_field::Customized;
use quarry_domain::administration::setting::Setting;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::issues::issue::Issue;
use quarry_http::resources::paths;
use quarry_http::{Error, RequestContext};
use quarry_store::administration::custom_fields;
use quarry_store::issues::time_entries;
use quarry_store::{Read, issues};

/// A fact: a label and a value.
pub struct Fact {
    pub label: String,
    /// The value as text.
    pub text: String,
    /// The address to which the value links.
    pub path: Option<String>,
    /// A share of 100, shown as a bar.
    pub percent: Option<i64>,
    /// The person that is the value.
    pub person: Option<Person>,
}

impl Fact {
    fn new(label: impl Into<String>, text: impl Into<String>) -> Fact {
        Fact {
            label: label.into(),
            text: text.into(),
            path: None,
            percent: None,
            person: None,
        }
    }

    fn linked(self, path: Option<String>) -> Fact {
        Fact { path, ..self }
    }

    fn person(label: &str, person: Person) -> Fact {
        Fact {
            person: Some(person),
            ..Fact::new(label, "")
        }
    }
}

/// Returns the facts of an issue in the order of display.
pub fn facts(request: &RequestContext, db: &Read<'_>, issue: &Issue) -> Result<Vec<Fact>, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let mut facts = Vec::new();
    if let Some(priority) = catalogue.enumeration(issue.priority) {
        facts.push(Fact::new("Priority", &priority.name));
    }
    match issue.assignee {
        Some(assignee) => facts.push(Fact::person("Assignee", Person::new(catalogue, assignee))),
        None if catalogue
            .tracker(issue.tracker)
            .is_none_or(|tracker| tracker.has("assigned_to_id")) =>
        {
            facts.push(Fact::new("Assignee", "nobody"))
        }
        None => {}
    }
    if let Some(category) = issue.category.and_then(|id| catalogue.categories.get(&id)) {
        facts.push(Fact::new("Category", &category.name));
    }
    if let Some(version) = issue.version.and_then(|id| catalogue.versions.get(&id)) {
        let path = viewer
            .may(Permission::ViewIssues, version.project)
            .then(|| paths::version(version.id));
        facts.push(Fact::new("Version", &version.name).linked(path));
    }
    if let Some(parent) = issue.parent
        && issues::visible_ids(db, viewer, &[parent.0])?.contains(&parent)
    {
        facts.push(Fact::new("Parent", format!("#{parent}")).linked(Some(paths::issue(parent))));
    }
    facts.extend(issue.start_date.map(|day| Fact::new("Start", date(day))));
    facts.extend(issue.due_date.map(|day| Fact::new("Due", date(day))));
    if catalogue
        .tracker(issue.tracker)
        .is_none_or(|tracker| tracker.has("done_ratio"))
    {
        let percent = done_ratio(issue, catalogue);
        facts.push(Fact {
            percent: Some(percent),
            ..Fact::new("Done", format!("{percent} %"))
        });
    }
    facts.extend(
        issue
            .estimated_hours
            .map(|value| Fact::new("Estimated", hours(value))),
    );
    if viewer.may(Permission::ViewTimeEntries, issue.project) {
        let spent = time_entries::hours_by_issue(db, viewer, &[issue.id.0])?
            .get(&issue.id)
            .copied()
            .unwrap_or(0.0);
        if spent > 0.0 {
            facts.push(Fact::new("Spent", hours(spent)));
        }
    }
    facts.extend(custom_facts(request, db, issue)?);
    Ok(facts)
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
        .filter(|field| field.is_in(issue.project, issue.tracker));
    let fields = fields.filter(|field| field.is_visible_to(request.viewer(), issue.project));
    let facts = custom_values::list(catalogue, fields, &values)
        .into_iter()
        .map(|value| Fact::new(value.label, value.text).linked(value.path));
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

/// Returns hours such as 6.5 h.
pub fn hours(value: f64) -> String {
    format!("{} h", (value * 100.0).round() / 100.0)
}
