//! Files of the records of a random world.

use super::random::{PROJECTS, now};
use quarry::domain::content::attachment::{Attachment, Container, ContainerType};
use quarry::domain::ids::{ProjectId, UserId};
use quarry::domain::index_feed::indexed_record::IndexedRecord;
use quarry::domain::index_feed::kind::Kind;
use quarry::store::content::attachments;
use quarry::store::{Read, StoreError, Write};

/// Attaches a file. `veiled` occurs in names only, `shrouded` in descriptions only, and `sunken` in
/// files of versions, which are not searched.
pub fn insert(
    db: &mut Write<'_>,
    container_type: ContainerType,
    id: i64,
) -> Result<(), StoreError> {
    let searched = matches!(container_type, ContainerType::Record(_));
    let (filename, description) = if searched {
        ("veiled.txt", "shrouded")
    } else {
        ("sunken.txt", "sunken")
    };
    let file = Attachment {
        container: Some(Container { container_type, id }),
        filename: filename.to_owned(),
        description: Some(description.to_owned()),
        content_type: "text/plain".to_owned(),
        filesize: 1,
        author: UserId(1),
        created_on: now(),
        content: Some(String::new()),
        ..Attachment::default()
    };
    attachments::insert(db, &file).map(drop)
}

/// Returns every file with the project of its record, unsorted.
pub fn list_with_projects(
    db: &Read<'_>,
    sources: &[IndexedRecord],
) -> Result<Vec<(Attachment, ProjectId)>, StoreError> {
    let kinds = Kind::ALL.into_iter().map(ContainerType::Record);
    let mut files = Vec::new();
    for container_type in kinds.chain([ContainerType::Version]) {
        let ids: Vec<i64> = match container_type {
            ContainerType::Record(kind) => sources
                .iter()
                .filter(|source| source.kind == kind)
                .map(|source| source.id)
                .collect(),
            _ => (1..=PROJECTS).collect(),
        };
        let project = |id: i64| match container_type {
            ContainerType::Record(kind) => {
                sources
                    .iter()
                    .find(|source| source.kind == kind && source.id == id)
                    .unwrap()
                    .project
            }
            _ => ProjectId(id),
        };
        let found = attachments::list_by_container(db, container_type, &ids)?;
        files.extend(
            found
                .into_iter()
                .flat_map(|(id, files)| files.into_iter().map(move |file| (file, project(id)))),
        );
    }
    Ok(files)
}
