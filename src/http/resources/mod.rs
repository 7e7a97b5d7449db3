//! What the API and the pages share about resources: parameters of searches and lists, fields of
//! bodies, titles and addresses.

pub mod filters;
pub mod issue_fields;
pub mod issue_list;
pub mod preference_fields;
pub mod project_fields;
pub mod project_scope;
pub mod search;
