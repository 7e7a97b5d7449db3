//! Who is in which group; the groups themselves come with the users.

use crate::import::field::{How, must};
use crate::import::noun::{Noun, set};

pub const ALL: &[Noun] =
    &[set(("groups_users", "group_id"), ("group_users", "group_id"), "users", &[must("user_id", How::Ref("users"))]).names()];
