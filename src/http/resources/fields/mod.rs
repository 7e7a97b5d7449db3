//! How the REST API and the pages read the fields of a record from a body: a form of a page is a
//! request of the API with another face.

pub mod board;
pub mod category;
pub mod custom_field;
pub mod document;
pub mod enumeration;
pub mod group;
pub mod issue;
pub mod issue_status;
pub mod issue_template;
pub mod message;
pub mod news;
pub mod preferences;
pub mod project;
pub mod query;
pub mod repository;
pub mod role;
pub mod saved_reply;
pub mod time_entry;
pub mod tracker;
pub mod version;
pub mod wiki_page;
pub mod workflow;

use crate::{BodyFields, Error};
use quarry_wire::Input;

/// What a request changes in a record, which is one object in its body.
pub trait FromBody: Sized {
    /// The name of the object, such as `issue_status`.
    const OBJECT: &'static str;

    /// Takes what it needs from the fields of the object.
    fn from_fields(fields: &mut BodyFields<'_>) -> Result<Self, Error>;

    /// Parses a body. Without the object, nothing is changed.
    fn from_body(body: &Input) -> Result<Self, Error> {
        let mut fields = BodyFields::from_input(body, Self::OBJECT)?;
        let change = Self::from_fields(&mut fields)?;
        fields.check()?;
        Ok(change)
    }
}
