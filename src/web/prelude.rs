//! The names of the layers below that most pages need. Everything else is imported by its own path.

pub use askama::Template;
pub use axum::routing::get;
pub use quarry_actions::{ActionError, Resource};
pub use quarry_domain::access::permission::Permission;
pub use quarry_domain::access::viewer::Viewer;
pub use quarry_domain::catalogue::Catalogue;
pub use quarry_domain::ids::{IssueId, ProjectId, UserId};
pub use quarry_domain::issues::issue::Issue;
pub use quarry_domain::projects::project::Project;
pub use quarry_domain::validation::ValidationErrors;
pub use quarry_http::resources::fields::FromBody;
pub use quarry_http::resources::paths;
pub use quarry_http::{
    BodyFields, Error, Reply, RequestContext, Routes, issue_list_handler, read_handler,
    write_handler,
};
pub use quarry_store::{Read, Write};
pub use quarry_wire::Input;
