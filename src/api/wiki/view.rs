//! How a wiki page looks outside (contract 5).

use crate::api::attachments::view::attachment;
use crate::domain::attachment::Attachment;
use crate::domain::catalogue::Catalogue;
use crate::domain::kind::Kind;
use crate::domain::wiki::{WikiPage, WikiVersion};
use crate::http::{Ask, Error};
use crate::store::{Read, attachments};
use crate::wire::Fields;
use jiff::Timestamp;
use std::sync::Arc;

/// What stands around a page.
pub struct Around {
    catalogue: Arc<Catalogue>,
    base: String,
    files: Option<Vec<Attachment>>,
}

impl Around {
    /// Reads what `include` asks for; names that are not known are passed over.
    pub fn load(ask: &Ask, db: &Read<'_>, page: &WikiPage) -> Result<Around, Error> {
        let asked = ask.parameter("include").unwrap_or_default();
        let files = match asked.split(',').any(|part| part.trim() == "attachments") {
            true => attachments::list_of(db, Kind::WikiPage, &[page.id.0])?.remove(&page.id.0).or(Some(Vec::new())),
            false => None,
        };
        Ok(Around { catalogue: Arc::clone(db.catalogue()), base: ask.base(), files })
    }
}

/// A page in the list of a wiki. The parent is there in any case (spec).
pub fn in_list(w: &mut Fields, page: &WikiPage, updated_on: Option<Timestamp>) {
    w.field("title", &page.title);
    match &page.parent_title {
        Some(title) => w.nested("parent", |w| w.attribute("title", title)),
        None => w.field("parent", None::<&str>),
    }
    w.field("version", page.version);
    w.field("created_on", page.created_on);
    w.field("updated_on", updated_on);
}

/// A page with what it says in one version.
pub fn alone(w: &mut Fields, page: &WikiPage, version: Option<&WikiVersion>, around: &Around) {
    w.field("title", &page.title);
    if let Some(title) = &page.parent_title {
        w.nested("parent", |w| w.attribute("title", title));
    }
    w.field("text", version.map(|version| &version.text));
    w.field("version", version.map_or(page.version, |version| version.version));
    let author = version.and_then(|version| version.author);
    w.maybe_reference("author", author.map(|id| (id.0, around.catalogue.principal_name(id.into()).unwrap_or_default())));
    w.field("comments", version.and_then(|version| version.comments.as_deref()));
    w.field("created_on", page.created_on);
    w.field("updated_on", version.map(|version| version.updated_on));
    if let Some(files) = &around.files {
        w.items("attachments", "attachment", files, |w, file| attachment(w, file, &around.catalogue, &around.base));
    }
}
