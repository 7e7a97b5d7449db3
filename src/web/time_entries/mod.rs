//! Pages of spent time: lists with their exports, forms, and the report.

mod csv;
mod delete;
mod edit;
mod feed;
mod filters;
pub mod form;
mod form_filters;
mod list;
mod new;
pub mod places;
mod routes;
mod rows;

pub use routes::routes;
