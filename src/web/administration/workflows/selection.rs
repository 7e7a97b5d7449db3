//! The trackers and roles whose workflows a page is about, as its address has them.

use super::labels;
use crate::components::form_field::{Choice, FieldKind, FormField, choice};
use crate::form::number_param;
use crate::prelude::*;
use quarry_domain::administration::tracker::Tracker;
use quarry_domain::ids::{RoleId, StatusId, TrackerId};
use std::collections::HashSet;

/// Maximum number of ids in a parameter.
const MAX_IDS: usize = 500;
/// Number of cells on a page, in all its matrices: a form with them stays below the number of
/// values that it can have.
const CELLS_PER_PAGE: usize = 900;

/// The trackers and roles.
pub struct Selection {
    pub trackers: Vec<TrackerId>,
    pub roles: Vec<RoleId>,
    /// Whether statuses are shown that no selected tracker uses.
    pub all_statuses: bool,
    /// The page of a matrix with many rows, from 1.
    pub page: usize,
}

/// Returns the ids in a parameter: `role_id[]=3&role_id[]=4` or `role_id=3`.
pub fn ids<Id: From<i64>>(input: &Input, name: &str) -> Vec<Id> {
    let parse = |value: &Input| value.as_text()?.trim().parse::<i64>().ok();
    match input.get(name) {
        Some(Input::List(items)) => {
            let items = items.iter().take(MAX_IDS);
            items.filter_map(parse).map(Id::from).collect()
        }
        Some(value) => parse(value).map(Id::from).into_iter().collect(),
        None => Vec::new(),
    }
}

impl Selection {
    /// Parses the query string.
    pub fn new(request: &RequestContext) -> Selection {
        let page = number_param(request, "page").and_then(|page| usize::try_from(page).ok());
        Selection {
            trackers: ids(&request.query, "tracker_id"),
            roles: ids(&request.query, "role_id"),
            all_statuses: request.query_param("all").as_deref() == Some("1"),
            page: page.unwrap_or(1).max(1),
        }
    }

    /// Whether there is no workflow to show.
    pub fn is_empty(&self, catalogue: &Catalogue) -> bool {
        self.pairs(catalogue).is_empty()
    }

    /// Returns the existing trackers with the existing roles.
    pub fn pairs(&self, catalogue: &Catalogue) -> Vec<(TrackerId, RoleId)> {
        let roles = self
            .roles
            .iter()
            .filter(|role| catalogue.role(**role).is_some());
        roles
            .flat_map(|role| self.trackers(catalogue).map(|tracker| (tracker.id, *role)))
            .collect()
    }

    /// Returns the existing trackers.
    pub fn trackers<'c>(&self, catalogue: &'c Catalogue) -> impl Iterator<Item = &'c Tracker> {
        let trackers = catalogue.trackers.iter();
        trackers.filter(|tracker| self.trackers.contains(&tracker.id))
    }

    /// Returns the statuses to show: those that the trackers use, or all of them.
    pub fn statuses(&self, catalogue: &Catalogue) -> Vec<StatusId> {
        let used: HashSet<StatusId> = self
            .trackers(catalogue)
            .flat_map(|tracker| {
                let mut used = catalogue.workflow.statuses(tracker.id);
                used.insert(tracker.default_status);
                used
            })
            .collect();
        let statuses = catalogue.statuses.iter().map(|status| status.id);
        statuses
            .filter(|status| self.all_statuses || used.contains(status))
            .collect()
    }

    /// Returns the number of rows on a page.
    pub fn rows_per_page(columns: usize, matrices: usize) -> usize {
        (CELLS_PER_PAGE / (columns.max(1) * matrices)).max(1)
    }

    /// Returns the fields to select trackers and roles.
    pub fn fields(&self, catalogue: &Catalogue) -> [FormField; 2] {
        [
            checkboxes("role_id[]", "Roles", &self.roles, roles(catalogue)),
            checkboxes(
                "tracker_id[]",
                "Trackers",
                &self.trackers,
                trackers(catalogue),
            ),
        ]
    }

    /// Returns the query string with the trackers and roles.
    pub fn query(&self) -> String {
        let roles = self.roles.iter().map(|id| format!("role_id[]={id}"));
        let trackers = self.trackers.iter().map(|id| format!("tracker_id[]={id}"));
        let all = self.all_statuses.then(|| "all=1".to_owned());
        let page = (self.page > 1).then(|| format!("page={}", self.page));
        let parts: Vec<String> = roles.chain(trackers).chain(all).chain(page).collect();
        format!("?{}", parts.join("&"))
    }

    /// Returns what is selected, in words.
    pub fn title(&self, catalogue: &Catalogue) -> String {
        let join = |names: Vec<&str>| match names.as_slice() {
            [name] => (*name).to_owned(),
            names if names.len() <= 3 => names.join(", "),
            names => format!("{} and {} more", names[..2].join(", "), names.len() - 2),
        };
        let roles = self.roles.iter().map(|id| labels::role(catalogue, *id));
        let trackers = self.trackers.iter();
        let trackers = trackers.map(|id| labels::tracker(catalogue, *id));
        let is_named = |name: &&str| !name.is_empty();
        format!(
            "{} · {}",
            join(roles.filter(is_named).collect()),
            join(trackers.filter(is_named).collect())
        )
    }
}

/// Returns a list of checkboxes.
pub fn checkboxes(
    name: &str,
    label: &str,
    selected: &[impl ToString],
    choices: Vec<Choice>,
) -> FormField {
    let selected: Vec<String> = selected.iter().map(ToString::to_string).collect();
    FormField::new(FieldKind::Checkboxes, name, label, selected.join("\n")).with_choices(choices)
}

/// Returns the roles to choose from.
pub fn roles(catalogue: &Catalogue) -> Vec<Choice> {
    let roles = catalogue.roles.iter();
    roles.map(|role| choice(role.id, &role.name)).collect()
}

/// Returns the trackers to choose from.
pub fn trackers(catalogue: &Catalogue) -> Vec<Choice> {
    let trackers = catalogue.trackers.iter();
    trackers
        .map(|tracker| choice(tracker.id, &tracker.name))
        .collect()
}
