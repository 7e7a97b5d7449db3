//! The program: arguments in, a command done, an exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    quarry::cli::run(std::env::args_os(), std::env::vars_os())
}
