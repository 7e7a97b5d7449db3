//! Changes of an issue: all of its fields, one of them, its project, a copy, and its deletion.

pub(super) mod conflict;
pub(super) mod copy;
mod day_choices;
pub(super) mod delete;
pub(super) mod edit_field;
pub(super) mod losses;
pub(super) mod move_project;
pub(super) mod update;
