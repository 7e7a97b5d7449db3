//! What a body says of one record, field by field. Values of the wrong shape are gathered and named together.

use super::{Ask, Error};
use crate::domain::custom_field::Asked;
use crate::domain::given::Given;
use crate::domain::ids::CustomFieldId;
use crate::domain::text::switch;
use crate::wire::Input;

/// How many entries a list in a body may have.
const MOST: usize = 1000;

/// The object of a body that is named after its resource (spec, conventions rule 3).
pub struct Said<'b> {
    fields: &'b Input,
    complaints: Vec<String>,
}

impl<'b> Said<'b> {
    /// The object under this name; without one, nothing is said. Fails with 400 when there is something else.
    pub fn of(ask: &'b Ask, root: &str) -> Result<Said<'b>, Error> {
        const NOTHING: &Input = &Input::Null;
        match ask.body.get(root) {
            None | Some(Input::Null) => Ok(Said { fields: NOTHING, complaints: Vec::new() }),
            Some(fields) if fields.is_map() => Ok(Said { fields, complaints: Vec::new() }),
            Some(other) => Err(Error::Unreadable(format!("{root} must be an object with the fields of the record, not {}", other.kind()))),
        }
    }

    /// The value as it came.
    pub fn raw(&self, name: &str) -> Option<&'b Input> {
        self.fields.get(name)
    }

    /// One text. An empty one counts as empty, as null does.
    pub fn text(&mut self, name: &str, label: &str) -> Given<String> {
        match self.fields.get(name) {
            None => Given::Absent,
            Some(Input::Null) => Given::Empty,
            Some(value) => match value.as_text() {
                Some(text) if text.is_empty() => Given::Empty,
                Some(text) if text.contains('\0') => self.odd(format!("{label} is invalid (it contains a NUL character)")),
                Some(text) => Given::Value(text.into_owned()),
                None => self.odd(format!("{label} is invalid (one value is expected, not {})", value.kind())),
            },
        }
    }

    /// One number of a record. What is not a number becomes 0, which no record has.
    pub fn id<Id: From<i64>>(&mut self, name: &str, label: &str) -> Given<Id> {
        self.text(name, label).map(|text| Id::from(text.trim().parse().unwrap_or(0)))
    }

    /// A switch; what is neither on nor off is on (contract 4.4). Off is also what Rails reads so, and `n`, which nobody means as on.
    pub fn switch(&mut self, name: &str, label: &str) -> Given<bool> {
        match self.text(name, label) {
            Given::Empty => Given::Value(false),
            other => other.map(|text| switch(&text).unwrap_or(!matches!(text.as_str(), "f" | "F" | "n" | "N"))),
        }
    }

    /// Numbers of records, or one of them; what is not a number becomes 0. Empty entries are passed over.
    pub fn ids<Id: From<i64>>(&mut self, name: &str, label: &str) -> Given<Vec<Id>> {
        self.texts(name, label).map(|texts| texts.into_iter().map(|text| Id::from(text.trim().parse().unwrap_or(0))).collect())
    }

    /// Texts, or one of them; empty entries are passed over.
    pub fn texts(&mut self, name: &str, label: &str) -> Given<Vec<String>> {
        match self.fields.get(name) {
            None => Given::Absent,
            Some(Input::Null) => Given::Empty,
            Some(value) => match texts(value) {
                Some(texts) => Given::Value(texts.into_iter().filter(|text| !text.is_empty()).collect()),
                None => self.odd(format!("{label} is invalid (a list of at most {MOST} values is expected)")),
            },
        }
    }

    /// The values of custom fields: `custom_fields` as a list of `{id, value}`, or `custom_field_values` by number
    /// (contract 4.4).
    pub fn custom_fields(&mut self) -> Asked {
        let mut asked = Asked::new();
        let said = |name: &str| self.fields.get(name).filter(|value| !value.is_blank());
        let (listed, by_number) = (said("custom_fields"), said("custom_field_values"));
        // An object in place of the list is passed over, as Redmine does.
        let listed = listed.filter(|value| !value.is_map());
        let items = match listed.map(|value| value.as_list().filter(|items| items.len() <= MOST)) {
            None => &[],
            Some(Some(items)) => items,
            Some(None) => {
                self.complaints.push(format!("Custom fields is invalid (a list of at most {MOST} objects with id and value is expected)"));
                &[]
            }
        };
        for item in items {
            match item.get("id").and_then(Input::as_text) {
                Some(id) => self.custom_field(&mut asked, &id, item.get("value")),
                None => self.complaints.push("Custom fields is invalid (each must be an object with id and value)".to_owned()),
            }
        }
        if by_number.is_some_and(|value| !value.is_map() || value.entries().len() > MOST) {
            self.complaints
                .push(format!("Custom field values is invalid (an object with the values of at most {MOST} fields is expected)"));
            return asked;
        }
        for (id, value) in by_number.map(Input::entries).into_iter().flatten() {
            self.custom_field(&mut asked, id, Some(value));
        }
        asked
    }

    fn custom_field(&mut self, asked: &mut Asked, id: &str, value: Option<&Input>) {
        let Ok(number) = id.trim().parse::<i64>() else { return };
        match value {
            None => {}
            Some(value) => match texts(value) {
                Some(texts) if texts.iter().any(|text| text.contains('\0')) => {
                    self.complaints.push(format!("Custom field {number} is invalid (it contains a NUL character)"));
                }
                Some(texts) => asked.push((CustomFieldId(number), texts)),
                None => self.complaints.push(format!("Custom field {number} is invalid (a text or a list of texts is expected)")),
            },
        }
    }

    fn odd<T>(&mut self, complaint: String) -> Given<T> {
        self.complaints.push(complaint);
        Given::Absent
    }

    /// Fails with 422 when something had the wrong shape.
    pub fn finish(self) -> Result<(), Error> {
        if self.complaints.is_empty() { Ok(()) } else { Err(Error::Invalid(self.complaints)) }
    }
}

/// A text as a list of one; true and false as `1` and `0`, as they are kept.
fn texts(value: &Input) -> Option<Vec<String>> {
    let one = |value: &Input| match value {
        Input::Null => Some(String::new()),
        Input::Bool(on) => Some(if *on { "1" } else { "0" }.to_owned()),
        other => other.as_text().map(|text| text.into_owned()),
    };
    match value {
        Input::List(items) if items.len() > MOST => None,
        Input::List(items) => items.iter().map(one).collect(),
        Input::Map(_) => None,
        other => one(other).map(|text| vec![text]),
    }
}
