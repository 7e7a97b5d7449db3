//! One pass over all tables: read a batch, judge its rows, write what is new or has changed.

use super::error::ImportError;
use super::field::{Asked, Field, Or, Row, whole};
use super::judge;
use super::known::Known;
use super::noun::{Noun, Takes};
use super::nouns;
use super::removal::Gone;
use super::report::Report;
use super::run::Progress;
use super::source::{Cell, Limit, Source};
use super::write::{Outcome, Work, write};
use crate::store::imported::{Place, Remembered, Target};
use crate::store::{Store, StoreError, Value, imported};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// How many rows are read and written at once.
const BATCH: usize = 2000;
/// How many owners of sets.
const OWNERS: usize = 500;

/// What a pass works with.
pub struct Pass<'a> {
    source: &'a mut Source,
    store: &'a Store,
    dry_run: bool,
    progress: &'a mut dyn Progress,
    report: &'a mut Report,
    known: Known,
    in_the_way: bool,
}

/// The table that is being taken.
struct Table {
    noun: &'static Noun,
    target: Target,
    columns: Vec<&'static str>,
    before: HashMap<i64, Remembered>,
    seen: HashSet<i64>,
    left: BTreeMap<String, u64>,
}

impl<'a> Pass<'a> {
    /// A pass that begins.
    pub fn new(
        source: &'a mut Source,
        store: &'a Store,
        dry_run: bool,
        progress: &'a mut dyn Progress,
        report: &'a mut Report,
    ) -> Pass<'a> {
        Pass { source, store, dry_run, progress, report, known: Known::default(), in_the_way: false }
    }

    /// Takes every table, then takes away what is gone. `true` when something could not be written that another pass may be
    /// able to write, because something was in its way that is gone now.
    pub fn take_all(mut self) -> Result<bool, ImportError> {
        let mut gone = Vec::new();
        for noun in nouns::all() {
            gone.extend(self.take(noun)?);
        }
        let removed = super::removal::remove(self.store, gone, self.dry_run, self.report)?;
        Ok(self.in_the_way && removed)
    }

    fn take(&mut self, noun: &'static Noun) -> Result<Option<Gone>, ImportError> {
        if noun.place == Place::Row {
            let numbers = self.store.read(|db| imported::numbers(db, noun.table))?;
            self.known.set(noun.table, numbers);
        }
        if !self.is_there(noun) {
            return Ok(None);
        }
        let before = self.store.read(|db| imported::remembered(db, noun.label))?;
        let columns = noun.reads().into_iter().filter(|name| self.source.has(noun.source, name)).collect();
        let mut table = Table { noun, target: noun.target(), columns, before, seen: HashSet::new(), left: BTreeMap::new() };
        let rows = self.source.count(noun.source)?;
        self.progress.begin(noun.label, rows);
        match noun.place {
            Place::Row | Place::Patch => self.take_rows(&mut table)?,
            Place::Set(_) => self.take_sets(&mut table)?,
        }
        self.progress.end();
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
        table.seen.insert(key);
        if let Some(owner) = noun.owner.filter(|owner| !self.known.has(owner, key)) {
            self.broken(noun, number, format!("{} leads to {owner} {key}, which is not there", noun.key));
            return None;
        }
        let values = self.judge(noun, row, noun.fields, number)?;
        self.work(table, key, vec![values])
    }

    fn take_sets(&mut self, table: &mut Table) -> Result<(), ImportError> {
        let noun = table.noun;
        let tables: Vec<&'static str> =
            std::iter::once(noun.source).chain(noun.beside.filter(|beside| self.source.has_table(beside))).collect();
        let mut owners = BTreeSet::new();
        for name in &tables {
            owners.extend(self.source.column(name, noun.key)?.iter().filter_map(whole));
        }
        let owners: Vec<i64> = owners.into_iter().collect();
        let mut after = None;
        for chunk in owners.chunks(OWNERS) {
            let Some(last) = chunk.last().copied() else { continue };
            let mut sets: BTreeMap<i64, Vec<Vec<Value>>> = BTreeMap::new();
            for name in &tables {
                let columns: Vec<&'static str> = noun.reads().into_iter().filter(|column| self.source.has(name, column)).collect();
                let page = self.source.page(name, &columns, noun.key, after, Limit::UpTo(last))?;
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
        table.seen.insert(key);
        if let Some(owner) = noun.owner.filter(|owner| !self.known.has(owner, key)) {
            self.broken(noun, key, format!("{} leads to {owner} {key}, which is not there", noun.key));
            return;
        }
        let Some(values) = self.judge(noun, row, noun.fields, key) else { return };
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

    fn judge(&mut self, noun: &Noun, row: &Row<'_>, fields: &[Field], number: i64) -> Option<Vec<Value>> {
        let mut odd = Vec::new();
        let secrets = self.store.secrets();
        let values: Result<Vec<Value>, String> =
            fields.iter().map(|field| judge::value(&Asked { row: *row, field, known: &self.known, secrets }, &mut odd)).collect();
        match values {
            Ok(values) => {
                odd.into_iter().for_each(|reason| self.report.problem(noun.label, number, "in part", reason));
                Some(values)
            }
            Err(problem) => {
                self.broken(noun, number, problem);
                None
            }
        }
    }

    fn broken(&mut self, noun: &Noun, number: i64, reason: String) {
        self.report.of(noun.label).broken += 1;
        self.report.problem(noun.label, number, "broken", reason);
    }

    /// What is to be done; none when everything is as it was.
    fn work(&mut self, table: &Table, key: i64, rows: Vec<Vec<Value>>) -> Option<Work> {
        let digest = imported::digest(&rows);
        let before = table.before.get(&key).copied();
        let exists = table.noun.place != Place::Row || self.known.has(table.noun.table, key);
        if before.is_some_and(|before| before.source == digest) {
            let counts = self.report.of(table.noun.label);
            if exists {
                counts.unchanged += 1
            } else {
                counts.kept += 1
            }
            return None;
        }
        Some(Work { key, rows, digest, before, exists })
    }

    fn write(&mut self, table: &Table, batch: Vec<Work>) -> Result<(), ImportError> {
        let noun = table.noun;
        let outcomes = write(self.store, noun, &table.target, batch, self.dry_run)?;
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

/// Whether the noun is about this row. What nothing is about is counted.
fn takes(table: &mut Table, row: &Row<'_>) -> bool {
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
