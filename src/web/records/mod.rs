//! The pages that many kinds of records share: to create, change and delete them.

pub(crate) mod content_pages;
pub(crate) mod deletions;
pub(crate) mod record_area;
pub(crate) mod record_pages;
pub(crate) mod record_routes;
