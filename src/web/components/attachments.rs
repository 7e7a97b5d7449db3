//! Files of a record.

use super::avatar::Person;
use super::time::Moment;
use crate::prelude::*;
use quarry_actions::content::attachments::{Rights, can_be_scaled, find_rights};
use quarry_domain::content::attachment::Attachment;
use quarry_domain::content::thumbnail::ThumbnailSize;

/// Maximum size in bytes of an image that is its own preview in a list of files.
const MAX_PREVIEW: i64 = 64 * 1024;

/// Maximum size in bytes of an image that its page shows as it is.
const MAX_IMAGE: i64 = 2 * 1024 * 1024;

/// Length in pixels of the longer side of a preview. Pages show it 220 pixels wide; screens with
/// high resolution have twice as many.
const PREVIEW_SIZE: u32 = 450;

/// A file as pages list it.
pub struct FileRow {
    pub name: String,
    /// The address of its page.
    pub page: String,
    /// The address of its content.
    pub download: String,
    /// Its size for people.
    pub size: String,
    pub description: String,
    /// The user who uploaded it.
    pub author: Person,
    /// When it was uploaded.
    pub created: Moment,
    /// The address of a small image of it, if it is an image.
    pub preview: Option<String>,
    /// The address of a large image of it, if it is an image.
    pub image: Option<String>,
    /// What the viewer may do with it.
    pub rights: Rights,
}

impl FileRow {
    /// Returns the row of a file.
    pub fn new(catalogue: &Catalogue, file: &Attachment) -> FileRow {
        let download = paths::download(file.id, &file.filename);
        let image = |max_size: i64, size: u32| {
            let scaled = can_be_scaled(file).then(|| paths::thumbnail(file.id, size));
            let is_small = file.is_image() && file.content.is_some() && file.filesize <= max_size;
            if is_small {
                Some(download.clone())
            } else {
                scaled
            }
        };
        FileRow {
            name: file.filename.clone(),
            page: paths::attachment(file.id),
            size: size(file.filesize),
            description: file.description.clone().unwrap_or_default(),
            author: Person::new(catalogue, file.author.into()),
            created: Moment::new(file.created_on),
            preview: image(MAX_PREVIEW, PREVIEW_SIZE),
            image: image(MAX_IMAGE, ThumbnailSize::MAX.pixels()),
            rights: Rights::default(),
            download,
        }
    }

    /// Returns the rows of the files of one record, with what the viewer may do with them.
    pub fn list_with_rights(
        db: &Read<'_>,
        viewer: &Viewer,
        files: &[Attachment],
    ) -> Result<Vec<FileRow>, ActionError> {
        let Some(first) = files.first() else {
            return Ok(Vec::new());
        };
        let rights = find_rights(db, viewer, first)?;
        let rows = FileRow::list(db.catalogue(), files).into_iter();
        Ok(rows.map(|row| FileRow { rights, ..row }).collect())
    }

    /// Returns the rows of the files.
    pub fn list(catalogue: &Catalogue, files: &[Attachment]) -> Vec<FileRow> {
        files
            .iter()
            .map(|file| FileRow::new(catalogue, file))
            .collect()
    }
}

/// Returns a size such as 12.5 KB.
#[allow(clippy::cast_precision_loss, reason = "shown with one decimal")]
pub fn size(bytes: i64) -> String {
    match bytes {
        ..1024 => format!("{bytes} bytes"),
        1024..1_048_576 => format!("{:.1} KB", bytes as f64 / 1024.0),
        1_048_576..1_073_741_824 => format!("{:.1} MB", bytes as f64 / 1_048_576.0),
        _ => format!("{:.1} GB", bytes as f64 / 1_073_741_824.0),
    }
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn size_has_one_decimal() {
        assert_eq!(
            [12, 1536, 5_242_880, 3 << 30].map(size),
            ["12 bytes", "1.5 KB", "5.0 MB", "3.0 GB"]
        );
    }
}
