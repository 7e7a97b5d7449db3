//! Components of pages: each folder has a template partial with macros, its CSS, and its view model
//! where it needs one.
//!
//! A page imports the partials that it uses and calls their macros: `{{ badge::status(name,
//! stage) }}`.

pub mod attachments;
pub mod avatar;
pub mod badge;
pub mod breadcrumb;
pub mod diff;
pub mod error_summary;
pub mod feed;
pub mod field_builder;
pub mod form_field;
pub mod form_page;
pub mod ical;
pub mod list_page;
pub mod login_form;
pub mod matrix;
pub mod pager;
pub mod picture_form;
pub mod reactions;
pub mod side_nav;
pub mod tabs;
pub mod tasks;
pub mod time;
pub mod watch;
