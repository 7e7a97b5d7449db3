//! `quarry man`: the man pages of the commands.

use anyhow::Context;
use clap::{Args, Command};
use clap_mangen::Man;
use std::io::Write;
use std::path::PathBuf;

/// The arguments of `quarry man`.
#[derive(Debug, Args)]
pub struct ManOptions {
    /// Folder for the pages of all commands, such as quarry.1 and quarry-user-add.1
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

/// Prints the page of a command, or writes its page and those of its subcommands.
pub fn run(options: &ManOptions, command: Command, out: &mut dyn Write) -> anyhow::Result<()> {
    match &options.dir {
        Some(dir) => {
            std::fs::create_dir_all(dir)
                .and_then(|()| clap_mangen::generate_to(command, dir))
                .with_context(|| format!("the pages cannot be written into {}", dir.display()))?;
        }
        None => Man::new(command).render(out)?,
    }
    Ok(())
}
