//! The numbered pages of a list.

use crate::prelude::*;

/// Number of pages on each side of the current one that have a link.
const NEIGHBOURS: i64 = 2;

/// Links to the pages of a list.
pub struct Pager {
    /// The page before.
    pub previous: Option<String>,
    /// The page after.
    pub next: Option<String>,
    /// The first page, the last one, and those near the current one.
    pub pages: Vec<PageLink>,
}

/// A link to a page.
pub struct PageLink {
    /// Its number, from 1.
    pub number: i64,
    /// Its address.
    pub path: String,
    /// Whether it is the page that is shown.
    pub is_current: bool,
    /// Whether pages before it are left out.
    pub is_after_gap: bool,
}

impl Pager {
    /// Returns the links for a list of `total` records with `limit` on a page. `path` returns the
    /// address of a page.
    pub fn new(offset: i64, limit: i64, total: i64, path: impl Fn(i64) -> String) -> Pager {
        let limit = limit.max(1);
        let last = (total.max(0) + limit - 1).div_euclid(limit).max(1);
        let current = (offset / limit + 1).min(last + 1);
        let mut numbers = vec![1];
        numbers.extend((current - NEIGHBOURS).max(2)..=(current + NEIGHBOURS).min(last));
        numbers.push(last);
        numbers.retain(|number| {
            *number == 1 || *number == last || (current - number).abs() <= NEIGHBOURS
        });
        numbers.dedup();
        let mut before = 0;
        let pages = numbers.into_iter().map(|number| {
            let is_after_gap = number > before + 1;
            before = number;
            PageLink {
                number,
                path: path(number),
                is_current: number == current,
                is_after_gap,
            }
        });
        Pager {
            pages: pages.collect(),
            previous: (current > 1).then(|| path((current - 1).min(last))),
            next: (current < last).then(|| path(current + 1)),
        }
    }

    /// Returns the links for a list whose address has the number of the page in `page`.
    pub fn for_list(request: &RequestContext, offset: i64, limit: i64, total: i64) -> Pager {
        Pager::new(offset, limit, total, |page| {
            with_params(
                request,
                &[("page", Some(page.to_string().as_str())), ("offset", None)],
            )
        })
    }

    /// Whether there is more than one page.
    pub fn is_needed(&self) -> bool {
        self.pages.len() > 1 || self.previous.is_some()
    }
}

/// Returns the address of the same list with other values of some parameters: a changed value
/// replaces the parameter, `None` removes it. A key in the address is not carried on.
pub fn with_params(request: &RequestContext, changes: &[(&str, Option<&str>)]) -> String {
    query_string(request.query.entries(), changes)
}

/// Returns the query string of these parameters, changed as by [`with_params`].
pub fn query_string(params: &[(String, Input)], changes: &[(&str, Option<&str>)]) -> String {
    let mut pairs = Vec::new();
    let unchanged =
        |name: &str| name != "key" && changes.iter().all(|(changed, _)| *changed != name);
    for (name, value) in params.iter().filter(|(name, _)| unchanged(name)) {
        flatten(paths::encode(name), value, &mut pairs);
    }
    let changed = changes.iter().filter_map(|(name, value)| {
        Some(format!(
            "{}={}",
            paths::encode(name),
            paths::encode((*value)?)
        ))
    });
    pairs.extend(changed);
    format!("?{}", pairs.join("&"))
}

/// Appends the pairs of a query string that express this value: `f[]=a` for lists, `op[a]=b` for
/// maps.
fn flatten(name: String, value: &Input, pairs: &mut Vec<String>) {
    match value {
        Input::Map(entries) => entries.iter().for_each(|(key, value)| {
            flatten(format!("{name}[{}]", paths::encode(key)), value, pairs)
        }),
        Input::List(items) => items
            .iter()
            .for_each(|item| flatten(format!("{name}[]"), item, pairs)),
        value => pairs.push(format!(
            "{name}={}",
            paths::encode(&value.as_text().unwrap_or_default())
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(offset: i64, total: i64) -> String {
        let pager = Pager::new(offset, 10, total, |page| page.to_string());
        let pages: Vec<String> = pager.pages.iter().map(page_text).collect();
        format!(
            "{}<{}>{}",
            pager.previous.unwrap_or_default(),
            pages.join(" "),
            pager.next.unwrap_or_default()
        )
    }

    fn page_text(page: &PageLink) -> String {
        format!(
            "{}{}",
            if page.is_after_gap { "…" } else { "" },
            if page.is_current {
                "*".to_owned()
            } else {
                page.path.clone()
            }
        )
    }

    #[test]
    fn pages_near_the_current_one_have_links() {
        assert_eq!(shown(0, 0), "<*>");
        assert_eq!(shown(0, 10), "<*>");
        assert_eq!(shown(0, 11), "<* 2>2");
        assert_eq!(shown(0, 200), "<* 2 3 …20>2");
        assert_eq!(shown(90, 200), "9<1 …8 9 * 11 12 …20>11");
        assert_eq!(shown(190, 200), "19<1 …18 19 *>");
    }

    #[test]
    fn page_past_the_end_leads_back_to_the_last_one() {
        assert_eq!(shown(500, 25), "3<1 2 3>");
        assert_eq!(shown(i64::MAX, 25), "3<1 2 3>");
    }
}
