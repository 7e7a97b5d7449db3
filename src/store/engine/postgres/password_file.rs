//! The password file of PostgreSQL's own programs.

use std::path::{Path, PathBuf};
use tokio_postgres::Config;
use tokio_postgres::config::Host;

/// Returns the password of this connection in the file of `PGPASSFILE`, or in `~/.pgpass`.
pub fn find(config: &Config) -> Option<String> {
    find_in(&path()?, config)
}

fn path() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("PGPASSFILE") {
        return Some(PathBuf::from(path));
    }
    std::env::home_dir().map(|home| home.join(".pgpass"))
}

/// Returns the password of the first matching line of a password file, whose lines are
/// `host:port:database:user:password`; `*` matches everything.
fn find_in(file: &Path, config: &Config) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let host = match config.get_hosts().first()? {
        Host::Tcp(host) => host.clone(),
        #[cfg(unix)]
        Host::Unix(_) => "localhost".to_owned(),
    };
    let port = config.get_ports().first().copied().unwrap_or(5432);
    let expected = [
        host,
        port.to_string(),
        config.get_dbname().unwrap_or_default().to_owned(),
        config.get_user().unwrap_or_default().to_owned(),
    ];
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(split_fields)
        .find_map(|fields| {
            let (password, fields) = fields.split_last()?;
            let is_match = fields.len() == expected.len()
                && fields
                    .iter()
                    .zip(&expected)
                    .all(|(field, expected)| field == "*" || field == expected);
            is_match.then(|| password.clone())
        })
}

/// Splits a line of the password file at its colons. A backslash escapes the next character.
fn split_fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        let added = match character {
            ':' => {
                fields.push(String::new());
                continue;
            }
            '\\' => characters.next(),
            other => Some(other),
        };
        if let (Some(field), Some(added)) = (fields.last_mut(), added) {
            field.push(added);
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn password_is_found_in_the_password_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pgpass");
        std::fs::write(
            &file,
            "# a comment\nother:*:*:*:wrong\ndb:5433:*:u:wrong\ndb:5432:quarry:u:a\\:b\\\\c\n*:*:*:*:last\n",
        )
        .unwrap();
        let config = |url: &str| url.parse::<Config>().unwrap();
        assert_eq!(
            find_in(&file, &config("postgres://u@db/quarry")).unwrap(),
            "a:b\\c"
        );
        assert_eq!(
            find_in(&file, &config("postgres://v@db/quarry")).unwrap(),
            "last"
        );
    }
}
