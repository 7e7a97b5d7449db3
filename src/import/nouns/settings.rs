//! Settings. Those that mean something here are set besides, see `import::settings`.

use crate::import::field::{How, may, must};
use crate::import::noun::{Noun, rows};

pub const ALL: &[Noun] =
    &[rows("settings", "redmine_settings", &[must("name", How::Text), may("value", How::Text), may("updated_on", How::Instant)])];
