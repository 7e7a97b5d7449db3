//! JSON and XML of values of enumerations (compatibility 11.3 and 14).

use super::names::Names;
use crate::actions::enumerations::customized;
use crate::api::custom_fields::view::custom_fields;
use crate::domain::catalogue::{Catalogue, Enumeration};
use crate::domain::custom_field::{Customized, Values};
use crate::domain::position::position_in;
use crate::http::{Error, RequestContext};
use crate::store::{Read, custom_fields as store_fields};
use crate::wire::Fields;
use std::collections::HashMap;
use std::sync::Arc;

/// What the output of values of an enumeration needs besides them.
pub struct ViewContext {
    catalogue: Arc<Catalogue>,
    customized: Customized,
    custom_values: HashMap<i64, Values>,
    is_admin: bool,
}

impl ViewContext {
    /// Loads the values of the custom fields of an enumeration.
    pub fn load(
        request: &RequestContext,
        db: &Read<'_>,
        names: Names,
    ) -> Result<ViewContext, Error> {
        let catalogue = Arc::clone(db.catalogue());
        let has_fields = catalogue
            .custom_fields_of(customized(names.kind))
            .next()
            .is_some();
        let ids: Vec<i64> = catalogue
            .enumerations_of(names.kind)
            .filter(|_| has_fields)
            .map(|value| value.id.0)
            .collect();
        let custom_values = store_fields::list_values(db, customized(names.kind), &ids)?;
        Ok(ViewContext {
            catalogue,
            customized: customized(names.kind),
            custom_values,
            is_admin: request.viewer().admin,
        })
    }
}

/// Writes the fields of a value that everybody sees. Custom fields that are not visible are for
/// administrators.
pub fn enumeration(w: &mut Fields, value: &Enumeration, context: &ViewContext) {
    w.field("id", value.id.0);
    w.field("name", &value.name);
    w.field("is_default", value.is_default);
    w.field("active", value.active);
    let fields = context
        .catalogue
        .custom_fields_of(context.customized)
        .filter(|field| field.visible || context.is_admin);
    custom_fields(w, fields, context.custom_values.get(&value.id.0));
}

/// Writes the further fields that administrators see.
pub fn administration(w: &mut Fields, value: &Enumeration, context: &ViewContext) {
    w.field(
        "position",
        position_in(
            context
                .catalogue
                .enumerations_of(value.kind)
                .map(|sibling| sibling.id),
            value.id,
        ),
    );
}
