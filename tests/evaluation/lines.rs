//! Reads the lines of a file, packed by gzip or not, with their numbers.

use super::warnings::{Location, Problems, SetError};
use flate2::read::MultiGzDecoder;
use serde_json::{Map, Value};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// Calls `visit` with each line that is not blank, and its location. A line that is not UTF-8 is a
/// problem.
pub fn for_each_line(
    path: &Path,
    problems: &mut Problems,
    mut visit: impl FnMut(&str, Location, &mut Problems),
) -> Result<(), SetError> {
    let unreadable = |error| SetError::Unreadable {
        path: path.to_owned(),
        error,
    };
    let file = File::open(path).map_err(unreadable)?;
    let is_packed = path.extension().is_some_and(|extension| extension == "gz");
    let bytes: Box<dyn Read> = if is_packed {
        Box::new(MultiGzDecoder::new(file))
    } else {
        Box::new(file)
    };
    let mut reader = BufReader::new(bytes);
    let mut line = Vec::new();
    let mut number = 0;
    loop {
        line.clear();
        if reader.read_until(b'\n', &mut line).map_err(unreadable)? == 0 {
            return Ok(());
        }
        number += 1;
        let location = Location::new(path, number);
        match std::str::from_utf8(&line) {
            Ok(text) => {
                let text = text.strip_prefix('\u{feff}').unwrap_or(text);
                if !text.trim().is_empty() {
                    visit(text.trim_end_matches(['\r', '\n']), location, problems);
                }
            }
            Err(_) => problems.add(location, "the line is not UTF-8"),
        }
    }
}

/// Calls `visit` with the JSON object of each line. Another line is a problem.
pub fn for_each_object(
    path: &Path,
    problems: &mut Problems,
    mut visit: impl FnMut(Map<String, Value>, Location, &mut Problems),
) -> Result<(), SetError> {
    for_each_line(
        path,
        problems,
        |line, location, problems| match serde_json::from_str(line) {
            Ok(Value::Object(object)) => visit(object, location, problems),
            Ok(_) => problems.add(location, "the line is not a JSON object"),
            Err(error) => problems.add(location, format!("the line is not JSON: {error}")),
        },
    )
}

/// Returns the id of an object, from `_id` or `id`; ids may be numbers. `None` is a problem.
pub fn id(object: &Map<String, Value>) -> Result<String, String> {
    let Some(value) = object.get("_id").or_else(|| object.get("id")) else {
        return Err("there is neither `_id` nor `id`".to_owned());
    };
    match value {
        Value::String(id) if !id.is_empty() => Ok(id.clone()),
        Value::Number(id) => Ok(id.to_string()),
        _ => Err("the id is neither a text nor a number".to_owned()),
    }
}

/// Returns the text of a field; `None` if it is missing or null. Another value is a problem.
pub fn text(object: &Map<String, Value>, field: &str) -> Result<Option<String>, String> {
    match object.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(format!("`{field}` is not a text")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn objects(name: &str, bytes: &[u8]) -> (Vec<(String, usize)>, Result<(), SetError>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let mut problems = Problems::default();
        let mut ids = Vec::new();
        let outcome = for_each_object(&path, &mut problems, |object, location, _| {
            ids.push((id(&object).unwrap(), location.line))
        });
        (ids, outcome.and_then(|()| problems.check()))
    }

    #[test]
    fn blank_lines_count_and_are_left_out() {
        let text = "\u{feff}{\"_id\": \"a\"}\r\n\n{\"id\": 7}";
        let (ids, outcome) = objects("queries.jsonl", text.as_bytes());
        assert_eq!(ids, [("a".to_owned(), 1), ("7".to_owned(), 3)]);
        outcome.unwrap();
    }

    #[test]
    fn packed_file_is_unpacked_and_a_truncated_one_is_an_error() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(b"{\"id\": \"a\"}\n").unwrap();
        let packed = encoder.finish().unwrap();
        let (ids, outcome) = objects("docs.jsonl.gz", &packed);
        assert_eq!(ids.len(), 1);
        outcome.unwrap();
        let (_, outcome) = objects("docs.jsonl.gz", &packed[..packed.len() - 6]);
        let message = outcome.unwrap_err().to_string();
        assert!(
            message.contains("docs.jsonl.gz cannot be read"),
            "{message}"
        );
    }

    #[test]
    fn unreadable_lines_are_named() {
        let bytes = b"{\"id\": \"a\"}\n{\"id\"\n[1]\n\xff\n";
        let (ids, outcome) = objects("docs.jsonl", bytes);
        assert_eq!(ids.len(), 1);
        let message = outcome.unwrap_err().to_string();
        let lines: Vec<&str> = message.lines().collect();
        assert!(
            lines[0].contains("docs.jsonl:2: the line is not JSON: "),
            "{message}"
        );
        assert!(
            lines[1].ends_with("docs.jsonl:3: the line is not a JSON object"),
            "{message}"
        );
        assert!(
            lines[2].ends_with("docs.jsonl:4: the line is not UTF-8"),
            "{message}"
        );
    }
}
