//! The form that chooses what the list shows: columns, groups, order, sums, size of the page. It is
//! sent to the list itself, which leads on to the address in the parameters of the API.

use super::columns;
use super::filter_form::SelectableChoice;
use crate::components::form_field::choice;
use crate::prelude::*;
use crate::queries;
use crate::queries::ListAddress;
use quarry_domain::query::columns as known;
use quarry_domain::query::columns::{Column, MAX_CRITERIA};
use quarry_http::resources::issue_list::IssueList;

/// The sizes of a page; the first one is the default.
const PAGE_SIZES: [i64; 3] = [25, 50, 100];
/// Maximum number of columns.
const MAX_COLUMNS: usize = 100;
/// The name that makes no groups, against those of a saved query.
const NO_GROUP: &str = "none";

/// The form.
pub struct DisplayForm {
    /// Whether it is open.
    pub is_open: bool,
    /// The columns, those that are shown first.
    pub columns: Vec<SelectableChoice>,
    pub groups: Vec<SelectableChoice>,
    /// The criteria of the order.
    pub order: Vec<OrderRow>,
    pub totals: Vec<SelectableChoice>,
    pub page_sizes: Vec<SelectableChoice>,
    /// The other parameters of the list.
    pub hidden: Vec<(String, String)>,
}

/// A criterion of the order.
pub struct OrderRow {
    pub columns: Vec<SelectableChoice>,
    pub is_descending: bool,
}

/// The context of the form.
pub struct Display<'a> {
    pub request: &'a RequestContext,
    pub catalogue: &'a Catalogue,
    pub list: &'a IssueList,
    pub address: &'a ListAddress,
    /// Whether the list has the issues of several projects.
    pub has_projects: bool,
}

impl Display<'_> {
    /// Returns the form with what is shown.
    pub fn form(&self) -> DisplayForm {
        let viewer = self.request.viewer();
        let names: Vec<String> = known::all(self.catalogue, viewer)
            .into_iter()
            .map(|column| column.name().into_owned())
            .collect();
        let shown = self.shown_columns();
        let mut columns: Vec<&String> = shown.iter().collect();
        columns.extend(
            names
                .iter()
                .filter(|name| *name != "id" && !shown.contains(name)),
        );
        let group = self.group();
        let groups = names
            .iter()
            .filter(|name| known::is_groupable(self.catalogue, viewer, name));
        let totals = names
            .iter()
            .filter(|name| known::is_summable(self.catalogue, viewer, name));
        let shown_totals =
            queries::displayed_totals(self.request, self.catalogue, self.list.saved.as_ref());
        let without = ["c", "t", "group_by", "sort", "limit"];
        let address = without.iter().fold(self.address.clone(), |address, name| {
            address.set(name, None)
        });
        DisplayForm {
            is_open: self.request.query.get("display").is_some(),
            columns: columns
                .into_iter()
                .filter_map(|name| self.choice(name, shown.contains(name)))
                .collect(),
            groups: with_none(
                groups.filter_map(|name| self.choice(name, *name == group)),
                "no groups",
            ),
            order: self.order(),
            totals: totals
                .filter_map(|name| self.choice(name, shown_totals.contains(name)))
                .collect(),
            page_sizes: PAGE_SIZES
                .iter()
                .map(|size| SelectableChoice {
                    choice: choice(size, size.to_string()),
                    is_selected: *size == self.list.pagination.limit,
                })
                .collect(),
            hidden: address.hidden_fields(),
        }
    }

    fn choice(&self, name: &str, is_selected: bool) -> Option<SelectableChoice> {
        let column = Column::parse(self.catalogue, self.request.viewer(), name)?;
        Some(SelectableChoice {
            choice: choice(name, column.label(self.catalogue)),
            is_selected,
        })
    }

    /// Returns the names of the columns in their order, without the id, which always comes first.
    fn shown_columns(&self) -> Vec<String> {
        let mut names = columns::names(self.request, self.catalogue, self.list, self.has_projects);
        names.retain(|name| name != "id");
        names
    }

    fn group(&self) -> String {
        let requested = self.request.query_param("group_by");
        let requested = requested.filter(|name| !name.trim().is_empty());
        let saved = || self.list.saved.as_ref().map(|query| query.group_by.clone());
        requested.map_or_else(
            || saved().unwrap_or_default(),
            |name| name.trim().to_owned(),
        )
    }

    fn order(&self) -> Vec<OrderRow> {
        let viewer = self.request.viewer();
        let sortable = known::sortable(self.catalogue, viewer);
        let saved = self.list.saved.as_ref();
        let criteria = queries::order(self.request, saved, |name| {
            known::is_sortable(self.catalogue, viewer, name)
        });
        (0..MAX_CRITERIA)
            .map(|position| {
                let criterion = criteria.get(position).map_or("", String::as_str);
                let (current, direction) = criterion.split_once(':').unwrap_or((criterion, ""));
                let choices = sortable.iter().map(|column| {
                    let name = column.name();
                    SelectableChoice {
                        choice: choice(&name, column.label(self.catalogue)),
                        is_selected: name == current,
                    }
                });
                OrderRow {
                    columns: with_none(choices, "–"),
                    is_descending: direction == "desc",
                }
            })
            .collect()
    }

    /// Returns the address that the form leads to; `None` if the request does not send it.
    pub fn target(&self) -> Option<String> {
        let sent = self
            .request
            .query
            .get("display")
            .filter(|sent| sent.is_map())?;
        let text = |name: &str| {
            let text = sent.get(name).and_then(Input::as_text).unwrap_or_default();
            text.trim().to_owned()
        };
        let mut columns = texts(sent, "c");
        let up = text("up");
        let down = text("down");
        let is_moved = !up.is_empty() || !down.is_empty();
        let position = |name: &str| columns.iter().position(|other| other == name);
        match (position(&up), position(&down)) {
            (Some(index), _) if index > 0 => columns.swap(index, index - 1),
            (_, Some(index)) if index + 1 < columns.len() => columns.swap(index, index + 1),
            _ => {}
        }
        columns.truncate(MAX_COLUMNS);
        let saved = self.list.saved.as_ref();
        let is_default = columns == columns::default_names(self.has_projects)
            && saved.is_none_or(|query| query.columns.is_empty());
        let mut address = self.address.clone();
        address = if is_default || columns.is_empty() {
            address.set("c", None)
        } else {
            address.set_list("c", &columns)
        };
        let totals = texts(sent, "t");
        address = if totals.is_empty() && saved.is_none_or(|query| query.totals.is_empty()) {
            address.set("t", None)
        } else {
            address.set_list("t", &totals)
        };
        let group = text("group_by");
        let has_saved_group = saved.is_some_and(|query| !query.group_by.is_empty());
        let group = if group.is_empty() && has_saved_group {
            NO_GROUP
        } else {
            &group
        };
        address = address.set_text("group_by", Some(group).filter(|group| !group.is_empty()));
        let directions = list_of_texts(sent, "direction");
        let order: Vec<String> = list_of_texts(sent, "sort")
            .iter()
            .enumerate()
            .filter(|(_, name)| !name.is_empty())
            .map(|(index, name)| {
                let is_descending = directions.get(index).is_some_and(|text| text == "desc");
                format!("{name}{}", if is_descending { ":desc" } else { "" })
            })
            .take(MAX_CRITERIA)
            .collect();
        let order = order.join(",");
        address = address.set_text(
            "sort",
            Some(order.as_str()).filter(|order| !order.is_empty()),
        );
        let size = text("limit");
        let is_usual = size.is_empty() || size == PAGE_SIZES[0].to_string();
        address = address.set_text("limit", Some(size.as_str()).filter(|_| !is_usual));
        if is_moved {
            // The form stays open.
            return Some(address.with(&[
                ("page", None),
                ("offset", None),
                ("display", Some("open")),
            ]));
        }
        Some(address.first_page())
    }
}

fn with_none(
    choices: impl Iterator<Item = SelectableChoice>,
    label: &str,
) -> Vec<SelectableChoice> {
    let mut all = vec![SelectableChoice {
        choice: choice("", label),
        is_selected: false,
    }];
    all.extend(choices);
    all
}

/// Returns the texts of a list, also empty ones.
fn list_of_texts(sent: &Input, name: &str) -> Vec<String> {
    let items = sent.get(name).and_then(Input::as_list).unwrap_or_default();
    let texts = items.iter().map(|item| item.as_text().unwrap_or_default());
    texts.map(|text| text.trim().to_owned()).collect()
}

/// Returns the texts of a list, each once.
fn texts(sent: &Input, name: &str) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for text in list_of_texts(sent, name) {
        if !text.is_empty() && !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}
