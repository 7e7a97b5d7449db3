//! Thumbnails of images (compatibility 11.4).

use crate::domain::attachment::Attachment;
use crate::store::{Store, StoreError, blobs};
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};
use std::fs::File;
use std::io::{BufReader, Cursor};
use std::sync::{Mutex, PoisonError};

/// Default length in pixels of the longer side.
const DEFAULT_SIZE: u32 = 100;
/// Maximum length in pixels of the longer side.
pub const MAX_THUMBNAIL_SIZE: u32 = 800;
/// Sizes are rounded up to a multiple of this number of pixels.
const SIZE_STEP: u32 = 50;
/// Maximum size in bytes of a file that is scaled.
const MAX_FILE_SIZE: i64 = 10 * 1024 * 1024;
/// Maximum memory in bytes for the pixels of an image: 16 million pixels of 4 bytes.
const MAX_PIXEL_BYTES: u64 = 64 * 1024 * 1024;
/// Held while an image is scaled: one at a time, so that concurrent requests do not multiply the memory for pixels.
static SCALING: Mutex<()> = Mutex::new(());

/// Returns the length of the longer side of a thumbnail in pixels for a requested one.
pub fn thumbnail_size(requested: Option<u32>) -> u32 {
    let size = requested.filter(|size| *size > 0).unwrap_or(DEFAULT_SIZE);
    size.min(MAX_THUMBNAIL_SIZE).next_multiple_of(SIZE_STEP)
}

/// Whether a thumbnail of the file can be made, as far as its name and size tell.
pub fn can_be_scaled(file: &Attachment) -> bool {
    file.is_image() && file.content.is_some() && file.filesize <= MAX_FILE_SIZE
}

/// Returns the image in the file as PNG, scaled down to at most `size` pixels on the longer side, and upright; `None` if it cannot be scaled.
/// The caller checks that the viewer may see the file.
pub fn thumbnail(store: &Store, file: &Attachment, size: u32) -> Result<Option<Vec<u8>>, StoreError> {
    let Some(content) = file.content.as_deref().filter(|_| can_be_scaled(file)) else { return Ok(None) };
    let Some(content) = blobs::open(store, content)? else { return Ok(None) };
    // Files that are broken, too large, or no images in spite of their names are usual.
    Ok(scale(content, size).ok())
}

fn scale(content: File, size: u32) -> Result<Vec<u8>, ImageError> {
    let _scaling = SCALING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut reader = ImageReader::new(BufReader::new(content)).with_guessed_format()?;
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_PIXEL_BYTES);
    reader.limits(limits.clone());
    let mut decoder = reader.into_decoder()?;
    // The decoder applies the limit to its own buffers only, not to the pixels that it returns.
    limits.reserve(decoder.total_bytes())?;
    decoder.set_limits(limits)?;
    let orientation = decoder.orientation()?;
    let mut image = DynamicImage::from_decoder(decoder)?;
    if image.width().max(image.height()) > size {
        image = image.thumbnail(size, size);
    }
    image.apply_orientation(orientation);
    let mut png = Vec::new();
    image.write_to(&mut Cursor::new(&mut png), ImageFormat::Png)?;
    Ok(png)
}

#[cfg(test)]
mod tests {
    use super::thumbnail_size;

    #[test]
    fn size_is_a_multiple_of_50_up_to_800() {
        let sizes = [None, Some(0), Some(1), Some(50), Some(51), Some(100), Some(790), Some(u32::MAX)].map(thumbnail_size);
        assert_eq!(sizes, [100, 100, 50, 50, 100, 100, 800, 800]);
    }
}
