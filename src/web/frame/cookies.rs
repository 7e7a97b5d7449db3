//! Cookies of pages, except the session.

use quarry_http::RequestContext;

/// Returns a `Set-Cookie` value. `value` must not have separators; percent-encode text.
pub fn set(request: &RequestContext, name: &str, value: &str, max_age_seconds: u32) -> String {
    set_below(request, "/", name, value, max_age_seconds)
}

/// As [`set`], for the addresses at and below a path.
pub fn set_below(
    request: &RequestContext,
    path: &str,
    name: &str,
    value: &str,
    max_age_seconds: u32,
) -> String {
    let secure = if request.base_url().starts_with("https:") {
        "; Secure"
    } else {
        ""
    };
    format!(
        "{name}={value}; Path={path}; Max-Age={max_age_seconds}; SameSite=Lax; HttpOnly{secure}"
    )
}

/// Returns a `Set-Cookie` value that removes the cookie.
pub fn remove(name: &str) -> String {
    format!("{name}=; Path=/; Max-Age=0; SameSite=Lax; HttpOnly")
}
