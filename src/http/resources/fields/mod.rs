//! How the REST API and the pages read the fields of a record from a body: a form of a page is a
//! request of the API with another face.

mod board;
mod category;
mod custom_field;
mod document;
mod enumeration;
mod issue_status;
mod issue_template;
mod message;
mod news;
mod repository;
mod role;
mod saved_reply;
mod tracker;
mod version;

pub mod group;
pub mod issue;
pub mod preferences;
pub mod project;
pub mod query;
pub mod reaction;
pub mod time_entry;
pub mod wiki_page;
pub mod workflow;

use crate::{BodyFields, Error};
use quarry_wire::Input;

/// What a request changes in a record, which is one object in its body.
pub trait FromBody: Sized {
    /// The name of the object, such as `issue_status`.
    const OBJECT: &'static str;

    /// Parses the fields of the object.
    fn from_fields(body: &mut BodyFields<'_>) -> Result<Self, Error>;

    /// Parses a body. Without the object, no attribute is set.
    fn from_body(body: &Input) -> Result<Self, Error> {
        Self::from_object(body, Self::OBJECT)
    }

    /// Parses a body in which the object has another name.
    fn from_object(body: &Input, name: &str) -> Result<Self, Error> {
        let mut body = BodyFields::from_input(body, name)?;
        let change = Self::from_fields(&mut body)?;
        body.check()?;
        Ok(change)
    }
}
