//! `quarry completion`: completions of the command line for shells.

use clap::{Args, Command};
use clap_complete::Shell;
use std::io::{self, Write};

/// The arguments of `quarry completion`.
#[derive(Debug, Args)]
pub struct CompletionOptions {
    /// The shell
    shell: Shell,
}

/// Prints the completions of a command and its subcommands.
pub fn run(
    options: &CompletionOptions,
    mut command: Command,
    out: &mut dyn Write,
) -> io::Result<()> {
    // The generator panics when it cannot write.
    let mut script = Vec::new();
    let name = command.get_name().to_owned();
    clap_complete::generate(options.shell, &mut command, name, &mut script);
    out.write_all(&script)
}
