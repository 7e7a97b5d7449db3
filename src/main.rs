//! The program: arguments in, a command done, an exit code out.

use std::process::ExitCode;

/// Answers are made of many small pieces of memory, which threads hand to each other.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    quarry::cli::run(std::env::args_os(), std::env::vars_os())
}
