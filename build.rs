//! Enables identical code folding where rustc links with the lld that comes with it, which makes the program 0.8 MB smaller
//! (docs/measurements/build.md); elsewhere it is linked as usual. Folded functions have the same address. No code relies on
//! different ones: Rust does not promise them, and SQLite compares only the addresses of its binary collation and of three
//! destructors, none of which is identical to a function with which it can be confused there.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|set| set == value);
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    if is("PROFILE", "release")
        && is("TARGET", "x86_64-unknown-linux-gnu")
        && is("HOST", "x86_64-unknown-linux-gnu")
        && !["linker", "link-arg", "fuse-ld"]
            .iter()
            .any(|flag| flags.contains(flag))
        && has_lld()
    {
        println!("cargo::rustc-link-arg-bins=-Wl,--icf=all");
    }
}

/// Whether the compiler comes with lld.
fn has_lld() -> bool {
    let Some(rustc) = env::var_os("RUSTC") else {
        return false;
    };
    let Ok(output) = Command::new(rustc).args(["--print", "sysroot"]).output() else {
        return false;
    };
    let sysroot = String::from_utf8_lossy(&output.stdout);
    Path::new(sysroot.trim())
        .join("lib/rustlib/x86_64-unknown-linux-gnu/bin/gcc-ld/ld.lld")
        .exists()
}
