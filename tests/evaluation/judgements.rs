//! The judgements of a set: which document is how relevant to which query.
//!
//! Three columns (query, document, grade) as in BEIR, mostly with a header, or four (query, iteration,
//! document, grade) as in TREC; with tabs between them, or else white space.

use super::lines::for_each_line;
use super::warnings::{Location, Problems, SetError};
use std::path::Path;

/// The first columns of headers, in lower case.
const HEADERS: [&str; 6] = ["query-id", "query_id", "queryid", "qid", "query", "topic"];

/// The grade of one document for one query.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    pub query: String,
    pub document: String,
    /// Relevant if it is positive.
    pub grade: f64,
    pub location: Location,
}

/// Returns the columns of a line.
fn columns(line: &str) -> Vec<&str> {
    if line.contains('\t') {
        line.split('\t').map(str::trim).collect()
    } else {
        line.split_whitespace().collect()
    }
}

/// Parses a line that is no header.
fn parse(columns: &[&str], location: Location) -> Result<Judgement, String> {
    let (query, document, grade) = match *columns {
        [query, document, grade] | [query, _, document, grade] => (query, document, grade),
        _ => {
            return Err(format!(
                "there are {} columns; 3 (query, document, grade) or 4 (query, iteration, document, grade) are expected",
                columns.len()
            ));
        }
    };
    if query.is_empty() || document.is_empty() {
        return Err("the query or the document is empty".to_owned());
    }
    let parsed = grade.parse::<f64>().ok().filter(|grade| grade.is_finite());
    let Some(grade) = parsed else {
        return Err(format!("the grade {grade:?} is not a number"));
    };
    Ok(Judgement {
        query: query.to_owned(),
        document: document.to_owned(),
        grade,
        location,
    })
}

fn is_header(columns: &[&str]) -> bool {
    let is_name = |name: &str| HEADERS.contains(&name.to_lowercase().as_str());
    let has_grade = |text: &str| text.parse::<f64>().is_ok();
    (3..=4).contains(&columns.len())
        && columns.first().copied().is_some_and(is_name)
        && !columns.last().copied().is_some_and(has_grade)
}

/// Reads the judgements of a file. All lines have as many columns as the first.
pub fn read(path: &Path, problems: &mut Problems) -> Result<Vec<Judgement>, SetError> {
    let mut judgements = Vec::new();
    let mut width = None;
    for_each_line(path, problems, |line, location, problems| {
        let columns = columns(line);
        let is_first = width.is_none();
        let width = *width.get_or_insert(columns.len());
        if is_first && is_header(&columns) {
            return;
        }
        let parsed = if columns.len() == width || !(3..=4).contains(&columns.len()) {
            parse(&columns, location.clone())
        } else {
            Err(format!(
                "there are {} columns, in the first line {width}",
                columns.len()
            ))
        };
        match parsed {
            Ok(judgement) => judgements.push(judgement),
            Err(problem) => problems.add(location, problem),
        }
    })?;
    Ok(judgements)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns query, document and grade of each line of a file.
    fn read_text(text: &str) -> Result<Vec<(String, String, f64)>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.tsv");
        std::fs::write(&path, text).unwrap();
        let mut problems = Problems::default();
        let judgements = read(&path, &mut problems).unwrap();
        let folder = format!("{}/", folder.path().display());
        problems
            .check()
            .map_err(|error| error.to_string().replace(&folder, ""))?;
        Ok(judgements
            .into_iter()
            .map(|judgement| (judgement.query, judgement.document, judgement.grade))
            .collect())
    }

    fn judgement(query: &str, document: &str, grade: f64) -> (String, String, f64) {
        (query.to_owned(), document.to_owned(), grade)
    }

    #[test]
    fn three_columns_with_or_without_a_header() {
        let expected = vec![judgement("q1", "d 1", 2.0), judgement("q2", "d2", 0.0)];
        let lines = "q1\td 1\t2\nq2\td2\t0\n";
        assert_eq!(read_text(lines).unwrap(), expected);
        let beir = format!("query-id\tcorpus-id\tscore\n{lines}");
        assert_eq!(read_text(&beir).unwrap(), expected);
    }

    #[test]
    fn four_columns_of_trec_with_spaces_or_tabs() {
        let expected = vec![
            judgement("301", "FBIS3-10082", 1.0),
            judgement("301", "FT9", -1.0),
        ];
        assert_eq!(
            read_text("301 0 FBIS3-10082 1\n301  0 FT9   -1\n").unwrap(),
            expected
        );
        assert_eq!(
            read_text("301\t0\tFBIS3-10082\t1\r\n301\tQ0\tFT9\t-1\r\n").unwrap(),
            expected
        );
    }

    #[test]
    fn unusable_lines_are_named() {
        for (text, problem) in [
            (
                "q1\td1\n",
                "test.tsv:1: there are 2 columns; 3 (query, document, grade) or 4 (query, iteration, document, grade) are expected",
            ),
            (
                "q1\td1\t1\nq1\t0\td1\t1\n",
                "test.tsv:2: there are 4 columns, in the first line 3",
            ),
            (
                "q1\td1\thigh\n",
                "test.tsv:1: the grade \"high\" is not a number",
            ),
            (
                "q1\td1\tNaN\n",
                "test.tsv:1: the grade \"NaN\" is not a number",
            ),
            (
                "q1\t\t1\n",
                "test.tsv:1: the query or the document is empty",
            ),
            // A header is at the beginning alone.
            (
                "q1\td1\t1\nquery-id\tcorpus-id\tscore\n",
                "test.tsv:2: the grade \"score\" is not a number",
            ),
        ] {
            assert_eq!(read_text(text).unwrap_err(), problem);
        }
    }

    #[test]
    fn query_with_the_name_of_a_header_is_a_judgement() {
        assert_eq!(
            read_text("query\td1\t1\n").unwrap(),
            [judgement("query", "d1", 1.0)]
        );
    }
}
