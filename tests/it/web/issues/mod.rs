//! Pages that write issues.

mod comment;
mod conflict;
mod files;
mod list;
mod new;
mod notes;
mod pictures;
mod queries;
