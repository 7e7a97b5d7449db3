//! Decodes images that users have uploaded, within bounds.

use image::{
    DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits, metadata::Orientation,
};
use std::io::{BufRead, Seek};

/// Maximum size in bytes of a file that is scaled.
pub const MAX_FILE_SIZE: u64 = 10 * 1024 * 1024;
/// Maximum memory in bytes for the pixels of an image: 16 million pixels of 4 bytes. Pixels of fewer
/// bytes take as much while they are scaled.
const MAX_PIXEL_BYTES: u64 = 64 * 1024 * 1024;

/// Decodes an image of one of these formats: the first frame of several. Returns it as it is stored, with
/// the orientation in which it is shown. Takes up to a second and 128 MiB.
///
/// # Errors
/// `Limits` for more pixels than fit into the memory.
pub(crate) fn decode(
    content: impl BufRead + Seek,
    formats: &[ImageFormat],
) -> Result<(DynamicImage, Orientation), ImageError> {
    let mut reader = ImageReader::new(content).with_guessed_format()?;
    let format = reader.format().filter(|format| formats.contains(format));
    let Some(format) = format else {
        return Err(ImageError::Unsupported(
            image::error::ImageFormatHint::Unknown.into(),
        ));
    };
    reader.set_format(format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_PIXEL_BYTES);
    reader.limits(limits.clone());
    let mut decoder = reader.into_decoder()?;
    // The decoder applies the limit to its own buffers only, not to the pixels that it returns.
    let (width, height) = decoder.dimensions();
    let bytes = u64::from(width) * u64::from(height) * 4;
    limits.reserve(bytes.max(decoder.total_bytes()))?;
    decoder.set_limits(limits)?;
    let orientation = decoder.orientation()?;
    Ok((DynamicImage::from_decoder(decoder)?, orientation))
}
