//! Values without a meaning of their own in a project: texts, sets of ids, positions, changes of
//! one field.

pub mod edit_distance;
pub mod id_set;
pub mod mail_address;
pub mod patch;
pub mod position;
pub mod stable_sort;
pub mod text;
pub mod text_diff;
pub mod text_merge;
pub mod trusted_proxies;
