//! The pages of a wiki in the order of their tree, and the field that chooses one of them.

use super::address::typed_name;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{FormField, choice};
use quarry_domain::content::wiki::WikiPage;
use quarry_domain::ids::WikiPageId;
use quarry_http::Error;
use quarry_store::Read;
use quarry_store::content::wiki;
use std::collections::HashMap;

/// Maximum number of pages to choose from; in a larger wiki one types the title.
const MAX_CHOICES: usize = 500;

/// Maximum depth that is shown.
pub const MAX_DEPTH: usize = 5;

/// A page in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Its index among the pages.
    pub index: usize,
    /// The number of pages above it.
    pub depth: usize,
}

/// Returns the positions of the pages: each is followed by the pages below it, in the order in
/// which they are given. A page whose parent is not among them has none, and so has the first page
/// of a cycle.
pub fn order<'p>(pages: impl Iterator<Item = &'p WikiPage>) -> Vec<Position> {
    let pages: Vec<&WikiPage> = pages.collect();
    let ids: HashMap<WikiPageId, usize> = pages
        .iter()
        .enumerate()
        .map(|(index, page)| (page.id, index))
        .collect();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); pages.len()];
    let mut roots = Vec::new();
    for (index, page) in pages.iter().enumerate() {
        match page.parent.and_then(|parent| ids.get(&parent)) {
            Some(parent) => children[*parent].push(index),
            None => roots.push(index),
        }
    }
    let mut positions = Vec::with_capacity(pages.len());
    let mut is_placed = vec![false; pages.len()];
    // Pages in a cycle have no root above them.
    for root in roots.into_iter().chain(0..pages.len()) {
        let mut waiting = vec![(root, 0)];
        while let Some((index, depth)) = waiting.pop() {
            if std::mem::replace(&mut is_placed[index], true) {
                continue;
            }
            positions.push(Position { index, depth });
            let below = children[index].iter().rev();
            waiting.extend(below.map(|child| (*child, depth + 1)));
        }
    }
    positions
}

/// What a field that chooses a page looks like.
pub struct PageField<'a> {
    pub attribute: &'static str,
    pub label: &'static str,
    /// The title of the current choice; empty for none.
    pub stored: &'a str,
    /// The pages that cannot be chosen.
    pub excluded: &'a [WikiPage],
}

/// Returns a field that chooses a page of a wiki by its title, or none.
pub fn field(
    db: &Read<'_>,
    form: FieldBuilder<'_>,
    wiki: Option<i64>,
    field: &PageField<'_>,
) -> Result<FormField, Error> {
    let pages = match wiki {
        Some(wiki) => wiki::list(db, wiki)?,
        None => Vec::new(),
    };
    if pages.len() > MAX_CHOICES {
        let stored = typed_name(field.stored);
        return Ok(form
            .line(field.attribute, field.label, stored)
            .with_hint("The title of a page of this wiki."));
    }
    let mut choices = vec![choice("", "None")];
    let positions = order(pages.iter().map(|(page, _)| page));
    for position in positions {
        let page = &pages[position.index].0;
        if field.excluded.iter().all(|excluded| excluded.id != page.id) {
            let indent = "\u{a0}\u{a0}\u{a0}".repeat(position.depth.min(MAX_DEPTH));
            let label = format!("{indent}{}", typed_name(&page.title));
            choices.push(choice(&page.title, label));
        }
    }
    Ok(form.select(field.attribute, field.label, field.stored, choices))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(id: i64, parent: Option<i64>) -> WikiPage {
        WikiPage {
            id: WikiPageId(id),
            parent: parent.map(WikiPageId),
            ..WikiPage::default()
        }
    }

    fn positions(pages: &[WikiPage]) -> Vec<(i64, usize)> {
        order(pages.iter())
            .iter()
            .map(|position| (pages[position.index].id.0, position.depth))
            .collect()
    }

    #[test]
    fn pages_follow_their_parents() {
        let pages = [
            page(1, Some(3)),
            page(2, None),
            page(3, None),
            page(4, Some(1)),
            page(5, Some(3)),
            page(6, Some(99)),
        ];
        assert_eq!(
            positions(&pages),
            [(2, 0), (3, 0), (1, 1), (4, 2), (5, 1), (6, 0)]
        );
    }

    #[test]
    fn cycles_and_deep_trees_are_ordered() {
        let cycle = [page(1, Some(2)), page(2, Some(1)), page(3, Some(3))];
        assert_eq!(positions(&cycle), [(1, 0), (2, 1), (3, 0)]);
        let deep: Vec<WikiPage> = (1..=20_000)
            .map(|id| page(id, (id > 1).then(|| id - 1)))
            .collect();
        assert_eq!(positions(&deep).last(), Some(&(20_000, 19_999)));
    }
}
