//! Responses: handlers of routes, and how what they return becomes bytes.
//!
//! Invariant: every response and every error is rendered here, in the format of the request; no
//! secret and nothing hidden gets into an error or a log. May import: `http::error`,
//! `http::server`, `http::request` and everything below `http`.

pub mod base_path;
mod buffered_request;
pub mod download;
pub mod form;
mod form_body;
pub mod handler;
mod index_wait;
pub mod inline_image;
pub mod login_attempt;
pub mod message_length;
pub mod metrics;
pub mod no_route;
mod picture;
pub mod redirect;
pub mod render;
pub mod reply;
pub mod routes;
mod saved_draft;
pub mod streamed;
mod thumbnail;
mod upload;
