//! The arguments of `quarry user add`.

use clap::Args;

/// The arguments of `quarry user add`.
#[derive(Debug, Args)]
pub struct NewUser {
    /// Login
    pub login: String,
    /// First name
    #[arg(long)]
    pub firstname: String,
    /// Last name
    #[arg(long)]
    pub lastname: String,
    /// Email address
    #[arg(long)]
    pub mail: String,
    /// Make the user an administrator
    #[arg(long)]
    pub admin: bool,
    /// Read the password from standard input (its first line) instead of generating one
    #[arg(long)]
    pub password_stdin: bool,
}
