//! What tests take from the environment: variables that repeat a test with other random data, and
//! programs that may be missing.

use quarry::domain::clock::{Clock, SystemClock};
use std::path::Path;

/// The variable that makes tests with random data or moments run all of their rounds.
const ALL_ROUNDS: &str = "QUARRY_ALL_ROUNDS";
/// Of so many rounds one is run for each change.
const SHARE: usize = 5;

/// Returns the number in a variable.
pub fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}

/// Returns how many rounds a test with random data or moments runs: the number in the variable, or a
/// fifth of `all`, or all of them with `QUARRY_ALL_ROUNDS=1`.
pub fn rounds(variable: &str, all: u64) -> u64 {
    number(variable).unwrap_or_else(|| all.div_ceil(share() as u64))
}

/// Returns of how many rounds one is run: 5, or 1 with `QUARRY_ALL_ROUNDS=1`.
pub fn share() -> usize {
    match number(ALL_ROUNDS) {
        Some(1) => 1,
        _ => SHARE,
    }
}

/// Returns the seed of random data and moments, and prints it: `QUARRY_SEED`, or the number of days
/// since 1970, so that each day tries others.
pub fn seed() -> u64 {
    let today = SystemClock.now().as_second().unsigned_abs() / 86_400;
    let seed = number("QUARRY_SEED").unwrap_or(today);
    println!("QUARRY_SEED={seed} repeats this run");
    seed
}

/// Says that a test is skipped because a package is not installed. In CI, where `.ci/run` installs
/// it, the test fails.
#[track_caller]
pub fn not_installed(program: &str, package: &str) {
    let message = format!("NOT TESTED: there is no {program}; install the package {package}");
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{message}");
    println!("{message}");
}

/// Whether the worlds of this run have their records in PostgreSQL: `QUARRY_TEST_STORE=postgres`.
pub fn uses_postgres() -> bool {
    match std::env::var("QUARRY_TEST_STORE").as_deref() {
        Ok("postgres") => true,
        Ok("sqlite") | Err(_) => false,
        Ok(other) => panic!("QUARRY_TEST_STORE is {other}: write postgres or sqlite"),
    }
}

/// Notes in the log of statements that the test of this thread does not run on PostgreSQL.
pub fn note_sqlite_only() {
    let thread = std::thread::current();
    note("sqlite-only", thread.name().unwrap_or_default());
}

/// Notes in the log of statements that the records of this data folder are in PostgreSQL in a run with
/// PostgreSQL.
pub fn note_portable(folder: &Path) {
    note("portable", &folder.display().to_string());
}

/// Adds a line to a file of this process in the log of statements, if there is one.
fn note(kind: &str, line: &str) {
    let Some(folder) = std::env::var_os("STATEMENT_LOG") else {
        return;
    };
    let file = Path::new(&folder).join(format!("{}.{kind}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut file = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(file)
        .unwrap();
    std::io::Write::write_all(&mut file, format!("{line}\n").as_bytes()).unwrap();
}

/// Ends a test of what only SQLite has, in a run with PostgreSQL.
#[macro_export]
macro_rules! only_on_sqlite {
    ($reason:literal) => {
        $crate::environment::note_sqlite_only();
        if $crate::environment::uses_postgres() {
            println!("NOT RUN on PostgreSQL: {}", $reason);
            return;
        }
    };
}
