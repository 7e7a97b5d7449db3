//! The definitions of custom fields, for administrators: `/custom_fields`, and the values of fields
//! that have named ones.
//!
//! `names` has the words for types and formats, `choose` the page before the form of a new field,
//! `form` the fields of the form, `preview` the control that people will see, `values` the pages of
//! values.

mod choose;
mod form;
mod list;
mod names;
mod possible_values;
mod preview;

use crate::components::field_builder::FieldBuilder;
use crate::components::form_page::Section;
use crate::components::list_page::Link;
use crate::frame::Frame;
use crate::prelude::*;
use crate::records::deletions::{DeletionEffects, count};
use crate::records::record_area::RecordArea;
use crate::records::record_pages::RecordPages;
use crate::records::record_routes::admin_routes;
use list::list;
use names::{Target, address, records_name};
use quarry_actions::administration::custom_fields::FieldChange;
use quarry_domain::administration::custom_field::CustomField;
use quarry_domain::ids::CustomFieldId;
use quarry_domain::values::patch::Patch;
use quarry_store::administration::custom_fields as store;

/// Returns the routes of custom fields.
pub fn routes() -> Routes {
    admin_routes::<FieldPages>(list).merge(possible_values::routes())
}

struct FieldPages;

impl RecordArea for FieldPages {
    type Parent = Target;

    fn parent(&self, request: &RequestContext, _catalogue: &Catalogue) -> Result<Target, Error> {
        choose::target(request).ok_or(Error::NotFound)
    }

    fn frame(
        &self,
        request: &RequestContext,
        db: &Read<'_>,
        target: Target,
        title: &str,
    ) -> Result<Frame, Error> {
        let frame = Frame::for_administration(request, db, title);
        Ok(frame.below("Custom fields", address(target.customized)))
    }

    fn list_path(&self, _catalogue: &Catalogue, target: Target) -> String {
        address(target.customized)
    }

    fn new_path(&self, _catalogue: &Catalogue, target: Target) -> String {
        choose::address(target)
    }
}

impl Resource for FieldPages {
    type Id = CustomFieldId;
    type Parent = Target;
    type Change = FieldChange;

    fn create(
        db: &mut Write<'_>,
        viewer: &Viewer,
        target: Target,
        change: &FieldChange,
    ) -> Result<CustomFieldId, ActionError> {
        let change = FieldChange {
            customized: Patch::Set(target.customized.name().to_owned()),
            format: Patch::Set(target.format.name().to_owned()),
            ..change.clone()
        };
        CustomField::create(db, viewer, (), &change)
    }

    fn update(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: CustomFieldId,
        change: &FieldChange,
    ) -> Result<(), ActionError> {
        CustomField::update(db, viewer, id, change)
    }

    fn delete(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: CustomFieldId,
        _replacement: Option<CustomFieldId>,
    ) -> Result<(), ActionError> {
        CustomField::delete(db, viewer, id, None)
    }
}

impl RecordPages for FieldPages {
    type Resource = Self;
    type Record = CustomField;
    type Parent = Target;
    type Area = FieldPages;

    const NOUN: &'static str = "custom field";
    const PATH: &'static str = "/custom_fields";
    const AREA: FieldPages = FieldPages;
    const HAS_PREVIEW: bool = true;

    fn choice_page(request: &RequestContext, db: &Read<'_>) -> Result<Option<Reply>, Error> {
        choose::page(request, db)
    }

    fn find(request: &RequestContext, db: &Read<'_>) -> Result<CustomField, Error> {
        let id: CustomFieldId = request.id_param("id")?;
        let fields = &db.catalogue().custom_fields;
        let field = fields.iter().find(|field| field.id == id);
        field.cloned().ok_or(Error::NotFound)
    }

    fn parent_of(field: &CustomField) -> Target {
        Target {
            customized: field.customized,
            format: field.format,
        }
    }

    fn id(field: &CustomField) -> i64 {
        field.id.0
    }

    fn name(field: &CustomField) -> &str {
        &field.name
    }

    fn sections(
        _request: &RequestContext,
        db: &Read<'_>,
        target: Target,
        field: Option<&CustomField>,
        form: FieldBuilder<'_>,
    ) -> Result<Vec<Section>, Error> {
        let blank = target.new_field();
        let stored = field.unwrap_or(&blank);
        Ok(form::sections(db.catalogue(), stored, form))
    }

    fn links(field: &CustomField) -> Vec<Link> {
        names::values_link(field).into_iter().collect()
    }

    fn preview(
        _request: &RequestContext,
        db: &Read<'_>,
        target: Target,
        field: Option<&CustomField>,
        sent: &Input,
    ) -> Result<Option<Section>, Error> {
        let blank = target.new_field();
        let stored = field.unwrap_or(&blank);
        let draft = match form::parse(sent) {
            Ok(change) => change.draft(db.catalogue(), stored),
            Err(_) => stored.clone(),
        };
        Ok(Some(preview::section(db.catalogue(), &draft)))
    }

    fn parse(input: &Input) -> Result<FieldChange, Error> {
        form::parse(input)
    }

    fn deletion_effects(db: &Read<'_>, field: &CustomField) -> Result<DeletionEffects, Error> {
        let records = store::count_records(db, field.id)?;
        let words = records_name(field.customized);
        let note = if records == 0 {
            format!("No {} has a value in this field.", words.0)
        } else {
            format!(
                "{} a value in this field. The values are deleted with it, and cannot be restored.",
                count(
                    records,
                    &format!("{} has", words.0),
                    &format!("{} have", words.1)
                )
            )
        };
        Ok(DeletionEffects {
            notes: vec![note],
            ..DeletionEffects::default()
        })
    }
}
