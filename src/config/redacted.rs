//! URLs without their passwords.

/// Replacement of a password.
const MASK: &str = "***";
/// Parameters of a URL whose values are shown.
const HARMLESS_PARAMETERS: [&str; 8] = [
    "application_name",
    "connect_timeout",
    "host",
    "port",
    "sslmode",
    "sslrootcert",
    "target_session_attrs",
    "user",
];

/// Returns a URL with each password masked. If it is not clear where the password is, everything after
/// the scheme is masked.
pub fn redact(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    let (login, address) = match rest.rsplit_once('@') {
        Some((login, address)) => (Some(login), address),
        None => (None, rest),
    };
    // An unencoded password, or an `@` in a parameter.
    if login.is_some_and(|login| login.contains(['/', '?', '#'])) || address.contains('#') {
        return format!("{scheme}://…");
    }
    let login = match login.map(|login| login.split_once(':').unwrap_or((login, ""))) {
        Some((user, "")) => format!("{user}@"),
        Some((user, _)) => format!("{user}:{MASK}@"),
        None => String::new(),
    };
    let (place, parameters) = match address.split_once('?') {
        Some((place, parameters)) => (place, Some(parameters)),
        None => (address, None),
    };
    let parameters = parameters.map_or(String::new(), |text| {
        let parameters: Vec<String> = text.split('&').map(redact_parameter).collect();
        format!("?{}", parameters.join("&"))
    });
    format!("{scheme}://{login}{place}{parameters}")
}

fn redact_parameter(parameter: &str) -> String {
    match parameter.split_once('=') {
        Some((name, _)) if HARMLESS_PARAMETERS.contains(&name) => parameter.to_owned(),
        Some((name, _)) => format!("{name}={MASK}"),
        None => MASK.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_masked_wherever_they_are() {
        for (url, expected) in [
            ("postgres://me:pw@h/d", "postgres://me:***@h/d"),
            ("postgres://me:p@w@h/d", "postgres://me:***@h/d"),
            ("postgres://me:p:w@h/d", "postgres://me:***@h/d"),
            ("postgres://me@h/d", "postgres://me@h/d"),
            ("postgres://h:5432/d", "postgres://h:5432/d"),
            (
                "postgres://h/d?sslmode=require&password=pw&user=me",
                "postgres://h/d?sslmode=require&password=***&user=me",
            ),
            (
                "postgres://h/d?pass%77ord=pw",
                "postgres://h/d?pass%77ord=***",
            ),
            ("postgres://h/d?pw", "postgres://h/d?***"),
            ("postgres://h/d?password=p@w", "postgres://…"),
            ("postgres://me:p/w@h/d", "postgres://…"),
            ("postgres://me:p#w@h/d", "postgres://…"),
            ("postgres://h/d#pw", "postgres://…"),
            ("smtps://me%40a:pw@h:465", "smtps://me%40a:***@h:465"),
            ("imaps://me:pw@[::1]:993/In", "imaps://me:***@[::1]:993/In"),
            ("sendmail:/usr/sbin/sendmail", "sendmail:/usr/sbin/sendmail"),
            ("off", "off"),
        ] {
            assert_eq!(redact(url), expected, "{url}");
        }
    }
}
