//! Parses the body of a request about a value of an enumeration.

use super::names::Names;
use crate::actions::enumerations::EnumerationChange;
use crate::http::{BodyFields, Error, RequestContext};

/// Parses the object that is named after the enumeration, such as `issue_priority`.
pub fn parse(request: &RequestContext, names: Names) -> Result<EnumerationChange, Error> {
    let mut body = BodyFields::from_body(request, names.item)?;
    let change = EnumerationChange {
        name: body.text("name", "Name"),
        is_default: body.boolean("is_default", "Is default"),
        active: body.boolean("active", "Active"),
        position: body.integer("position", "Position"),
        custom: body.custom_fields(),
    };
    body.check()?;
    Ok(change)
}
