//! The form of one filter: its operator and its values. It is sent to the list itself, which leads
//! on to the address with the filter.

use super::filter_choices::FilterChoices;
use super::filter_names::FilterNames;
use super::operators::{Operand, of_type};
use crate::components::form_field::Choice;
use crate::prelude::*;
use crate::queries::ListAddress;
use quarry_domain::query::filter;
use quarry_domain::query::filter::{FilterField, FilterType};
use quarry_domain::query::issues::Field;
use quarry_domain::query::saved::SavedFilter;
use quarry_domain::values::stable_sort::StableSort;
use quarry_http::resources::issue_list::IssueList;

/// Maximum number of choices that a form shows; ids of others can be typed.
const MAX_CHOICES: usize = 300;

/// The form of a filter.
pub struct FilterForm {
    /// The name of the field in the address.
    pub name: String,
    /// Its name on the page.
    pub label: String,
    pub operators: Vec<OperatorChoice>,
    pub control: Control,
    /// The checkboxes of projects, for relations.
    pub projects: Vec<SelectableChoice>,
    /// What is typed in the field for one value, and for the first of two.
    pub from: String,
    /// The second of two values.
    pub to: String,
    /// Number of days.
    pub days: String,
    /// Whether the values are days, or else numbers.
    pub has_days: bool,
    /// What is wrong.
    pub error: Option<String>,
    /// The other parameters of the list.
    pub hidden: Vec<(String, String)>,
    /// The address of the list without the form.
    pub cancel: String,
}

/// An operator to choose.
pub struct OperatorChoice {
    pub value: &'static str,
    pub label: &'static str,
    /// What it needs, for the script.
    pub needs: &'static str,
    pub is_selected: bool,
}

/// How the values are entered.
pub enum Control {
    /// Checkboxes, and a line for ids that are not among them.
    Choices {
        choices: Vec<SelectableChoice>,
        others: Option<String>,
    },
    /// One line of text.
    Text { value: String, hint: &'static str },
    /// Numbers or days.
    Range,
}

/// A value to choose.
pub struct SelectableChoice {
    pub choice: Choice,
    pub is_selected: bool,
}

/// What the form sends.
pub struct SentFilter {
    pub filter: SavedFilter,
}

impl SentFilter {
    /// Returns the filter that the request sends; `None` if it sends none.
    pub fn parse(request: &RequestContext, list: &IssueList) -> Option<SentFilter> {
        let sent = request.query.get("new_filter")?;
        let text = |name: &str| {
            let text = sent.get(name).and_then(Input::as_text).unwrap_or_default();
            text.trim().to_owned()
        };
        let name = text("name");
        let field = list.fields.iter().find(|field| field.name == name)?;
        let operator = text("operator");
        let operand = of_type(field.kind)
            .into_iter()
            .find(|row| row.0 == operator)
            .map_or(Operand::Values, |row| row.2);
        let values = match operand {
            Operand::Nothing => Vec::new(),
            Operand::One => vec![text("from")],
            Operand::Two => vec![text("from"), text("to")],
            Operand::Days => vec![text("days")],
            Operand::Projects => list_of(sent, "projects"),
            Operand::Values if takes_ids(field.kind) => ids(&text("text")),
            Operand::Values => {
                let mut values = list_of(sent, "values");
                values.extend(ids(&text("others")));
                let typed = text("text");
                values.extend((!typed.is_empty()).then_some(typed));
                values
            }
        };
        Some(SentFilter {
            filter: SavedFilter {
                name,
                operator,
                values,
            },
        })
    }

    /// Checks operator and values. The error is the message for the user.
    pub fn check(&self, list: &IssueList) -> Result<(), String> {
        let filter = &self.filter;
        let Some(field) = list.fields.iter().find(|field| field.name == filter.name) else {
            return Ok(());
        };
        let values: Vec<&str> = filter.values.iter().map(String::as_str).collect();
        filter::parse(
            field.kind,
            &field.label,
            &filter.operator,
            &values,
            &list.context,
        )
        .map(drop)
    }
}

fn list_of(sent: &Input, name: &str) -> Vec<String> {
    let items = sent.get(name).and_then(Input::as_list).unwrap_or_default();
    let texts = items.iter().filter_map(Input::as_text);
    texts
        .map(|text| text.into_owned())
        .filter(|text| !text.trim().is_empty())
        .collect()
}

/// Splits ids such as `#12, 13`.
fn ids(text: &str) -> Vec<String> {
    text.split([',', ' ', '|'])
        .map(|id| id.trim().trim_start_matches('#').to_owned())
        .filter(|id| !id.is_empty())
        .collect()
}

fn takes_ids(kind: FilterType) -> bool {
    matches!(
        kind,
        FilterType::Relation | FilterType::Parent | FilterType::Subtask | FilterType::IssueTree
    )
}

/// The context for forms of filters.
pub struct FilterForms<'a> {
    pub request: &'a RequestContext,
    pub catalogue: &'a Catalogue,
    pub list: &'a IssueList,
    /// The address of the list, without the form.
    pub address: &'a ListAddress,
}

impl FilterForms<'_> {
    /// Returns the form for the field that the request names in `edit_filter`, with the filter that
    /// is in use; `None` for unknown fields.
    pub fn requested(&self, in_use: &[SavedFilter]) -> Option<FilterForm> {
        let name = self.request.query_param("edit_filter")?;
        let field = self.list.fields.iter().find(|field| field.name == *name)?;
        let filter = in_use.iter().find(|filter| filter.name == *name);
        Some(self.form(field, filter))
    }

    /// Returns the form with what was sent and what is wrong with it.
    pub fn refused(&self, sent: &SentFilter, error: String) -> Option<FilterForm> {
        let mut fields = self.list.fields.iter();
        let field = fields.find(|field| field.name == sent.filter.name)?;
        let mut form = self.form(field, Some(&sent.filter));
        form.error = Some(error);
        Some(form)
    }

    fn form(&self, field: &FilterField<Field>, filter: Option<&SavedFilter>) -> FilterForm {
        let offered = of_type(field.kind);
        let operator = filter.map_or_else(
            || default_operator(field.kind),
            |filter| filter.operator.as_str(),
        );
        let operand = offered.iter().find(|row| row.0 == operator);
        let operand = operand.map_or(Operand::Values, |row| row.2);
        let values: &[String] = filter.map_or(&[], |filter| &filter.values);
        let value_at = |operands: &[Operand], index: usize| {
            let value = values.get(index).filter(|_| operands.contains(&operand));
            value.cloned().unwrap_or_default()
        };
        let has_days = matches!(field.kind, FilterType::Date | FilterType::PastDate);
        let choices = FilterChoices {
            viewer: self.request.viewer(),
            catalogue: self.catalogue,
            project: self.list.project,
        };
        let related = if field.kind == FilterType::Relation {
            choices.all_projects()
        } else {
            Vec::new()
        };
        let selected_projects: &[String] = if operand == Operand::Projects {
            values
        } else {
            &[]
        };
        let values_of_control: &[String] = if operand == Operand::Values {
            values
        } else {
            &[]
        };
        FilterForm {
            name: field.name.to_string(),
            label: field.label.to_string(),
            operators: offered
                .iter()
                .map(|(value, label, operand)| OperatorChoice {
                    value,
                    label,
                    needs: operand.name(),
                    is_selected: *value == operator,
                })
                .collect(),
            control: self.control(field, choices.of(field), values_of_control),
            projects: selectable(related, selected_projects),
            from: value_at(&[Operand::One, Operand::Two], 0),
            to: value_at(&[Operand::Two], 1),
            days: value_at(&[Operand::Days], 0),
            has_days,
            error: None,
            hidden: self.address.hidden_fields(),
            cancel: self.address.first_page(),
        }
    }

    fn control(
        &self,
        field: &FilterField<Field>,
        choices: Option<Vec<Choice>>,
        values: &[String],
    ) -> Control {
        if let Some(choices) = choices {
            let is_cut = choices.len() > MAX_CHOICES;
            let names = FilterNames::new(self.request.viewer(), self.catalogue);
            let missing = values
                .iter()
                .filter(|value| choices.iter().all(|choice| choice.value != **value));
            let missing: Vec<Choice> = missing
                .map(|value| Choice {
                    value: value.clone(),
                    label: names.value(field, "=", value),
                })
                .collect();
            let mut all = selectable(choices, values);
            // The selected ones stay when the list is cut.
            all.stable_sort_by_key(|choice| is_cut && !choice.is_selected);
            all.truncate(MAX_CHOICES.max(values.len()));
            all.extend(selectable(missing, values));
            return Control::Choices {
                choices: all,
                others: is_cut.then(String::new),
            };
        }
        match field.kind {
            FilterType::Number
            | FilterType::Hours
            | FilterType::Integer
            | FilterType::Id
            | FilterType::Date
            | FilterType::PastDate => Control::Range,
            kind if takes_ids(kind) => Control::Text {
                value: values.join(", "),
                hint: "Numbers of issues, separated by commas.",
            },
            _ => Control::Text {
                value: values.join("|"),
                hint: "",
            },
        }
    }
}

fn default_operator(kind: FilterType) -> &'static str {
    match kind {
        FilterType::Subject | FilterType::AnyText | FilterType::Text | FilterType::Line => "~",
        FilterType::Date => "><t+",
        FilterType::PastDate => "><t-",
        _ => "=",
    }
}

fn selectable(choices: Vec<Choice>, values: &[String]) -> Vec<SelectableChoice> {
    let choices = choices.into_iter();
    choices
        .map(|choice| SelectableChoice {
            is_selected: values.contains(&choice.value),
            choice,
        })
        .collect()
}

/// The fields to choose from, in groups.
pub struct FieldGroup {
    pub label: &'static str,
    /// Name in the address and on the page.
    pub fields: Vec<(String, String)>,
}

/// Returns the fields by which the list can be filtered, in groups.
pub fn field_groups(list: &IssueList) -> Vec<FieldGroup> {
    // The box has the text for the search.
    let offered = list
        .fields
        .iter()
        .filter(|field| field.kind != FilterType::Search);
    let offered: Vec<_> = offered.collect();
    let groups = offered.chunk_by(|a, b| a.group == b.group);
    groups
        .map(|fields| FieldGroup {
            label: fields[0].group,
            fields: fields
                .iter()
                .map(|field| (field.name.to_string(), field.label.to_string()))
                .collect(),
        })
        .collect()
}
