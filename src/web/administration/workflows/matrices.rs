//! The page with the matrices of some trackers and roles: of transitions, or of field rules.

use crate::components::form_field::FormField;
use crate::components::matrix::{Matrix, MatrixCell};
use crate::components::pager::Pager;
use crate::frame::Frame;
use askama::Template;

/// The address of the matrices of transitions.
pub const TRANSITIONS: &str = "/workflows/edit";
/// The address of the matrix of field rules.
pub const FIELD_RULES: &str = "/workflows/permissions";
/// What people call the rules for fields.
pub const FIELD_RULES_TITLE: &str = "Required and read-only fields";

/// A page with the matrices of some trackers and roles.
#[derive(Template)]
#[template(path = "administration/workflows/edit.html")]
pub struct MatricesPage {
    pub frame: Frame,
    pub title: &'static str,
    pub introduction: &'static str,
    /// The address without the query string.
    pub path: &'static str,
    /// The query string.
    pub query: String,
    /// The other page about the same trackers and roles: label and address.
    pub other: (&'static str, String),
    /// The trackers and roles to select.
    pub selection: [FormField; 2],
    pub all_statuses: bool,
    /// What the matrices show, as the form sends it back.
    pub shown: String,
    /// Heading and matrix; the further ones are folded.
    pub matrices: Vec<(&'static str, Matrix)>,
    pub pager: Pager,
    pub messages: Vec<String>,
}
