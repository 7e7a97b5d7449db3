//! The issues that fit a page, from the sets of [`crate::store::remembered`].
//!
//! A search for a part of a text is a set of its own, whoever asks, and meets the set of what the rest of the page asks for.

use super::list::{Page, fitting};
use super::total;
use crate::domain::query::filter::Test;
use crate::domain::query::issues::{Condition, Field};
use crate::store::filter::{self, Reader};
use crate::store::remembered::{Ids, Key, Question};
use crate::store::sql::Sql;
use crate::store::visibility::{FREE_ISSUE, ISSUE, LED_ISSUE};
use crate::store::{Read, StoreError, Value};
use std::sync::Arc;

/// Of so small a part of all issues (a fiftieth) the engine finds the numbers sooner than a walk through the counts.
const SMALL: i64 = 50;

/// What fits is in all of these sets; there is one at least.
pub struct Fit {
    sets: Vec<Arc<Ids>>,
    /// Whether they are those of the snapshot, and not of a later one.
    pub exact: bool,
}

impl Fit {
    /// How many fit.
    pub fn count(&self) -> i64 {
        match self.sets.as_slice() {
            [one] => one.len(),
            [one, other] => one.common(other),
            _ => self.joined().len(),
        }
    }

    /// Those that fit in the order of their numbers, from the place `offset`, at most `limit`.
    pub fn page(&self, offset: i64, limit: i64, descending: bool) -> Vec<i64> {
        match self.sets.as_slice() {
            [one] => one.page(offset, limit, descending),
            _ => self.joined().page(offset, limit, descending),
        }
    }

    fn joined(&self) -> Ids {
        let mut sets = self.sets.iter();
        let first = sets.next().map_or_else(Ids::default, |set| Ids::clone(set));
        sets.fold(first, |joined, set| joined.both(set))
    }
}

/// What fits the page; `None` where it depends on more than what is written together with a numbered change of the issue, and in a
/// transaction.
pub fn of(db: &Read<'_>, page: &Page<'_>) -> Result<Option<Fit>, StoreError> {
    if !page.conditions.iter().all(|condition| is_followed(condition.field)) {
        return Ok(None);
    }
    let (texts, others): (Vec<Condition>, Vec<Condition>) = page.conditions.iter().cloned().partition(is_search);
    let rest = Page { conditions: &others, offset: 0, limit: 0, order: &[], ..*page };
    let (version, reader) = (db.catalogue().version, Reader { viewer: page.viewer, catalogue: db.catalogue() });
    let Some((first, mut exact)) = db.set(&Rest { page: &rest, version, reader })? else { return Ok(None) };
    let mut sets = vec![first];
    for condition in &texts {
        // What an issue says of itself does not depend on who asks, nor on names and rights.
        let own = matches!(condition.field, Field::Subject | Field::Description);
        let mut sql = Sql::default();
        filter::issues::condition(&mut sql, condition, reader);
        let Some((set, is_exact)) = db.set(&Searched { condition, sql, version: if own { 0 } else { version } })? else { return Ok(None) };
        sets.push(set);
        exact &= is_exact;
    }
    Ok(Some(Fit { sets, exact }))
}

/// Whether a change of the answer always comes with a numbered change of the issue, or with another version of names and rights.
fn is_followed(field: Field) -> bool {
    field.is_of_the_issue_itself() || matches!(field, Field::Subproject | Field::AnySearchable | Field::Notes)
}

/// Whether the condition looks for a part of a text.
fn is_search(condition: &Condition) -> bool {
    let part = matches!(condition.test, Test::Contains(_) | Test::ContainsAny(_) | Test::Lacks(_) | Test::Begins(_) | Test::Ends(_));
    part && matches!(condition.field, Field::Subject | Field::Description | Field::AnySearchable | Field::Notes)
}

/// What is asked besides parts of texts, and what the viewer may see.
struct Rest<'a> {
    page: &'a Page<'a>,
    version: i64,
    reader: Reader<'a>,
}

impl Question for Rest<'_> {
    fn key(&self) -> Key {
        let mut asked = Sql::default();
        for condition in self.page.conditions {
            filter::issues::condition(&mut asked, condition, self.reader);
        }
        Key::of((self.version, self.page.visible, asked))
    }

    fn all(&self, db: &Read<'_>) -> Result<Ids, StoreError> {
        let estimate = total::estimate(db, self.page)?;
        let few = estimate.is_some_and(|(fit, all)| fit < all / SMALL);
        if !few && let Some(ids) = total::numbers(db, self.page)? {
            return Ok(ids);
        }
        let mut sql = Sql::new("SELECT i.id FROM issues i WHERE ");
        fitting(db, &mut sql, self.page, if few { LED_ISSUE } else { FREE_ISSUE });
        sorted(db, &sql)
    }

    fn among(&self, db: &Read<'_>, issues: &[i64]) -> Result<Vec<i64>, StoreError> {
        let mut sql = Sql::default();
        fitting(db, &mut sql, self.page, ISSUE);
        among(db, sql, issues)
    }
}

/// A search for a part of a text.
struct Searched<'a> {
    condition: &'a Condition,
    sql: Sql,
    version: i64,
}

impl Question for Searched<'_> {
    fn key(&self) -> Key {
        Key::of((self.version, &self.sql))
    }

    fn all(&self, db: &Read<'_>) -> Result<Ids, StoreError> {
        if let (Field::Subject, Some(subjects)) = (self.condition.field, db.subjects())
            && let Some(ids) = subjects.find(db, &self.condition.test)?
        {
            return Ok(ids);
        }
        sorted(db, &self.sql.clone().behind("SELECT i.id FROM issues i WHERE ", []))
    }

    fn among(&self, db: &Read<'_>, issues: &[i64]) -> Result<Vec<i64>, StoreError> {
        among(db, self.sql.clone(), issues)
    }
}

fn among(db: &Read<'_>, condition: Sql, issues: &[i64]) -> Result<Vec<i64>, StoreError> {
    let these = format!("SELECT i.id FROM ids(?{}) x CROSS JOIN issues i WHERE i.id = x.value AND ", condition.next());
    let sql = condition.behind(&these, [Value::Ids(issues.to_vec())]);
    db.column(sql.text(), sql.values())
}

fn sorted(db: &Read<'_>, sql: &Sql) -> Result<Ids, StoreError> {
    let mut ids: Vec<i64> = db.column(sql.text(), sql.values())?;
    ids.sort_unstable();
    Ok(Ids::ascending(ids))
}
