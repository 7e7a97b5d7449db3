//! The entry point of the program.

use std::process::ExitCode;

/// Responses consist of many small allocations that move between threads, which mimalloc handles
/// well.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    quarry::cli::run(std::env::args_os(), std::env::vars_os())
}
