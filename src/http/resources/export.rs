//! Loads the records of a list that an export has.

use crate::error::Error;

/// Number of records that are loaded at once.
const PAGE: i64 = 500;

/// Returns the first records of a list, at most `limit`. `load` returns those after an offset, at
/// most as many as its second argument; fewer when their texts are long, and none at the end.
pub fn load_first<T>(
    limit: i64,
    load: impl Fn(i64, i64) -> Result<Vec<T>, Error>,
) -> Result<Vec<T>, Error> {
    let mut found: Vec<T> = Vec::new();
    loop {
        let offset = i64::try_from(found.len()).unwrap_or(i64::MAX);
        if offset >= limit {
            return Ok(found);
        }
        let page = load(offset, (limit - offset).min(PAGE))?;
        if page.is_empty() {
            return Ok(found);
        }
        found.extend(page);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_loaded_up_to_the_limit_or_the_end() {
        let load = |total: i64| {
            move |offset: i64, limit: i64| Ok((offset..total.min(offset + limit.min(300))).collect())
        };
        let count =
            |limit, total| load_first(limit, load(total)).map(|found: Vec<i64>| found.len());
        assert!(matches!(count(1000, 2000), Ok(1000)));
        assert!(matches!(count(1000, 700), Ok(700)));
        assert!(matches!(count(0, 700), Ok(0)));
        assert!(load_first::<i64>(1, |_, _| Err(Error::NotFound)).is_err());
    }
}
