//! The possible values of a field: `/custom_fields/:id/enumerations`, and the forms.

use super::names;
use super::names::{address, records_name, values_path};
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::choice;
use crate::components::form_page::Section;
use crate::components::list_page::{Cell, Link, ListPage};
use crate::frame::Frame;
use crate::prelude::*;
use crate::records::deletions::{DeletionEffects, count};
use crate::records::record_area::RecordArea;
use crate::records::record_pages::{RecordPages, delete_path, edit_path};
use crate::records::record_routes::child_routes;
use quarry_actions::administration::custom_fields::{PossibleValue, PossibleValueChange};
use quarry_domain::administration::custom_field::{CustomField, Format};
use quarry_domain::ids::CustomFieldId;
use quarry_store::administration::custom_fields as store;

/// Returns the routes of possible values.
pub fn routes() -> Routes {
    child_routes::<PossibleValuePages>("/custom_fields/{id}/enumerations", list)
}

fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let id = PossibleValuePages::AREA.parent(request, catalogue)?;
    let field = find_field(catalogue, id)?;
    let counts = store::value_counts(db, id)?;
    let values = &field.enumeration;
    let rows = values.iter().enumerate().map(|(index, value)| {
        let edit = edit_path::<PossibleValuePages>(value.0);
        vec![
            Cell::record(&value.1, &edit),
            Cell::Check(value.2),
            Cell::Number(counts.get(&value.0.to_string()).copied().unwrap_or(0)),
            Cell::order(edit, PossibleValueChange::OBJECT, index, values.len()),
            Cell::Links(vec![Link::new(
                "Delete",
                delete_path::<PossibleValuePages>(value.0),
            )]),
        ]
    });
    let title = format!("Values of {}", field.name);
    let frame = Frame::for_administration(request, db, title)
        .below("Custom fields", address(field.customized))
        .below(field.name.clone(), names::edit_path(id));
    ListPage::new(
        frame,
        &["Name", "Active", "#Used by", "Order", ""],
        rows.collect(),
    )
    .with_button(
        "New value",
        PossibleValuePages::AREA.new_path(catalogue, id),
    )
    .with_empty(
        "There is no value yet.",
        "Add the values from which people choose.",
    )
    .render()
}

/// Returns a field with the format `enumeration`.
fn find_field(catalogue: &Catalogue, id: CustomFieldId) -> Result<&CustomField, Error> {
    let mut fields = catalogue.custom_fields.iter();
    fields
        .find(|field| field.id == id && field.format == Format::Enumeration)
        .ok_or(Error::NotFound)
}

/// A possible value with its field.
struct StoredValue {
    field: CustomFieldId,
    id: i64,
    name: String,
    is_active: bool,
}

struct PossibleValuePages;

impl RecordArea for PossibleValuePages {
    type Parent = CustomFieldId;

    fn parent(
        &self,
        request: &RequestContext,
        catalogue: &Catalogue,
    ) -> Result<CustomFieldId, Error> {
        Ok(find_field(catalogue, request.id_param("id")?)?.id)
    }

    fn frame(
        &self,
        request: &RequestContext,
        db: &Read<'_>,
        field: CustomFieldId,
        title: &str,
    ) -> Result<Frame, Error> {
        let field = find_field(db.catalogue(), field)?;
        let frame = Frame::for_administration(request, db, title);
        Ok(frame
            .below("Custom fields", address(field.customized))
            .below(field.name.clone(), names::edit_path(field.id))
            .below("Values", values_path(field.id)))
    }

    fn list_path(&self, _catalogue: &Catalogue, field: CustomFieldId) -> String {
        values_path(field)
    }

    fn new_path(&self, _catalogue: &Catalogue, field: CustomFieldId) -> String {
        format!("{}/new", values_path(field))
    }
}

impl RecordPages for PossibleValuePages {
    type Resource = PossibleValue;
    type Record = StoredValue;
    type Parent = CustomFieldId;
    type Area = PossibleValuePages;

    const NOUN: &'static str = "value";
    const PATH: &'static str = "/custom_field_enumerations";
    const AREA: PossibleValuePages = PossibleValuePages;

    fn find(request: &RequestContext, db: &Read<'_>) -> Result<StoredValue, Error> {
        let id: i64 = request.id_param("id")?;
        let fields = &db.catalogue().custom_fields;
        let mut values = fields.iter().flat_map(|field| {
            let values = field.enumeration.iter();
            values.map(|(id, name, is_active)| StoredValue {
                field: field.id,
                id: *id,
                name: name.clone(),
                is_active: *is_active,
            })
        });
        values.find(|value| value.id == id).ok_or(Error::NotFound)
    }

    fn parent_of(value: &StoredValue) -> CustomFieldId {
        value.field
    }

    fn id(value: &StoredValue) -> i64 {
        value.id
    }

    fn name(value: &StoredValue) -> &str {
        &value.name
    }

    fn sections(
        _request: &RequestContext,
        _db: &Read<'_>,
        _field: CustomFieldId,
        value: Option<&StoredValue>,
        form: FieldBuilder<'_>,
    ) -> Result<Vec<Section>, Error> {
        let name = value.map(|value| value.name.clone()).unwrap_or_default();
        let is_active = value.is_none_or(|value| value.is_active);
        let fields = vec![
            form.line("name", "Name", name).required(),
            form.switch("active", "Active", is_active)
                .with_hint("What is not active stays where it is, and cannot be chosen any more."),
        ];
        Ok(vec![Section::new("", fields)])
    }

    fn deletion_effects(db: &Read<'_>, value: &StoredValue) -> Result<DeletionEffects, Error> {
        let field = find_field(db.catalogue(), value.field)?;
        let counts = store::value_counts(db, value.field)?;
        let records = counts.get(&value.id.to_string()).copied().unwrap_or(0);
        let words = records_name(field.customized);
        if records == 0 {
            return Ok(DeletionEffects {
                notes: vec![format!("No {} has this value.", words.0)],
                ..DeletionEffects::default()
            });
        }
        let others = field.enumeration.iter();
        let others = others.filter(|other| other.0 != value.id);
        let replacements: Vec<_> = others.map(|other| choice(other.0, &other.1)).collect();
        let gets = count(
            records,
            &format!("{} gets", words.0),
            &format!("{} get", words.1),
        );
        Ok(DeletionEffects {
            notes: vec![format!("{gets} the new value.")],
            refusal: replacements
                .is_empty()
                .then(|| "There is no other value that could replace it.".to_owned()),
            replacements,
            needs_replacement: true,
            ..DeletionEffects::default()
        })
    }
}
