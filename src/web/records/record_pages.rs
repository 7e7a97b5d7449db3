//! The pages to create, change and delete the records of one kind: a noun says what its fields and
//! actions are, and gets its routes from [`record_routes`](crate::records::record_routes).
//!
//! Invariant: `find` and `parent` check who may come here; the actions check again when they write.

use crate::components::field_builder::FieldBuilder;
use crate::components::form_page::Section;
use crate::components::list_page::Link;
use crate::prelude::*;
use crate::records::deletions::DeletionEffects;
use crate::records::record_area::RecordArea;

/// A kind of records with pages.
pub trait RecordPages: 'static {
    /// How records are created, updated and deleted: the use cases that the API has, or those of
    /// a form that sends something else.
    type Resource: Resource<Change: FromBody>;
    type Record;
    /// What a record belongs to: its project, or `()` for the whole installation.
    type Parent: Copy + Send + Into<<Self::Resource as Resource>::Parent> + 'static;
    /// The kind of area that its pages are in.
    type Area: RecordArea<Parent = Self::Parent>;

    /// What people call a record, such as `status`.
    const NOUN: &'static str;
    /// The address of a record without its id, such as `/issue_statuses`.
    const PATH: &'static str;
    /// Where its list and its forms are.
    const AREA: Self::Area;

    /// Whether the form has a button that shows a preview of what was typed.
    const HAS_PREVIEW: bool = false;

    /// Returns what people call a record of this parent.
    fn noun(_parent: Self::Parent) -> &'static str {
        Self::NOUN
    }

    /// Returns the page on which something is chosen before the form of a new record, if it is not
    /// chosen yet.
    fn choice_page(_request: &RequestContext, _db: &Read<'_>) -> Result<Option<Reply>, Error> {
        Ok(None)
    }

    /// Returns links to pages about parts of a record, for its form.
    fn links(_record: &Self::Record) -> Vec<Link> {
        Vec::new()
    }

    /// Returns fields that show what the form would make, with the heading above them.
    fn preview(
        _request: &RequestContext,
        _db: &Read<'_>,
        _parent: Self::Parent,
        _record: Option<&Self::Record>,
        _sent: &Input,
    ) -> Result<Option<Section>, Error> {
        Ok(None)
    }

    /// Returns the record in the path. Fails when there is none that the viewer may change.
    fn find(request: &RequestContext, db: &Read<'_>) -> Result<Self::Record, Error>;

    fn parent_of(record: &Self::Record) -> Self::Parent;
    fn id(record: &Self::Record) -> i64;
    fn name(record: &Self::Record) -> &str;

    /// Returns the fields of the form for a record, or for a new one.
    fn sections(
        request: &RequestContext,
        db: &Read<'_>,
        parent: Self::Parent,
        record: Option<&Self::Record>,
        fields: FieldBuilder<'_>,
    ) -> Result<Vec<Section>, Error>;

    /// Parses the fields of a body.
    fn parse(input: &Input) -> Result<ChangeOf<Self>, Error> {
        FromBody::from_body(input)
    }

    /// Returns what a deletion would do to other records.
    fn deletion_effects(_db: &Read<'_>, _record: &Self::Record) -> Result<DeletionEffects, Error> {
        Ok(DeletionEffects::default())
    }

    /// Whether the form of the record offers to delete it.
    fn can_delete(_record: &Self::Record) -> bool {
        true
    }

    /// Writes the audit log after a change: `created`, `updated` or `deleted`.
    fn audit(_request: &RequestContext, _id: i64, _change: &'static str) {}
}

/// What a form or a request changes.
pub type ChangeOf<R> = <<R as RecordPages>::Resource as Resource>::Change;

/// Returns the address of the form of a record.
pub fn edit_path<R: RecordPages>(id: i64) -> String {
    format!("{}/{id}/edit", R::PATH)
}

/// Returns the address of the confirmation of a deletion.
pub fn delete_path<R: RecordPages>(id: i64) -> String {
    format!("{}/{id}/delete", R::PATH)
}

/// Returns the list as the address after a change, with the message that it shows.
pub fn list_redirect<R: RecordPages>(
    request: &RequestContext,
    parent: R::Parent,
    change: &str,
) -> Result<(String, String), Error> {
    let catalogue = request.app.store.catalogue()?;
    Ok((
        R::AREA.list_path(&catalogue, parent),
        format!("The {} was {change}.", R::noun(parent)),
    ))
}
