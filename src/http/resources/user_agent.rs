//! The names of browsers for users.

/// Returns the browser and the system in a `User-Agent`, as far as they are recognized.
pub fn agent_name(agent: &str) -> String {
    const BROWSERS: [(&str, &str); 5] = [
        ("Firefox/", "Firefox"),
        ("Edg/", "Edge"),
        ("OPR/", "Opera"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ];
    const SYSTEMS: [(&str, &str); 6] = [
        ("Android", "Android"),
        ("iPhone", "iOS"),
        ("iPad", "iOS"),
        ("Windows", "Windows"),
        ("Mac OS", "macOS"),
        ("Linux", "Linux"),
    ];
    match (find_part(agent, &BROWSERS), find_part(agent, &SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) => "Unknown browser".to_owned(),
    }
}

fn find_part(agent: &str, table: &[(&str, &'static str)]) -> Option<&'static str> {
    table
        .iter()
        .find(|(part, _)| agent.contains(part))
        .map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::agent_name;

    #[test]
    fn browsers_are_named() {
        assert_eq!(
            agent_name("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"),
            "Firefox on Linux"
        );
        let edge = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0";
        assert_eq!(agent_name(edge), "Edge on Windows");
        assert_eq!(agent_name("curl/8"), "Unknown browser");
    }
}
