//! Pages that write issues.

mod comment;
mod conflict;
mod files;
mod new;
mod notes;
mod pictures;
mod queries;
