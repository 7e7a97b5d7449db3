//! One pass over all tables: read a batch, judge its rows, write what is new or has changed.

use super::error::ImportError;
use super::field::{Asked, Field, Or, Row, whole};
use super::judge::{self, Refusal};
use super::known::{Known, Lead};
use super::noun::{Noun, Takes};
use super::nouns;
use super::removal::Gone;
use super::report::Report;
use super::run::Progress;
use super::source::{Cell, Limit, Source};
use super::write::{Outcome, Work, write};
use crate::store::imported::{Place, Remembered, Target};
use crate::store::{Store, StoreError, Value, imported};
use std::collections::{BTreeMap, HashMap, HashSet};

/// How many rows are read and written at once.
const BATCH: usize = 2000;

/// What a pass works with.
pub struct Pass<'a> {
    source: &'a mut Source,
    store: &'a Store,
    /// What is to happen to what is here.
    mode: Mode,
    progress: &'a mut dyn Progress,
    report: &'a mut Report,
    known: Known,
    in_the_way: bool,
}

/// What a pass does to what is here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It writes.
    Write,
    /// It only finds out what it would write.
    Look,
    /// The same as if nothing were here yet: default data, which would make room.
    LookAnew,
}

/// The table that is being taken.
struct Table {
    noun: &'static Noun,
    target: Target,
    columns: Vec<&'static str>,
    before: HashMap<i64, Remembered>,
    seen: HashSet<i64>,
    left: BTreeMap<String, u64>,
    /// How many rows have been looked at.
    read: u64,
}

impl<'a> Pass<'a> {
    /// A pass that begins.
    pub fn new(source: &'a mut Source, store: &'a Store, mode: Mode, progress: &'a mut dyn Progress, report: &'a mut Report) -> Pass<'a> {
        Pass { source, store, mode, progress, report, known: Known::default(), in_the_way: false }
    }

    /// Takes every table, then takes away what is gone. `true` when something could not be written that another pass may be
    /// able to write, because something was in its way that is gone now.
    pub fn take_all(mut self) -> Result<bool, ImportError> {
        self.known.set_publicity(nouns::roles::has_publicity(self.source)?);
        let mut gone = Vec::new();
        for noun in nouns::all() {
            gone.extend(self.take(noun)?);
        }
        let removed = super::removal::remove(self.store, gone, self.mode != Mode::Write, self.report)?;
        Ok(self.in_the_way && (removed || self.report.total().updated > 0))
    }

    fn take(&mut self, noun: &'static Noun) -> Result<Option<Gone>, ImportError> {
        let before = self.store.read(|db| imported::remembered(db, noun.label))?;
        if noun.place == Place::Row {
            let anew = self.mode == Mode::LookAnew;
            let there = if anew { HashSet::new() } else { self.store.read(|db| imported::numbers(db, noun.table))? };
            self.known.set(noun.table, there, before.keys().copied());
        }
        if !self.is_there(noun) {
            return Ok(None);
        }
        let columns = noun.reads().into_iter().filter(|name| self.source.has(noun.source, name)).collect();
        let mut table = Table { noun, target: noun.target(), columns, before, seen: HashSet::new(), left: BTreeMap::new(), read: 0 };
        let rows = self.source.count(noun.source)?;
        self.progress.begin(noun.label, rows);
        match noun.place {
            Place::Row | Place::Patch => self.take_rows(&mut table)?,
            Place::Set(_) => self.take_sets(&mut table)?,
        }
        self.progress.end();
        if rows > table.read {
            // No database of Redmine's own making has such rows.
            *table.left.entry(format!("{} without a number in {}", noun.source, noun.key)).or_default() += rows - table.read;
        }
        self.report.of(noun.label).skipped += table.left.values().sum::<u64>();
        self.report.leave(table.left, "is of a sort that has no place here");
        let gone = table.before.into_iter().filter(|(key, _)| !table.seen.contains(key)).collect();
        Ok(Some(Gone { noun, target: table.target, rows: gone }))
    }

    /// Whether the source has the table and the columns that are needed; says so if not.
    fn is_there(&mut self, noun: &Noun) -> bool {
        let mut say = |missing: String| {
            if !self.report.missing.contains(&missing) {
                self.report.missing.push(missing);
            }
        };
        if !self.source.has_table(noun.source) {
            say(noun.source.to_owned());
            return false;
        }
        let besides = |name: &&&str| noun.fields.iter().any(|field| field.with.contains(*name));
        noun.reads()
            .iter()
            .filter(|name| !self.source.has(noun.source, name) && !besides(name))
            .for_each(|name| say(format!("{}.{name}", noun.source)));
        let needed = noun.fields.iter().filter(|field| matches!(field.or, Or::Broken)).map(|field| field.from);
        std::iter::once(noun.key).chain(needed).all(|name| self.source.has(noun.source, name))
    }

    fn take_rows(&mut self, table: &mut Table) -> Result<(), ImportError> {
        let mut columns = table.columns.clone();
        if !columns.contains(&"id") {
            columns.push("id");
        }
        let id = columns.iter().position(|name| *name == "id").unwrap_or_default();
        let mut after = None;
        loop {
            let page = self.source.page(table.noun.source, &columns, "id", after, Limit::Rows(BATCH))?;
            let Some(last) = page.last() else { return Ok(()) };
            table.read += page.len() as u64;
            after = whole(&last[id]);
            let mut batch = Vec::with_capacity(page.len());
            for cells in &page {
                let row = Row { columns: &columns, cells };
                batch.extend(self.judged_row(table, &row, id));
            }
            self.write(table, batch)?;
            self.progress.advance(page.len() as u64);
            if page.len() < BATCH || after.is_none() {
                return Ok(());
            }
        }
    }

    /// One row, judged; none when it is not taken, or as it was.
    fn judged_row(&mut self, table: &mut Table, row: &Row<'_>, id: usize) -> Option<Work> {
        if !takes(table, row) {
            return None;
        }
        let noun = table.noun;
        let number = whole(&row.cells[id]).unwrap_or_default();
        let Some(key) = row.whole(noun.key) else {
            self.broken(noun, number, format!("{} is missing", noun.key));
            return None;
        };
        if !table.seen.insert(key) && noun.place == Place::Patch {
            *table.left.entry(format!("{} beyond the first with the same {}", noun.label, noun.key)).or_default() += 1;
            return None;
        }
        if let Some(refusal) = self.refused(noun, key) {
            self.refuse(table, key, number, refusal);
            return None;
        }
        let values = self.judge(table, row, key, number)?;
        if let (Some((from, place)), true) = (noun.above(), noun.place == Place::Patch)
            && let Value::Int(above) = values[place]
            && !self.known.put_below(noun.label, key, above)
        {
            self.broken(noun, number, format!("{from} leads in a circle"));
            return None;
        }
        self.work(table, key, vec![values])
    }

    fn take_sets(&mut self, table: &mut Table) -> Result<(), ImportError> {
        let noun = table.noun;
        let tables: Vec<&'static str> =
            std::iter::once(noun.source).chain(noun.beside.filter(|beside| self.source.has_table(beside))).collect();
        let mut owners: BTreeMap<i64, usize> = BTreeMap::new();
        for name in &tables {
            for owner in self.source.column(name, noun.key)?.iter().filter_map(whole) {
                *owners.entry(owner).or_default() += 1;
            }
        }
        let mut after = None;
        for last in ends(&owners) {
            let mut sets: BTreeMap<i64, Vec<Vec<Value>>> = BTreeMap::new();
            for name in &tables {
                let columns: Vec<&'static str> = noun.reads().into_iter().filter(|column| self.source.has(name, column)).collect();
                let page = self.source.page(name, &columns, noun.key, after, Limit::UpTo(last))?;
                table.read += if *name == noun.source { page.len() as u64 } else { 0 };
                for cells in &page {
                    self.judge_member(table, &Row { columns: &columns, cells }, &mut sets);
                }
                self.progress.advance(if *name == noun.source { page.len() as u64 } else { 0 });
            }
            let batch: Vec<Work> = sets.into_iter().filter_map(|(key, rows)| self.work(table, key, rows)).collect();
            self.write(table, batch)?;
            after = Some(last);
        }
        Ok(())
    }

    /// Adds a row to the set of its owner.
    fn judge_member(&mut self, table: &mut Table, row: &Row<'_>, sets: &mut BTreeMap<i64, Vec<Vec<Value>>>) {
        let noun = table.noun;
        if !takes(table, row) {
            return;
        }
        let Some(key) = row.whole(noun.key) else { return };
        let is_first = table.seen.insert(key);
        if let Some(refusal) = self.refused(noun, key) {
            if is_first || matches!(refusal, Refusal::Broken(_)) {
                self.refuse(table, key, key, refusal);
            }
            return;
        }
        let Some(values) = self.judge(table, row, key, key) else { return };
        let set = sets.entry(key).or_default();
        let rows = match &noun.many {
            None => vec![values],
            Some(many) => {
                let field = Field { from: many.from, to: many.to, how: super::field::How::Text, or: Or::Null, with: &[] };
                let asked = Asked { row: *row, field: &field, known: &self.known, secrets: self.store.secrets() };
                match (many.make)(&asked) {
                    Ok(values) => values.into_iter().map(|value| vec![value]).collect(),
                    Err(problem) => return self.broken(noun, key, format!("{} {problem}", many.from)),
                }
            }
        };
        for row in rows {
            if !set.iter().any(|known| known[..noun.members] == row[..noun.members]) {
                set.push(row);
            }
        }
    }

    /// What is wrong with the row that the key leads to, if it leads elsewhere.
    fn refused(&self, noun: &Noun, key: i64) -> Option<Refusal> {
        let owner = noun.owner?;
        judge::led(self.known.lead(owner, key), owner, key).map_err(|refusal| refusal.of_column(noun.key)).err()
    }

    /// The values of a row; none when it is not taken, which is then said.
    fn judge(&mut self, table: &Table, row: &Row<'_>, key: i64, number: i64) -> Option<Vec<Value>> {
        let noun = table.noun;
        let mut odd = Vec::new();
        let secrets = self.store.secrets();
        let values: Result<Vec<Value>, Refusal> =
            noun.fields.iter().map(|field| judge::value(&Asked { row: *row, field, known: &self.known, secrets }, &mut odd)).collect();
        match values {
            Ok(values) => {
                odd.into_iter().for_each(|reason| self.report.problem(noun.label, number, "in part", reason));
                Some(values)
            }
            Err(refusal) => {
                self.refuse(table, key, number, refusal);
                None
            }
        }
    }

    /// A row that is not taken. One that was taken while what it belongs to was still here goes without saying.
    fn refuse(&mut self, table: &Table, key: i64, number: i64, refusal: Refusal) {
        match refusal {
            Refusal::Broken(reason) => self.broken(table.noun, number, reason),
            Refusal::Ours(reason) => {
                self.report.of(table.noun.label).kept += 1;
                if !table.before.contains_key(&key) {
                    self.report.problem(table.noun.label, number, "kept ours", reason);
                }
            }
        }
    }

    fn broken(&mut self, noun: &Noun, number: i64, reason: String) {
        self.report.of(noun.label).broken += 1;
        self.report.problem(noun.label, number, "broken", reason);
    }

    /// What is to be done; none when everything is as it was.
    fn work(&mut self, table: &Table, key: i64, rows: Vec<Vec<Value>>) -> Option<Work> {
        let digest = table.noun.source_digest(&rows);
        let before = table.before.get(&key).copied();
        let exists = table.noun.place != Place::Row || matches!(self.known.lead(table.noun.table, key), Lead::There | Lead::Made);
        let is_unknown = |before: &Remembered| table.noun.hashed.is_some() && *before == Remembered::UNKNOWN;
        if before.is_some_and(|before| before.source == digest || is_unknown(&before)) {
            let counts = self.report.of(table.noun.label);
            if exists {
                counts.unchanged += 1
            } else {
                counts.kept += 1
            }
            return None;
        }
        Some(Work { key, rows, digest, ours: digest, before, exists })
    }

    fn write(&mut self, table: &Table, batch: Vec<Work>) -> Result<(), ImportError> {
        let noun = table.noun;
        let outcomes = write(self.store, noun, &table.target, batch, self.mode != Mode::Write)?;
        for (key, outcome) in outcomes {
            if noun.place == Place::Row && matches!(outcome, Outcome::Taken | Outcome::Updated) {
                self.known.add(noun.table, key);
            }
            match outcome {
                Outcome::Taken => self.report.of(noun.label).taken += 1,
                Outcome::Updated => self.report.of(noun.label).updated += 1,
                Outcome::Kept(reason) => {
                    self.report.of(noun.label).kept += 1;
                    self.report.problem(noun.label, key, "kept ours", reason);
                }
                Outcome::Failed(reason) => {
                    self.in_the_way = true;
                    self.broken(noun, key, reason);
                }
            }
        }
        Ok(())
    }
}

/// The last owners of batches that have about so many rows as a batch may have.
fn ends(owners: &BTreeMap<i64, usize>) -> Vec<i64> {
    let (mut ends, mut rows) = (Vec::new(), 0);
    for (owner, count) in owners {
        rows += count;
        if rows >= BATCH {
            ends.push(*owner);
            rows = 0;
        }
    }
    ends.extend(owners.last_key_value().map(|(owner, _)| *owner).filter(|last| ends.last() != Some(last)));
    ends
}

/// Whether the noun is about this row. What nothing is about is counted.
fn takes(table: &mut Table, row: &Row<'_>) -> bool {
    is_about(table, row) && {
        let unknown = table.noun.owners().find_map(|(column, tables)| {
            let name = row.text(column).ok().filter(|_| *row.cell(column) != Cell::Null)?;
            (!tables.iter().any(|(known, _)| *known == name)).then(|| format!("{} with {column} {name:?}", table.noun.source))
        });
        if let Some(what) = unknown {
            *table.left.entry(what).or_default() += 1;
            return false;
        }
        true
    }
}

fn is_about(table: &mut Table, row: &Row<'_>) -> bool {
    match table.noun.takes {
        Takes::All => true,
        Takes::On(column) => {
            matches!(row.cell(column), Cell::Int(1)) || row.text(column).is_ok_and(|text| ["1", "t", "true"].contains(&text.as_str()))
        }
        Takes::Null(column) => *row.cell(column) == Cell::Null,
        Takes::NotNull(column) => *row.cell(column) != Cell::Null,
        Takes::OneOf(column, wanted) => {
            let text = row.text(column).unwrap_or_default();
            if wanted.contains(&text.as_str()) {
                return true;
            }
            let others = nouns::all().filter(|other| other.source == table.noun.source);
            let mut owners = others
                .filter(|other| matches!(other.takes, Takes::OneOf(known, wanted) if known == column && wanted.contains(&text.as_str())));
            let is_first = first_of_table(table.noun);
            if owners.next().is_none() && is_first {
                *table.left.entry(format!("{} with {column} {text:?}", table.noun.source)).or_default() += 1;
            }
            false
        }
    }
}

/// So that a row which nothing is about is counted once.
fn first_of_table(noun: &Noun) -> bool {
    nouns::all().find(|other| other.source == noun.source).is_some_and(|first| first.label == noun.label)
}

impl From<StoreError> for Outcome {
    fn from(error: StoreError) -> Outcome {
        Outcome::Failed(error.to_string())
    }
}
