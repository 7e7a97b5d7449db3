//! What people write beside issues: wiki pages, news, documents, messages, comments and changesets, with
//! their files, watchers and reactions.

pub mod attachment_parents;
pub mod attachments;
pub mod blobs;
pub mod boards;
pub mod changesets;
pub mod comments;
pub mod documents;
pub mod messages;
pub mod news;
pub mod polymorphic;
pub mod reactions;
pub mod repositories;
pub(in crate::store) mod stored_files;
pub mod thumbnails;
pub mod watchers;
pub mod wiki;
pub mod wiki_redirects;
