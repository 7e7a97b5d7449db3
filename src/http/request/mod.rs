//! Requests: everything between the bytes of a request and the arguments of a use case.
//!
//! Invariant: only headers of trusted proxies and verified credentials are trusted; a client can
//! forge everything else in a request. May import: `http::error`, `http::server` and everything
//! below `http`.

pub mod audit;
pub mod authentication;
pub mod body;
mod chunks;
pub mod client;
pub mod context;
pub mod cookies;
pub mod credentials;
pub mod cross_site;
pub mod fields;
pub mod form_encoding;
pub mod format;
pub mod head;
pub mod login;
pub mod multipart;
pub mod pagination;
pub mod render_budget;
pub mod route;
pub mod session;
pub mod slashes;
pub mod upload;
pub mod used_credential;
