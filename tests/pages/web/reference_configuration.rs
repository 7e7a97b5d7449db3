//! A whole configuration is reached from a fresh installation by pages alone.

use super::roles::send;
use quarry::domain::catalogue::Catalogue;
use quarry_world::browser::Browser;
use quarry_world::{Response, World};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

const REFERENCE: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/fixtures/administration/reference.json"
));

#[derive(Deserialize)]
struct Reference {
    settings: BTreeMap<String, String>,
    statuses: Vec<Status>,
    trackers: Vec<Tracker>,
    priorities: Vec<String>,
    activities: Vec<String>,
    roles: Vec<Role>,
    custom_fields: Vec<Field>,
    groups: Vec<String>,
    users: Vec<User>,
    workflows: Vec<Workflow>,
    projects: Vec<Project>,
}

#[derive(Deserialize)]
struct Status {
    name: String,
    is_closed: bool,
}

#[derive(Deserialize)]
struct Tracker {
    name: String,
    default_status: String,
    description: String,
}

#[derive(Deserialize)]
struct Role {
    name: String,
    permissions: Vec<String>,
    issues_visibility: String,
}

#[derive(Deserialize)]
struct Field {
    name: String,
    format: String,
    possible_values: Vec<String>,
    required: bool,
    trackers: Vec<String>,
}

#[derive(Deserialize)]
struct User {
    login: String,
    firstname: String,
    lastname: String,
    mail: String,
    groups: Vec<String>,
}

#[derive(Deserialize)]
struct Workflow {
    role: String,
    tracker: String,
    transitions: Vec<String>,
}

#[derive(Deserialize)]
struct Project {
    identifier: String,
    name: String,
    parent: Option<String>,
    modules: Vec<String>,
    trackers: Vec<String>,
    members: BTreeMap<String, Vec<String>>,
    versions: Vec<String>,
    categories: Vec<String>,
}

/// An administrator who fills in forms.
struct Administrator<'w> {
    world: &'w World,
    browser: Browser<'w>,
}

impl Administrator<'_> {
    /// Fills in the form at this address, as it is but for these fields, and saves it.
    #[track_caller]
    fn fill(&self, path: &str, fields: &[(&str, &str)]) -> Response {
        let page = self.browser.get(path).assert_status(200);
        let saved = send(&self.browser, &page, path, fields);
        assert!(matches!(saved.status, 200 | 303), "{path}: {saved:?}");
        saved
    }

    fn catalogue(&self) -> Arc<Catalogue> {
        self.world.app.store.catalogue().unwrap()
    }

    fn status(&self, name: &str) -> String {
        let catalogue = self.catalogue();
        let mut statuses = catalogue.statuses.iter();
        statuses
            .find(|status| status.name == name)
            .unwrap()
            .id
            .to_string()
    }

    fn tracker(&self, name: &str) -> String {
        let catalogue = self.catalogue();
        let mut trackers = catalogue.trackers.iter();
        trackers
            .find(|tracker| tracker.name == name)
            .unwrap()
            .id
            .to_string()
    }

    fn role(&self, name: &str) -> String {
        let catalogue = self.catalogue();
        let mut roles = catalogue.roles.iter();
        roles.find(|role| role.name == name).unwrap().id.to_string()
    }

    fn group(&self, name: &str) -> String {
        let catalogue = self.catalogue();
        let mut groups = catalogue.groups.values();
        groups
            .find(|group| group.name == name)
            .unwrap()
            .id
            .to_string()
    }

    /// Returns the id of a user or group by its name.
    fn principal(&self, name: &str) -> String {
        let catalogue = self.catalogue();
        let mut users = catalogue.users.values();
        match users.find(|user| user.name == name) {
            Some(user) => user.id.to_string(),
            None => self.group(name),
        }
    }

    fn configure(&self, reference: &Reference) {
        self.tracking(reference);
        self.people(reference);
        for workflow in &reference.workflows {
            self.workflow(workflow);
        }
        for project in &reference.projects {
            self.project(project);
        }
        for (name, value) in &reference.settings {
            let found = self.browser.get(&format!("/settings?q={name}"));
            let before = found.body.split(&format!("#{name}\"")).next().unwrap();
            let tab = before.rsplit("/settings?tab=").next().unwrap();
            let path = format!("/settings?tab={tab}");
            self.fill(&path, &[(name, value), ("password", "adminadmin")]);
        }
    }

    fn tracking(&self, reference: &Reference) {
        for status in &reference.statuses {
            let is_closed = if status.is_closed { "1" } else { "0" };
            let fields = [
                ("issue_status[name]", status.name.as_str()),
                ("issue_status[is_closed]", is_closed),
            ];
            self.fill("/issue_statuses/new", &fields);
        }
        for tracker in &reference.trackers {
            let default_status = self.status(&tracker.default_status);
            let fields = [
                ("tracker[name]", tracker.name.as_str()),
                ("tracker[default_status_id]", default_status.as_str()),
                ("tracker[description]", tracker.description.as_str()),
            ];
            self.fill("/trackers/new", &fields);
        }
        for priority in &reference.priorities {
            let path = "/enumerations/new?type=IssuePriority";
            self.fill(path, &[("enumeration[name]", priority)]);
        }
        for activity in &reference.activities {
            let path = "/enumerations/new?type=TimeEntryActivity";
            self.fill(path, &[("enumeration[name]", activity)]);
        }
        for field in &reference.custom_fields {
            let trackers: Vec<String> = field
                .trackers
                .iter()
                .map(|name| self.tracker(name))
                .collect();
            let values = field.possible_values.join("\n");
            let mut fields = vec![
                ("custom_field[name]", field.name.as_str()),
                (
                    "custom_field[is_required]",
                    if field.required { "1" } else { "0" },
                ),
                ("custom_field[is_for_all]", "1"),
            ];
            if !values.is_empty() {
                fields.push(("custom_field[possible_values]", values.as_str()));
            }
            let trackers = trackers.iter();
            fields.extend(trackers.map(|id| ("custom_field[tracker_ids][]", id.as_str())));
            let path = format!(
                "/custom_fields/new?type=IssueCustomField&custom_field%5Bfield_format%5D={}",
                field.format
            );
            self.fill(&path, &fields);
        }
    }

    fn people(&self, reference: &Reference) {
        for role in &reference.roles {
            let mut fields = vec![
                ("role[name]", role.name.as_str()),
                ("role[issues_visibility]", role.issues_visibility.as_str()),
            ];
            let permissions = role.permissions.iter();
            fields.extend(permissions.map(|name| ("role[permissions][]", name.as_str())));
            self.fill("/roles/new", &fields);
        }
        for group in &reference.groups {
            self.fill("/groups/new", &[("group[name]", group)]);
        }
        for user in &reference.users {
            let fields = [
                ("user[login]", user.login.as_str()),
                ("user[firstname]", user.firstname.as_str()),
                ("user[lastname]", user.lastname.as_str()),
                ("user[mail]", user.mail.as_str()),
            ];
            self.fill("/invitations/new", &fields);
            let id = self.principal(&format!("{} {}", user.firstname, user.lastname));
            let groups: Vec<String> = user.groups.iter().map(|name| self.group(name)).collect();
            let fields: Vec<_> = groups.iter().map(|id| ("groups[]", id.as_str())).collect();
            self.fill(&format!("/users/{id}/edit"), &fields);
        }
    }

    fn workflow(&self, workflow: &Workflow) {
        let role = self.role(&workflow.role);
        let tracker = self.tracker(&workflow.tracker);
        let path = format!("/workflows/edit?role_id[]={role}&tracker_id[]={tracker}&all=1");
        let cells: Vec<String> = workflow
            .transitions
            .iter()
            .map(|transition| {
                let (from, to) = transition.split_once('>').unwrap();
                format!("everybody-{}-{}", self.status(from), self.status(to))
            })
            .collect();
        let page = self.browser.get(&path).assert_status(200);
        let fields: Vec<_> = cells.iter().map(|cell| ("on[]", cell.as_str())).collect();
        let check = send(&self.browser, &page, &path, &fields).assert_status(200);
        send(&self.browser, &check, &path, &[("do", "save")]).assert_status(303);
    }

    fn project(&self, project: &Project) {
        let trackers: Vec<String> = project
            .trackers
            .iter()
            .map(|name| self.tracker(name))
            .collect();
        let parent = project
            .parent
            .as_deref()
            .map_or_else(String::new, |identifier| {
                let catalogue = self.catalogue();
                catalogue.project_by(identifier).unwrap().id.to_string()
            });
        let mut fields = vec![
            ("project[name]", project.name.as_str()),
            ("project[identifier]", project.identifier.as_str()),
        ];
        if !parent.is_empty() {
            fields.push(("project[parent_id]", parent.as_str()));
        }
        let modules = project.modules.iter();
        fields.extend(modules.map(|name| ("project[enabled_module_names][]", name.as_str())));
        let ids = trackers.iter();
        fields.extend(ids.map(|id| ("project[tracker_ids][]", id.as_str())));
        self.fill("/projects/new", &fields);
        let base = format!("/projects/{}", project.identifier);
        for (name, roles) in &project.members {
            let principal = self.principal(name);
            let roles: Vec<String> = roles.iter().map(|name| self.role(name)).collect();
            let mut fields = vec![("membership[user_ids][]", principal.as_str())];
            let roles = roles.iter();
            fields.extend(roles.map(|id| ("membership[role_ids][]", id.as_str())));
            self.fill(&format!("{base}/memberships/new"), &fields);
        }
        for version in &project.versions {
            let path = format!("{base}/versions/new");
            self.fill(&path, &[("version[name]", version)]);
        }
        for category in &project.categories {
            let path = format!("{base}/issue_categories/new");
            self.fill(&path, &[("issue_category[name]", category)]);
        }
    }
}

/// Returns the configuration as it is now, in the form of the reference: what is named there.
fn configured(administrator: &Administrator<'_>, reference: &Reference) -> Value {
    let world = administrator.world;
    let setting = |name: &String| {
        let found = administrator.browser.get(&format!("/settings?q={name}"));
        let value = found.body.split("data-label=\"Value\">").nth(1).unwrap();
        (name.clone(), json!(value.split('<').next().unwrap()))
    };
    let settings: serde_json::Map<String, Value> = reference.settings.keys().map(setting).collect();
    let catalogue = world.app.store.catalogue().unwrap();
    let status_name = |id| catalogue.status(id).unwrap().name.clone();
    let tracker_name = |id| catalogue.tracker(id).unwrap().name.clone();
    let status_names: Vec<&str> = reference
        .statuses
        .iter()
        .map(|status| status.name.as_str())
        .collect();
    let statuses = catalogue.statuses.iter();
    let statuses = statuses.filter(|status| status_names.contains(&status.name.as_str()));
    let tracker_names: Vec<&str> = reference
        .trackers
        .iter()
        .map(|tracker| tracker.name.as_str())
        .collect();
    let trackers = catalogue.trackers.iter();
    let trackers = trackers.filter(|tracker| tracker_names.contains(&tracker.name.as_str()));
    let named = |names: &[String]| -> Vec<String> {
        let values = catalogue.enumerations.iter();
        let values = values.map(|value| value.name.clone());
        values.filter(|name| names.contains(name)).collect()
    };
    let role_names: Vec<&str> = reference
        .roles
        .iter()
        .map(|role| role.name.as_str())
        .collect();
    let roles = catalogue.roles.iter();
    let roles = roles.filter(|role| role_names.contains(&role.name.as_str()));
    let users = catalogue.users.values().filter(|user| user.id.0 > 6);
    let mut users: Vec<_> = users.collect();
    users.sort_by_key(|user| user.id);
    let groups: Vec<&str> = catalogue
        .groups
        .values()
        .map(|group| group.name.as_str())
        .collect();
    let workflow = |workflow: &Workflow| {
        let tracker = catalogue
            .trackers
            .iter()
            .find(|tracker| tracker.name == workflow.tracker);
        let role = catalogue
            .roles
            .iter()
            .find(|role| role.name == workflow.role);
        let stored = catalogue
            .workflow
            .transitions(tracker.unwrap().id, role.unwrap().id);
        let mut texts: Vec<String> = stored
            .into_iter()
            .map(|(from, transition)| {
                format!(
                    "{}>{}",
                    status_name(from.unwrap()),
                    status_name(transition.to)
                )
            })
            .collect();
        texts.sort();
        json!({"role": workflow.role, "tracker": workflow.tracker, "transitions": texts})
    };
    let projects = catalogue
        .tree
        .iter()
        .filter_map(|id| catalogue.projects.get(id));
    let projects = projects.map(|project| {
        let members = catalogue.members.iter();
        let members = members.filter(|member| member.project == project.id);
        let mut by_name: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for member in members {
            let names = member
                .role_ids()
                .map(|id| catalogue.role(id).unwrap().name.clone());
            let names: Vec<String> = names.collect();
            if !names.is_empty() {
                let name = catalogue.principal_name(member.principal).unwrap();
                by_name.insert(name.to_owned(), names);
            }
        }
        let versions = catalogue.versions.values();
        let versions = versions.filter(|version| version.project == project.id);
        let mut categories: Vec<&str> = catalogue
            .categories
            .values()
            .filter(|category| category.project == project.id)
            .map(|category| category.name.as_str())
            .collect();
        categories.sort_unstable();
        let parent = project.parent.and_then(|id| catalogue.projects.get(&id));
        json!({
            "identifier": project.identifier,
            "name": project.name,
            "parent": parent.map(|parent| parent.identifier.as_str()),
            "modules": project.modules.iter().map(|module| module.name()).collect::<Vec<_>>(),
            "trackers": project.trackers.iter().map(|id| tracker_name(*id)).collect::<Vec<_>>(),
            "members": by_name,
            "versions": versions.map(|version| version.name.as_str()).collect::<Vec<_>>(),
            "categories": categories,
        })
    });
    json!({
        "settings": settings,
        "statuses": statuses.map(|status| json!({"name": status.name, "is_closed": status.is_closed})).collect::<Vec<_>>(),
        "trackers": trackers.map(|tracker| json!({
            "name": tracker.name,
            "default_status": status_name(tracker.default_status),
            "description": tracker.description,
        })).collect::<Vec<_>>(),
        "priorities": named(&reference.priorities),
        "activities": named(&reference.activities),
        "roles": roles.map(|role| json!({
            "name": role.name,
            "permissions": reference.roles.iter().find(|other| other.name == role.name).unwrap().permissions.iter()
                .filter(|name| role.permission_list.iter().any(|permission| permission.name() == name.as_str()))
                .collect::<Vec<_>>(),
            "issues_visibility": role.issues_visibility.name(),
        })).collect::<Vec<_>>(),
        "custom_fields": catalogue.custom_fields.iter().map(|field| json!({
            "name": field.name,
            "format": field.format.name(),
            "possible_values": field.possible_values,
            "required": field.required,
            "trackers": field.trackers.iter().map(|id| tracker_name(*id)).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "groups": groups,
        "users": users.iter().map(|user| json!({
            "login": user.login,
            "firstname": user.firstname,
            "lastname": user.lastname,
            "mail": user.mail,
            "groups": catalogue.groups.values().filter(|group| group.users.contains(&user.id)).map(|group| group.name.as_str()).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "workflows": reference.workflows.iter().map(workflow).collect::<Vec<_>>(),
        "projects": projects.collect::<Vec<_>>(),
    })
}

#[test]
fn reference_configuration_is_reached_by_pages_alone() {
    let world = World::new();
    let reference: Reference = serde_json::from_str(REFERENCE).unwrap();
    let administrator = Administrator {
        world: &world,
        browser: Browser::logged_in(&world, "admin"),
    };
    administrator.configure(&reference);
    let expected: Value = serde_json::from_str(REFERENCE).unwrap();
    let reached = configured(&administrator, &reference);
    for (part, value) in expected.as_object().unwrap() {
        let value = if part == "workflows" {
            // The order of transitions says nothing.
            let mut workflows = value.clone();
            for workflow in workflows.as_array_mut().unwrap() {
                let transitions = workflow["transitions"].as_array_mut().unwrap();
                transitions.sort_by_key(Value::to_string);
            }
            workflows
        } else {
            value.clone()
        };
        assert_eq!(reached[part], value, "{part}");
    }
}
