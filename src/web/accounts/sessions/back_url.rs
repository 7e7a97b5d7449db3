//! Where a login leads.

use crate::frame::local_path::local_path;

/// Returns the address after the login: a path of this service that is not that of the login
/// itself, otherwise the start page.
pub fn target(back_url: &str) -> &str {
    let path = local_path(back_url).unwrap_or("/");
    let is_login = ["/login", "/logout"].iter().any(|login| {
        path.strip_prefix(login)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']))
    });
    if is_login { "/" } else { path }
}

#[cfg(test)]
mod tests {
    use super::target;

    #[test]
    fn login_leads_to_local_pages_only() {
        assert_eq!(target("/issues/12?a=b"), "/issues/12?a=b");
        assert_eq!(target("/loginpage"), "/loginpage");
        for address in [
            "",
            "https://evil.test/",
            "//evil.test",
            "/\\evil.test",
            "/login?back_url=/x",
            "/logout",
            "/login/code",
        ] {
            assert_eq!(target(address), "/", "{address}");
        }
    }
}
