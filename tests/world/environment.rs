//! What tests take from the environment: variables that repeat a test with other random data, and
//! programs that may be missing.

/// Returns the number in a variable.
pub fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
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

/// Ends a test of what only SQLite has, in a run with PostgreSQL.
#[macro_export]
macro_rules! only_on_sqlite {
    ($reason:literal) => {
        if $crate::environment::uses_postgres() {
            println!("NOT RUN on PostgreSQL: {}", $reason);
            return;
        }
    };
}
