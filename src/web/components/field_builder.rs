//! Builds the fields of a form for one record.

use super::form_field::{Choice, FieldKind, FormField, typed, with_current};
use jiff::civil::Date;
use quarry_wire::Input;

/// Builds fields of one object, such as `version`. A field has the value that was sent, or else the
/// stored one.
#[derive(Clone, Copy)]
pub struct FieldBuilder<'a> {
    object: Option<&'static str>,
    sent: &'a Input,
}

impl<'a> FieldBuilder<'a> {
    /// Creates a builder. `sent` is the body of a form that is shown again, or the query string of
    /// a link to a form that is partly filled in.
    pub fn new(object: &'static str, sent: &'a Input) -> FieldBuilder<'a> {
        FieldBuilder {
            object: Some(object),
            sent,
        }
    }

    /// Creates a builder of fields whose names are those of their attributes alone.
    pub fn without_object(sent: &'a Input) -> FieldBuilder<'a> {
        FieldBuilder { object: None, sent }
    }

    /// Returns what was sent.
    pub fn sent(self) -> &'a Input {
        self.sent
    }

    /// Returns a field with the stored value; several values are separated by line breaks.
    pub fn field(
        self,
        kind: FieldKind,
        attribute: &str,
        label: &str,
        stored: impl Into<String>,
    ) -> FormField {
        let list = if kind == FieldKind::Checkboxes {
            "[]"
        } else {
            ""
        };
        let name = match self.object {
            Some(object) => format!("{object}[{attribute}]{list}"),
            None => format!("{attribute}{list}"),
        };
        let value = typed(self.sent, &name).unwrap_or_else(|| stored.into());
        FormField::new(kind, name, label, value)
    }

    /// Returns a field of one line.
    pub fn line(self, attribute: &str, label: &str, stored: impl Into<String>) -> FormField {
        self.field(FieldKind::Line, attribute, label, stored)
    }

    /// Returns a field for a mail address.
    pub fn email(self, attribute: &str, label: &str, stored: impl Into<String>) -> FormField {
        self.field(FieldKind::Email, attribute, label, stored)
    }

    /// Returns a field of several lines.
    pub fn long_text(self, attribute: &str, label: &str, stored: impl Into<String>) -> FormField {
        self.field(FieldKind::LongText, attribute, label, stored)
    }

    /// Returns a field for an address.
    pub fn url(self, attribute: &str, label: &str, stored: impl Into<String>) -> FormField {
        self.field(FieldKind::Url, attribute, label, stored)
    }

    /// Returns a field for a day.
    pub fn date(self, attribute: &str, label: &str, stored: Option<Date>) -> FormField {
        let stored = stored.map(|date| date.to_string());
        self.field(
            FieldKind::Date,
            attribute,
            label,
            stored.unwrap_or_default(),
        )
    }

    /// Returns a field for a whole number.
    pub fn integer(self, attribute: &str, label: &str, stored: Option<i64>) -> FormField {
        let stored = stored.map(|number| number.to_string());
        self.field(
            FieldKind::Integer,
            attribute,
            label,
            stored.unwrap_or_default(),
        )
    }

    /// Returns a field that is on or off.
    pub fn switch(self, attribute: &str, label: &str, stored: bool) -> FormField {
        let stored = if stored { "1" } else { "0" };
        self.field(FieldKind::Switch, attribute, label, stored)
    }

    /// Returns a field with one of these choices.
    pub fn select(
        self,
        attribute: &str,
        label: &str,
        stored: impl ToString,
        choices: impl IntoIterator<Item = Choice>,
    ) -> FormField {
        self.field(FieldKind::Select, attribute, label, stored.to_string())
            .with_choices(choices)
    }

    /// Returns a field with one of these choices, or the stored one with its label, so that a form
    /// keeps what it no longer offers.
    pub fn select_or_keep(
        self,
        attribute: &str,
        label: &str,
        stored: Option<(String, String)>,
        choices: impl IntoIterator<Item = Choice>,
    ) -> FormField {
        let mut choices: Vec<Choice> = choices.into_iter().collect();
        let value = stored.as_ref().map(|(value, _)| value.clone());
        with_current(&mut choices, stored);
        self.select(attribute, label, value.unwrap_or_default(), choices)
    }

    /// Returns a field with any number of these choices.
    pub fn checkboxes(
        self,
        attribute: &str,
        label: &str,
        stored: impl IntoIterator<Item = impl ToString>,
        choices: impl IntoIterator<Item = Choice>,
    ) -> FormField {
        let stored: Vec<String> = stored.into_iter().map(|value| value.to_string()).collect();
        self.field(FieldKind::Checkboxes, attribute, label, stored.join("\n"))
            .with_choices(choices)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::form_field::choice;
    use quarry_wire::from_query;

    #[test]
    fn sent_values_replace_stored_ones() {
        let sent = from_query("version[name]=2.0&version[tracker_ids][]=").unwrap();
        let form = FieldBuilder::new("version", &sent);
        assert_eq!(form.line("name", "Name", "1.0").value, "2.0");
        assert_eq!(form.line("description", "Description", "old").value, "old");
        let trackers = form.checkboxes("tracker_ids", "Trackers", [1, 2], [choice(1, "Bug")]);
        assert_eq!(trackers.value, "");
        assert_eq!(trackers.name, "version[tracker_ids][]");
        assert_eq!(trackers.attribute, "tracker_ids");
    }

    #[test]
    fn fields_without_an_object_have_the_names_of_their_attributes() {
        let sent = from_query("name=2.0&groups[]=2&groups[]=3").unwrap();
        let form = FieldBuilder::without_object(&sent);
        assert_eq!(form.line("name", "Name", "1.0").value, "2.0");
        let groups = form.checkboxes("groups", "Groups", [1], [choice(2, "QA")]);
        assert_eq!(groups.value, "2\n3");
        assert_eq!(groups.name, "groups[]");
        assert_eq!(groups.attribute, "groups");
    }
}
