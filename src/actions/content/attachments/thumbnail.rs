//! Thumbnails of images (compatibility 11.4).

use crate::images::{self, MAX_FILE_SIZE};
use image::{ImageError, ImageFormat};
use quarry_domain::content::attachment::Attachment;
use quarry_domain::content::thumbnail::ThumbnailSize;
use quarry_store::files::{Content, blobs, thumbnails};
use quarry_store::{Store, StoreError};
use std::io::{BufReader, Cursor};
use std::sync::Arc;

/// The formats of images.
const FORMATS: [ImageFormat; 5] = [
    ImageFormat::Bmp,
    ImageFormat::Gif,
    ImageFormat::Jpeg,
    ImageFormat::Png,
    ImageFormat::WebP,
];

/// Whether a thumbnail of the file can be made, as far as its name and size tell.
pub fn can_be_scaled(file: &Attachment) -> bool {
    file.is_image()
        && file.content.is_some()
        && u64::try_from(file.filesize).is_ok_and(|size| size <= MAX_FILE_SIZE)
}

/// A thumbnail in one size, cached or not. The caller checks that the viewer may see the file.
pub struct Thumbnail {
    filename: String,
    content: String,
    size: ThumbnailSize,
}

impl Thumbnail {
    /// Creates the thumbnail of a file; `None` if its name or size rules out an image that can be
    /// scaled.
    pub fn new(file: Attachment, size: ThumbnailSize) -> Option<Thumbnail> {
        let is_image = can_be_scaled(&file);
        let filename = file.filename;
        file.content.filter(|_| is_image).map(|content| Thumbnail {
            filename,
            content,
            size,
        })
    }

    /// Returns the name of the file.
    pub fn filename(&self) -> &str {
        &self.filename
    }

    /// Returns an entity tag that changes with the content of the file and the size.
    pub fn tag(&self) -> String {
        format!("{}-{}", self.content, self.size)
    }

    /// Returns the thumbnail as PNG if it is cached.
    pub fn load(&self, store: &Store) -> Option<Vec<u8>> {
        thumbnails::find(store, &self.content, self.size)
    }

    /// Scales the image down, rotates it as its metadata say, caches the thumbnail and returns it
    /// as PNG; `None` if it cannot be scaled. Takes up to a second and 128 MiB: the caller limits
    /// how many calls run at a time.
    pub fn create(&self, store: &Arc<Store>) -> Result<Option<Vec<u8>>, StoreError> {
        let content = store.read(|db| blobs::open(db, store, &self.content))?;
        let Some(content) = content else {
            return Ok(None);
        };
        // It is common that files are broken, too large, or no images in spite of their names.
        let Ok(png) = scale(content, self.size.pixels()) else {
            return Ok(None);
        };
        if let Err(error) = thumbnails::insert(store, &self.content, self.size, &png) {
            tracing::warn!(error = %error, "a thumbnail could not be cached");
        }
        Ok(Some(png))
    }
}

fn scale(content: Content, size: u32) -> Result<Vec<u8>, ImageError> {
    let (mut image, orientation) = images::decode(BufReader::new(content), &FORMATS)?;
    if image.width().max(image.height()) > size {
        image = image.thumbnail(size, size);
    }
    image.apply_orientation(orientation);
    let mut png = Vec::new();
    image.write_to(&mut Cursor::new(&mut png), ImageFormat::Png)?;
    Ok(png)
}
