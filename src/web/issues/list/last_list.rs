//! What the list of a project showed last: a cookie below the path of the list has its query string,
//! and a request without parameters leads there. The cookie names the user, so that nobody gets the
//! list of somebody else who used the same browser.

use crate::frame::cookies;
use crate::prelude::*;
use crate::queries::ListAddress;
use percent_encoding::percent_decode_str;

const COOKIE: &str = "list";
/// How long a list is remembered, in seconds.
const MAX_AGE: u32 = 30 * 24 * 3600;
/// Maximum length of the cookie; longer lists are not remembered.
const MAX_LENGTH: usize = 3_000;
/// The query string of the list without filters.
pub const WITHOUT_FILTERS: &str = "?set_filter=1";

/// The remembered list of a project.
pub struct LastList<'a> {
    request: &'a RequestContext,
    /// The path of the list.
    path: &'a str,
}

impl<'a> LastList<'a> {
    /// The list at this path, which is that of a project.
    pub fn new(request: &'a RequestContext, path: &'a str) -> LastList<'a> {
        LastList { request, path }
    }

    /// Returns the query string that the viewer used last; `None` if nothing is remembered.
    pub fn query_string(&self) -> Option<String> {
        let value = self.request.cookie(COOKIE)?;
        let (user, query) = value.split_once('.')?;
        let is_own = user == self.user() && !query.is_empty();
        let query = percent_decode_str(query).decode_utf8().ok()?;
        is_own.then(|| format!("?{query}"))
    }

    /// Keeps the address of a list that was shown; a list without parameters is forgotten.
    pub fn keep(&self, reply: Reply, address: &ListAddress) -> Reply {
        let query = address.for_memory();
        let value = format!(
            "{}.{}",
            self.user(),
            paths::encode(query.trim_start_matches('?'))
        );
        let is_kept = !address.is_plain() && value.len() <= MAX_LENGTH;
        if is_kept && self.request.cookie(COOKIE) == Some(value.as_str()) {
            reply
        } else if is_kept {
            reply.with_cookie(cookies::set_below(
                self.request,
                self.path,
                COOKIE,
                &value,
                MAX_AGE,
            ))
        } else {
            self.forget(reply)
        }
    }

    /// Shows the list without filters instead of a remembered one that fails, because its query or
    /// its fields are gone.
    pub fn recover(&self, reply: Result<Reply, Error>) -> Result<Reply, Error> {
        match reply {
            Err(
                Error::NotFound | Error::Invalid(_) | Error::InvalidQuery(_) | Error::Forbidden,
            ) if self.is_requested() => {
                let list = Reply::redirect(format!("{}{WITHOUT_FILTERS}", self.path));
                Ok(self.forget(list))
            }
            reply => reply,
        }
    }

    /// Whether the request is for the remembered list.
    pub fn is_requested(&self) -> bool {
        let address = ListAddress::new(self.request);
        self.query_string() == Some(address.for_memory())
    }

    fn forget(&self, reply: Reply) -> Reply {
        if self.request.cookie(COOKIE).is_none() {
            return reply;
        }
        reply.with_cookie(cookies::set_below(self.request, self.path, COOKIE, "", 0))
    }

    fn user(&self) -> String {
        let user = self.request.viewer().user.unwrap_or(UserId(0));
        user.to_string()
    }
}
