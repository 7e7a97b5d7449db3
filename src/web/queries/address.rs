//! Addresses of the list. Links and forms carry its parameters on, without those of the forms on the
//! page.

use crate::components::pager::query_string;
use quarry_domain::query::saved::{SavedFilter, SavedQuery};
use quarry_http::RequestContext;
use quarry_http::resources::issue_list::NON_FILTER_PARAMETERS;
use quarry_wire::Input;

/// Parameters of the forms on the page.
const FORM_PARAMETERS: [&str; 6] = [
    DEFAULT_STATUS,
    SAVED_TEXT,
    "edit_filter",
    "new_filter",
    "display",
    "key",
];
/// The status that the box of a list had by default, unless its text says another one.
pub const DEFAULT_STATUS: &str = "default_status_id";
/// The text of the saved query in the box of a list: sent unchanged, the list stays the saved one.
pub const SAVED_TEXT: &str = "saved_text";
/// The saved query from which the filters of the address come, for the button that updates it.
pub const BASED_ON: &str = "based_on";

/// The parameters of a list.
#[derive(Clone, Debug)]
pub struct ListAddress {
    params: Vec<(String, Input)>,
}

impl ListAddress {
    /// Returns the parameters of the request.
    pub fn new(request: &RequestContext) -> ListAddress {
        ListAddress::from_input(&request.query)
    }

    /// Returns the parameters of a query string.
    pub fn from_input(query: &Input) -> ListAddress {
        let params = query.entries().iter();
        let params = params.filter(|(name, _)| !FORM_PARAMETERS.contains(&name.as_str()));
        ListAddress {
            params: params.cloned().collect(),
        }
    }

    /// Whether there is any parameter but the number of the page.
    pub fn is_plain(&self) -> bool {
        let mut names = self.params.iter().map(|(name, _)| name.as_str());
        names.all(|name| matches!(name, "page" | "offset" | "limit" | "set_filter"))
    }

    /// Whether the address says more than which saved query is in use.
    pub fn changes_query(&self) -> bool {
        let mut names = self.params.iter().map(|(name, _)| name.as_str());
        names.any(|name| {
            !matches!(
                name,
                "page" | "offset" | "limit" | "set_filter" | "query_id" | "project_id"
            )
        })
    }

    /// Returns the query string, with other values of some parameters.
    pub fn with(&self, changes: &[(&str, Option<&str>)]) -> String {
        query_string(&self.params, changes)
    }

    /// Returns the query string of the first page. Without any parameter, a project shows its
    /// default query, so there is always one.
    pub fn first_page(&self) -> String {
        let address = self.with(&[("page", None), ("offset", None)]);
        if address == "?" {
            "?set_filter=1".to_owned()
        } else {
            address
        }
    }

    /// Returns the query string for the same list in another format; empty without parameters.
    pub fn for_export(&self) -> String {
        let address = self.with(&[(BASED_ON, None), ("set_filter", None)]);
        if address == "?" {
            String::new()
        } else {
            address
        }
    }

    /// Returns the query string for another view of the same issues: without the page. Empty without
    /// parameters.
    pub fn for_view(&self) -> String {
        let address = self.with(&[("page", None), ("offset", None)]);
        if address == "?" {
            String::new()
        } else {
            address
        }
    }

    /// Returns the query string by which the list is remembered: without the page.
    pub fn for_memory(&self) -> String {
        self.with(&[("page", None), ("offset", None), ("set_filter", None)])
    }

    /// Sets a parameter, or removes it.
    #[must_use]
    pub fn set(mut self, name: &str, value: Option<Input>) -> ListAddress {
        self.params.retain(|(other, _)| other != name);
        self.params
            .extend(value.map(|value| (name.to_owned(), value)));
        self
    }

    /// Sets a parameter to a text, or removes it.
    #[must_use]
    pub fn set_text(self, name: &str, value: Option<&str>) -> ListAddress {
        self.set(name, value.map(|value| Input::Text(value.to_owned())))
    }

    /// Sets a parameter to a list of texts. An empty list is a list with an empty text.
    #[must_use]
    pub fn set_list(self, name: &str, values: &[String]) -> ListAddress {
        let mut items: Vec<Input> = values.iter().cloned().map(Input::Text).collect();
        if items.is_empty() {
            items.push(Input::Text(String::new()));
        }
        self.set(name, Some(Input::List(items)))
    }

    /// Whether the parameter is in the address.
    pub fn has(&self, name: &str) -> bool {
        self.params.iter().any(|(other, _)| other == name)
    }

    /// Removes the filters by these fields, in either form. The long form stays in use, so that the
    /// default filter does not come back.
    #[must_use]
    pub fn without_filters(mut self, names: &[&str]) -> ListAddress {
        let is_removed = |name: &str| names.contains(&name);
        self.params.retain(|(name, _)| {
            !is_removed(name) || NON_FILTER_PARAMETERS.contains(&name.as_str())
        });
        for (name, value) in &mut self.params {
            match (name.as_str(), value) {
                ("f", Input::List(fields)) => {
                    fields.retain(|field| !field.as_text().is_some_and(|field| is_removed(&field)));
                    if fields.is_empty() {
                        fields.push(Input::Text(String::new()));
                    }
                }
                ("f", field) if field.as_text().is_some_and(|field| is_removed(&field)) => {
                    *field = Input::Text(String::new());
                }
                ("op" | "v", Input::Map(fields)) => fields.retain(|(field, _)| !is_removed(field)),
                _ => {}
            }
        }
        self
    }

    /// Sets the filter by a field, in the long form.
    #[must_use]
    pub fn with_filter(self, filter: &SavedFilter) -> ListAddress {
        let mut address = self.without_filters(&[&filter.name]);
        let names = match address.take("f") {
            Some(Input::List(names)) => names,
            Some(name) => vec![name],
            None => Vec::new(),
        };
        let mut names: Vec<Input> = names.into_iter().filter(|name| !name.is_blank()).collect();
        names.push(Input::Text(filter.name.clone()));
        let mut operators = address.take_map("op");
        operators.push((filter.name.clone(), Input::Text(filter.operator.clone())));
        let mut values = address.take_map("v");
        if !filter.values.is_empty() {
            let items = filter.values.iter().cloned().map(Input::Text).collect();
            values.push((filter.name.clone(), Input::List(items)));
        }
        address = address.set("f", Some(Input::List(names)));
        address = address.set("op", Some(Input::Map(operators)));
        address.set("v", (!values.is_empty()).then_some(Input::Map(values)))
    }

    /// Replaces a saved query by what it says, so that its filters can be changed. `requested` are
    /// the names of filters in the address, which take the place of those of the query.
    #[must_use]
    pub fn expanded(self, query: &SavedQuery, requested: &[&str]) -> ListAddress {
        let id = query.id.to_string();
        let mut address = self.set("query_id", None).set_text(BASED_ON, Some(&id));
        if query.filters.is_some() && !address.has("f") {
            address = address.set_list("f", &[]);
        }
        for filter in query.filters.iter().flatten() {
            if !requested.contains(&filter.name.as_str()) {
                address = address.with_filter(filter);
            }
        }
        if !query.columns.is_empty() && !address.has("c") {
            address = address.set_list("c", &query.columns);
        }
        if !query.totals.is_empty() && !address.has("t") {
            address = address.set_list("t", &query.totals);
        }
        if !query.group_by.is_empty() && !address.has("group_by") {
            address = address.set_text("group_by", Some(&query.group_by));
        }
        if !query.order.is_empty() && !address.has("sort") {
            let criteria = query.order.iter();
            let criteria = criteria.map(|(name, direction)| format!("{name}:{direction}"));
            let order = criteria.collect::<Vec<_>>().join(",");
            address = address.set_text("sort", Some(&order));
        }
        address
    }

    /// Returns names and values for the hidden fields of a form.
    pub fn hidden_fields(&self) -> Vec<(String, String)> {
        let mut pairs = Vec::new();
        let params = self.params.iter();
        let params = params.filter(|(name, _)| name != "page" && name != "offset");
        params.for_each(|(name, value)| flatten(name.clone(), value, &mut pairs));
        pairs
    }

    fn take(&mut self, name: &str) -> Option<Input> {
        let index = self.params.iter().position(|(other, _)| other == name)?;
        Some(self.params.remove(index).1)
    }

    fn take_map(&mut self, name: &str) -> Vec<(String, Input)> {
        match self.take(name) {
            Some(Input::Map(entries)) => entries,
            _ => Vec::new(),
        }
    }
}

fn flatten(name: String, value: &Input, pairs: &mut Vec<(String, String)>) {
    match value {
        Input::Map(entries) => entries
            .iter()
            .for_each(|(key, value)| flatten(format!("{name}[{key}]"), value, pairs)),
        Input::List(items) => items
            .iter()
            .for_each(|item| flatten(format!("{name}[]"), item, pairs)),
        value => pairs.push((name, value.as_text().unwrap_or_default().into_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_wire::from_query;

    fn address(query: &str) -> ListAddress {
        ListAddress {
            params: from_query(query).unwrap().entries().to_vec(),
        }
    }

    fn filter(name: &str, operator: &str, values: &[&str]) -> SavedFilter {
        SavedFilter {
            name: name.to_owned(),
            operator: operator.to_owned(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
        }
    }

    #[test]
    fn filter_takes_the_place_of_one_by_the_same_field() {
        let before = address("priority_id=3&f[]=status_id&op[status_id]=o&page=2");
        let after = before
            .with_filter(&filter("priority_id", "!", &["1", "2"]))
            .with_filter(&filter("status_id", "c", &[]));
        let expected = "?f[]=priority_id&f[]=status_id&op[priority_id]=!&op[status_id]=c&v[priority_id][]=1&v[priority_id][]=2";
        assert_eq!(after.first_page(), expected);
        assert_eq!(
            after
                .without_filters(&["status_id", "priority_id"])
                .first_page(),
            "?f[]=&".trim_end_matches('&')
        );
    }

    #[test]
    fn saved_query_is_replaced_by_what_it_says() {
        let query = SavedQuery {
            id: 7.into(),
            filters: Some(vec![
                filter("tracker_id", "=", &["1"]),
                filter("status_id", "o", &[]),
            ]),
            order: vec![("id".to_owned(), "desc".to_owned())],
            ..SavedQuery::default()
        };
        let expanded = address("query_id=7&status_id=closed").expanded(&query, &["status_id"]);
        assert_eq!(
            expanded.first_page(),
            "?status_id=closed&based_on=7&f[]=tracker_id&op[tracker_id]=%3D&v[tracker_id][]=1&sort=id%3Adesc"
        );
        assert_eq!(
            expanded.hidden_fields()[2],
            ("f[]".to_owned(), "tracker_id".to_owned())
        );
    }
}
