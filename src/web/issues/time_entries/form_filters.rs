//! The fields of the form with filters.

use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{Choice, FieldKind, FormField, choice};
use crate::issues::FilterChoices;
use crate::prelude::*;
use quarry_domain::administration::setting::Setting;
use quarry_domain::query::filter::Records;

/// The parameters that are fields of the form.
pub const NAMES: [&str; 8] = [
    "project_id",
    "subproject_id",
    "user_id",
    "activity_id",
    "issue_id",
    "spent_on",
    "from",
    "to",
];

/// The periods that can be chosen: the filter by the day, and its label.
const PERIODS: [(&str, &str); 9] = [
    ("", "Any time"),
    ("t", "Today"),
    ("ld", "Yesterday"),
    ("w", "This week"),
    ("lw", "Last week"),
    ("m", "This month"),
    ("lm", "Last month"),
    ("y", "This year"),
    ("><t-30", "The past 30 days"),
];

/// Returns the fields with the values of the request. A value that is not among the choices stays.
pub fn fields(
    request: &RequestContext,
    catalogue: &Catalogue,
    project: Option<&Project>,
) -> Vec<FormField> {
    let viewer = request.viewer();
    let form = FieldBuilder::without_object(&request.query);
    let choices = FilterChoices {
        viewer,
        catalogue,
        project: project.map(|project| project.id),
    };
    let select = |name: &str, label: &str, choices: Vec<Choice>| {
        let value = request.query_param(name).unwrap_or_default().into_owned();
        form.select_or_keep(name, label, Some((value.clone(), value)), choices)
    };
    let or_all = |all: &str, choices: Vec<Choice>| [vec![choice("", all)], choices].concat();
    let scope = match project {
        None => Some(select(
            "project_id",
            "Project",
            or_all("All projects", projects(request, catalogue)),
        )),
        Some(project) => has_subprojects(request, catalogue, project).then(|| {
            let (with, alone) = if catalogue.is_on(Setting::DisplaySubprojectsIssues) {
                ("", "!*")
            } else {
                ("*", "")
            };
            let scopes = vec![choice(with, "included"), choice(alone, "left out")];
            select("subproject_id", "Subprojects", scopes)
        }),
    };
    let people = choices.records(Records::Users).unwrap_or_default();
    let activities = choices.records(Records::Activities).unwrap_or_default();
    let periods = PERIODS.map(|(value, label)| choice(value, label)).to_vec();
    let issue = form.field(FieldKind::Integer, "issue_id", "Issue", "");
    scope
        .into_iter()
        .chain([
            select("user_id", "Person", or_all("Everybody", people)),
            select("activity_id", "Activity", or_all("All", activities)),
            issue,
            select("spent_on", "Period", periods),
            form.date("from", "From", None),
            form.date("to", "To", None),
        ])
        .collect()
}

/// Returns the projects whose spent time the viewer may see, in the order of the tree.
fn projects(request: &RequestContext, catalogue: &Catalogue) -> Vec<Choice> {
    let viewer = request.viewer();
    let projects = catalogue
        .tree
        .iter()
        .filter(|id| viewer.may(Permission::ViewTimeEntries, **id))
        .filter_map(|id| catalogue.projects.get(id));
    projects
        .map(|project| choice(&project.identifier, &project.name))
        .collect()
}

fn has_subprojects(request: &RequestContext, catalogue: &Catalogue, project: &Project) -> bool {
    let below = catalogue.subtree(project.id);
    let mut visible = below
        .iter()
        .filter(|id| request.viewer().may(Permission::ViewTimeEntries, **id));
    visible.nth(1).is_some()
}
