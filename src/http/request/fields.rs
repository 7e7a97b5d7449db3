//! The fields of a record in a request body. Values of the wrong type are collected and reported
//! together.

use super::context::RequestContext;
use crate::error::Error;
use quarry_domain::administration::custom_field::RequestedValues;
use quarry_domain::ids::CustomFieldId;
use quarry_domain::validation::ValidationError;
use quarry_domain::values::patch::Patch;
use quarry_domain::values::text::parse_bool;
use quarry_wire::Input;

/// Maximum number of entries of a list in a body.
const MAX_ENTRIES: usize = 1000;

/// The object in a body that is named after its resource (compatibility 3.4).
pub struct BodyFields<'b> {
    fields: &'b Input,
    errors: Vec<ValidationError>,
}

impl<'b> BodyFields<'b> {
    /// Takes the object of this name, or an empty one if there is none. Fails with 400 when the
    /// value is not an object.
    pub fn from_body(request: &'b RequestContext, root: &str) -> Result<BodyFields<'b>, Error> {
        BodyFields::from_input(&request.body, root)
    }

    /// As [`BodyFields::from_body`], of a body or a query string.
    pub fn from_input(input: &'b Input, root: &str) -> Result<BodyFields<'b>, Error> {
        const EMPTY: &Input = &Input::Null;
        match input.get(root) {
            None | Some(Input::Null) => Ok(BodyFields {
                fields: EMPTY,
                errors: Vec::new(),
            }),
            Some(fields) if fields.is_map() => Ok(BodyFields {
                fields,
                errors: Vec::new(),
            }),
            Some(value) => Err(Error::BadRequest(format!(
                "{root} must be an object with the fields of the record, not {}",
                value.kind()
            ))),
        }
    }

    /// Returns the fields of an object within a body; `None` for another value.
    pub fn from_object(object: &'b Input) -> Option<BodyFields<'b>> {
        object.is_map().then(|| BodyFields {
            fields: object,
            errors: Vec::new(),
        })
    }

    /// Returns the value of a field as it was sent.
    pub fn raw(&self, name: &str) -> Option<&'b Input> {
        self.fields.get(name)
    }

    /// Returns a string field. An empty string counts as null.
    pub fn text(&mut self, name: &str, label: &str) -> Patch<String> {
        match self.text_or_empty(name, label) {
            Patch::Set(text) if text.is_empty() => Patch::Clear,
            patch => patch,
        }
    }

    /// Returns a string field in which an empty string differs from null (compatibility 3.4).
    pub fn text_or_empty(&mut self, name: &str, label: &str) -> Patch<String> {
        match self.fields.get(name) {
            None => Patch::Unset,
            Some(Input::Null) => Patch::Clear,
            Some(value) => match value.as_text() {
                Some(text) if text.contains('\0') => {
                    self.add_error(name, label, "is invalid (it contains a NUL character)")
                }
                Some(text) => Patch::Set(text.into_owned()),
                None => self.add_error(
                    name,
                    label,
                    &format!("is invalid (one value is expected, not {})", value.kind()),
                ),
            },
        }
    }

    /// Returns an id field. What is not a number becomes 0, which is the id of no record.
    pub fn id<Id: From<i64>>(&mut self, name: &str, label: &str) -> Patch<Id> {
        self.text(name, label)
            .map(|text| Id::from(text.trim().parse().unwrap_or(0)))
    }

    /// Returns an integer field. Anything else than a whole number is an error.
    pub fn integer(&mut self, name: &str, label: &str) -> Patch<i64> {
        match self.text(name, label) {
            Patch::Set(text) => match text.trim().parse() {
                Ok(number) => Patch::Set(number),
                Err(_) => self.add_error(name, label, "is not a whole number"),
            },
            Patch::Clear => Patch::Clear,
            Patch::Unset => Patch::Unset,
        }
    }

    /// Returns a boolean field; unknown values are true (compatibility 6.4). False are also the
    /// values that Rails casts to false, and `n`.
    pub fn boolean(&mut self, name: &str, label: &str) -> Patch<bool> {
        match self.text(name, label) {
            Patch::Clear => Patch::Set(false),
            value => value.map(|text| {
                parse_bool(&text).unwrap_or(!matches!(text.as_str(), "f" | "F" | "n" | "N"))
            }),
        }
    }

    /// Returns a list of ids, or one id as a list. What is not a number becomes 0; empty entries
    /// are ignored.
    pub fn ids<Id: From<i64>>(&mut self, name: &str, label: &str) -> Patch<Vec<Id>> {
        self.texts(name, label).map(|texts| {
            texts
                .into_iter()
                .map(|text| Id::from(text.trim().parse().unwrap_or(0)))
                .collect()
        })
    }

    /// Returns a list of strings, or one string as a list. Empty entries are ignored.
    pub fn texts(&mut self, name: &str, label: &str) -> Patch<Vec<String>> {
        match self.fields.get(name) {
            None => Patch::Unset,
            Some(Input::Null) => Patch::Clear,
            Some(value) => match texts(value) {
                Some(texts) => {
                    Patch::Set(texts.into_iter().filter(|text| !text.is_empty()).collect())
                }
                None => self.add_error(
                    name,
                    label,
                    &format!("is invalid (a list of at most {MAX_ENTRIES} values is expected)"),
                ),
            },
        }
    }

    /// Returns the values of custom fields: `custom_fields` as a list of `{id, value}`, or
    /// `custom_field_values` by id (compatibility 6.4).
    pub fn custom_fields(&mut self) -> RequestedValues {
        let mut values = RequestedValues::new();
        let listed = non_blank(self.fields, "custom_fields");
        let by_id = non_blank(self.fields, "custom_field_values");
        // Like Redmine, ignore an object in place of the list.
        let listed = listed.filter(|value| !value.is_map());
        let items = match listed
            .map(|value| value.as_list().filter(|items| items.len() <= MAX_ENTRIES))
        {
            None => &[],
            Some(Some(items)) => items,
            Some(None) => {
                self.errors.push(ValidationError::new(
                    "custom_fields",
                    "Custom fields",
                    &format!("is invalid (a list of at most {MAX_ENTRIES} objects with id and value is expected)"),
                ));
                &[]
            }
        };
        for item in items {
            match item.get("id").and_then(Input::as_text) {
                Some(id) => self.custom_field(&mut values, &id, item.get("value")),
                None => self.errors.push(ValidationError::new(
                    "custom_fields",
                    "Custom fields",
                    "is invalid (each must be an object with id and value)",
                )),
            }
        }
        if by_id.is_some_and(|value| !value.is_map() || value.entries().len() > MAX_ENTRIES) {
            self.errors.push(ValidationError::new(
                "custom_field_values",
                "Custom field values",
                &format!("is invalid (an object with the values of at most {MAX_ENTRIES} fields is expected)"),
            ));
            return values;
        }
        for (id, value) in by_id.map(Input::entries).into_iter().flatten() {
            self.custom_field(&mut values, id, Some(value));
        }
        values
    }

    fn custom_field(&mut self, values: &mut RequestedValues, id: &str, value: Option<&Input>) {
        let Ok(id) = id.trim().parse::<i64>() else {
            return;
        };
        match value {
            None => {}
            Some(value) => match texts(value) {
                Some(texts) if texts.iter().any(|text| text.contains('\0')) => {
                    let message = "is invalid (it contains a NUL character)";
                    self.errors.push(custom_field_error(id, message));
                }
                Some(texts) => values.push((CustomFieldId(id), texts)),
                None => {
                    let message = "is invalid (a text or a list of texts is expected)";
                    self.errors.push(custom_field_error(id, message));
                }
            },
        }
    }

    fn add_error<T>(&mut self, name: &str, label: &str, message: &str) -> Patch<T> {
        self.errors.push(ValidationError::new(name, label, message));
        Patch::Unset
    }

    /// Fails with 422 when a field had the wrong type.
    pub fn check(&mut self) -> Result<(), Error> {
        if self.errors.is_empty() {
            Ok(())
        } else {
            Err(Error::Invalid(std::mem::take(&mut self.errors).into()))
        }
    }
}

/// Returns the error of a body whose value of a custom field has the wrong type.
fn custom_field_error(id: i64, message: &str) -> ValidationError {
    ValidationError::new(
        "custom_field_values",
        &format!("Custom field {id}"),
        message,
    )
}

/// Returns a list of strings; a single value as a list of one, and booleans as `1` and `0`, as they
/// are stored.
fn texts(value: &Input) -> Option<Vec<String>> {
    match value {
        Input::List(items) if items.len() > MAX_ENTRIES => None,
        Input::List(items) => items.iter().map(text).collect(),
        Input::Map(_) => None,
        value => text(value).map(|text| vec![text]),
    }
}

fn text(value: &Input) -> Option<String> {
    match value {
        Input::Null => Some(String::new()),
        Input::Bool(on) => Some(if *on { "1" } else { "0" }.to_owned()),
        value => value.as_text().map(|text| text.into_owned()),
    }
}

fn non_blank<'i>(fields: &'i Input, name: &str) -> Option<&'i Input> {
    fields.get(name).filter(|value| !value.is_blank())
}
