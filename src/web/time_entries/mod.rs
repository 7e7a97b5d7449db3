//! Pages of spent time: lists with their exports, forms, and the report.

mod csv;
mod feed;
mod filters;
mod form_filters;
mod list;
pub mod places;
mod routes;
mod rows;

pub use routes::routes;
