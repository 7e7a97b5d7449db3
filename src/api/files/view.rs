//! JSON and XML of project files (compatibility 11.9).

use crate::api::attachments::view::attachment;
use crate::domain::attachment::{Attachment, Container, ContainerType};
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::VersionId;
use crate::wire::Fields;

/// Writes the fields of a file, in the order of compatibility 11.9.
pub fn file(w: &mut Fields, file: &Attachment, catalogue: &Catalogue, base: &str) {
    attachment(w, file, catalogue, base);
    if let Some(Container {
        container_type: ContainerType::Version,
        id,
    }) = file.container
    {
        w.reference(
            "version",
            id,
            catalogue
                .versions
                .get(&VersionId(id))
                .map_or("", |version| &version.name),
        );
    }
    w.field("digest", &file.digest);
    w.field("downloads", file.downloads);
}
