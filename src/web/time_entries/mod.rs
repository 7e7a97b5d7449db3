//! Pages of spent time: lists with their exports, forms, and the report.

mod csv;
mod delete;
mod edit;
mod feed;
mod filters;
pub mod form;
mod form_filters;
mod hours_chart;
mod list;
mod new;
mod periods;
mod report;
mod report_names;
mod report_params;
mod report_table;
mod routes;
mod rows;
mod tabs;
pub mod time_entry_pages;
mod week;
mod week_form;
mod week_rows;

pub use routes::routes;
