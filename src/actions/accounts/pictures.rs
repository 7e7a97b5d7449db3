//! The pictures of users: uploaded images, cut to a square, scaled and encoded anew.
//!
//! Invariants: nothing of what was uploaded is stored or sent, and so no metadata such as a place.
//! Only the user and administrators change a picture; only who may see the user sees it.

use crate::images;
use crate::prelude::*;
use image::codecs::jpeg::JpegEncoder;
use image::imageops;
use image::{DynamicImage, ImageError, ImageFormat, Rgb, RgbImage, Rgba};
use quarry_domain::access::visibility;
use quarry_store::accounts::pictures;
use sha2::{Digest, Sha256};
use std::io::{BufRead, Seek};

pub use crate::images::MAX_FILE_SIZE;

/// The media type of pictures.
pub const CONTENT_TYPE: &str = "image/jpeg";
/// The attribute of errors about a picture.
pub const ATTRIBUTE: &str = "picture";

/// The formats that may be uploaded.
const FORMATS: [ImageFormat; 4] = [
    ImageFormat::Gif,
    ImageFormat::Jpeg,
    ImageFormat::Png,
    ImageFormat::WebP,
];
/// Length of the sides of a picture in pixels. A smaller image keeps its size.
const SIZE: u32 = 96;
/// Quality of the encoding, of 100.
const QUALITY: u8 = 85;
/// Number of bytes of the hash that identifies a picture among those of a user.
const DIGEST_BYTES: usize = 8;

/// A picture, ready to be stored.
#[derive(Debug)]
pub struct Picture {
    content: Vec<u8>,
    digest: String,
}

/// Why a file cannot be a picture. Its `Display` is the rest of a sentence about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    #[error("must be a PNG, JPEG, GIF or WebP image; this file is something else, or damaged")]
    NoImage,
    #[error(
        "has too many pixels (maximum is 16 million, or fewer where a pixel has more than 4 bytes)"
    )]
    TooManyPixels,
}

impl Picture {
    /// Makes a picture of the middle of an uploaded image. Takes up to a second and 128 MiB: the caller
    /// limits how many calls run at a time.
    pub fn new(file: impl BufRead + Seek) -> Result<Picture, PictureError> {
        let content = scale(file).map_err(|error| match error {
            ImageError::Limits(_) => PictureError::TooManyPixels,
            _ => PictureError::NoImage,
        })?;
        let hash = Sha256::digest(&content);
        Ok(Picture {
            digest: hex::encode(&hash[..DIGEST_BYTES]),
            content,
        })
    }
}

fn scale(file: impl BufRead + Seek) -> Result<Vec<u8>, ImageError> {
    let (image, orientation) = images::decode(file, &FORMATS)?;
    let side = image.width().min(image.height());
    let left = (image.width() - side) / 2;
    let top = (image.height() - side) / 2;
    let square = imageops::crop_imm(&image, left, top, side, side);
    let size = side.min(SIZE);
    let scaled = imageops::thumbnail(&*square, size, size);
    let mut scaled = DynamicImage::ImageRgba8(scaled);
    scaled.apply_orientation(orientation);
    let mut content = Vec::new();
    JpegEncoder::new_with_quality(&mut content, QUALITY).encode_image(&on_white(&scaled))?;
    Ok(content)
}

/// Returns the image on a white background, which shows where it is transparent.
fn on_white(image: &DynamicImage) -> RgbImage {
    let image = image.to_rgba8();
    RgbImage::from_fn(image.width(), image.height(), |x, y| {
        let Rgba([red, green, blue, alpha]) = *image.get_pixel(x, y);
        let blend = |value: u8| {
            let sum = u16::from(value) * u16::from(alpha) + 255 * u16::from(255 - alpha);
            u8::try_from(sum / 255).unwrap_or(u8::MAX)
        };
        Rgb([red, green, blue].map(blend))
    })
}

/// Sets the picture of a user.
///
/// # Errors
/// `Forbidden` for a viewer who is neither the user nor an administrator.
pub fn set(
    db: &mut Write<'_>,
    viewer: &Viewer,
    user: UserId,
    picture: &Picture,
) -> Result<(), ActionError> {
    check_access(db, viewer, user)?;
    Ok(pictures::set(db, user, &picture.digest, &picture.content)?)
}

/// Deletes the picture of a user.
///
/// # Errors
/// `Forbidden` for a viewer who is neither the user nor an administrator.
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, user: UserId) -> Result<(), ActionError> {
    check_access(db, viewer, user)?;
    Ok(pictures::delete(db, user)?)
}

fn check_access(db: &Read<'_>, viewer: &Viewer, user: UserId) -> Result<(), ActionError> {
    if !viewer.admin && viewer.user != Some(user) {
        return Err(ActionError::Forbidden);
    }
    let exists = db.catalogue().users.contains_key(&user);
    exists.then_some(()).ok_or(ActionError::NotFound)
}

/// Returns the digest of the picture of a user; `None` if there is none, or the viewer may not see the
/// user. Pictures of users who cannot log in are shown, as their names are.
pub fn digest<'c>(catalogue: &'c Catalogue, viewer: &Viewer, user: UserId) -> Option<&'c str> {
    let digest = catalogue.users.get(&user)?.picture.as_deref()?;
    visibility::can_see_principal(viewer, catalogue, user.into()).then_some(digest)
}

/// Returns the picture of a user, as [`CONTENT_TYPE`], with its digest.
///
/// # Errors
/// `NotFound` where [`digest`] is `None`.
pub fn find(
    db: &Read<'_>,
    viewer: &Viewer,
    user: UserId,
) -> Result<(Vec<u8>, String), ActionError> {
    let digest = digest(db.catalogue(), viewer, user).ok_or(ActionError::NotFound)?;
    let content = pictures::find(db, user, digest)?.ok_or(ActionError::NotFound)?;
    Ok((content, digest.to_owned()))
}
