//! The sizes of thumbnails (compatibility 11.4).

/// Default length of the longer side in pixels.
const DEFAULT_SIZE: u32 = 100;
/// Maximum length of the longer side in pixels.
const MAX_SIZE: u32 = 800;
/// Sizes are multiples of this number of pixels.
const SIZE_STEP: u32 = 50;

/// The length of the longer side of a thumbnail in pixels: a multiple of 50, at most 800.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThumbnailSize(u32);

impl ThumbnailSize {
    /// The largest size.
    pub const MAX: ThumbnailSize = ThumbnailSize(MAX_SIZE);

    /// Returns the size for a requested one, rounded up; the default for none.
    pub fn new(requested: Option<u32>) -> ThumbnailSize {
        let size = requested.filter(|size| *size > 0).unwrap_or(DEFAULT_SIZE);
        ThumbnailSize(size.min(MAX_SIZE).next_multiple_of(SIZE_STEP))
    }

    /// Returns all sizes.
    pub fn all() -> impl Iterator<Item = ThumbnailSize> {
        (1..=MAX_SIZE / SIZE_STEP).map(|steps| ThumbnailSize(steps * SIZE_STEP))
    }

    /// Returns the number of pixels.
    pub fn pixels(self) -> u32 {
        self.0
    }
}

impl std::fmt::Display for ThumbnailSize {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::ThumbnailSize;

    #[test]
    fn size_is_a_multiple_of_50_up_to_800() {
        let sizes = [
            None,
            Some(0),
            Some(1),
            Some(50),
            Some(51),
            Some(100),
            Some(790),
            Some(u32::MAX),
        ]
        .map(ThumbnailSize::new);
        assert_eq!(
            sizes.map(ThumbnailSize::pixels),
            [100, 100, 50, 50, 100, 100, 800, 800]
        );
        assert!(
            sizes
                .iter()
                .all(|size| ThumbnailSize::all().any(|listed| listed == *size))
        );
        assert_eq!(ThumbnailSize::all().last(), Some(ThumbnailSize::MAX));
    }
}
