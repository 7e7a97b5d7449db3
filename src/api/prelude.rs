//! The names of the layers below that most resources need. Everything else is imported by its own path.

pub use axum::routing::get;
pub use quarry_actions::Resource;
pub use quarry_domain::access::permission::Permission;
pub use quarry_domain::catalogue::Catalogue;
pub use quarry_http::resources::fields::{self, FromBody};
pub use quarry_http::{
    BodyFields, Error, Pagination, Reply, RequestContext, Routes, issue_list_handler, read_handler,
    write_handler,
};
pub use quarry_store::Read;
pub use quarry_wire::Fields;
