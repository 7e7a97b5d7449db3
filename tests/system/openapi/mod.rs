//! `/openapi` and the description that it returns. Every response that a test receives is compared
//! with the description, so that it can neither lack an operation, a status or a field, nor promise
//! one that is not there.

pub mod document;
mod includes;
mod redmine;
mod request_bodies;
mod statuses;
