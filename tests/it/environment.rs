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
