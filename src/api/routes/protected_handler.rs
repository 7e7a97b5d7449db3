//! The handler of routes whose pages ask for the password.

use quarry_http::{Error, Reply, RequestContext, RouteHandler, write_handler};

/// Returns a handler for changes for which pages ask for the password: of accounts, of what
/// protects them, and of settings. It refuses sessions (compatibility 4).
pub fn protected_handler(handler: fn(&RequestContext) -> Result<Reply, Error>) -> RouteHandler {
    write_handler(handler).without_sessions()
}
