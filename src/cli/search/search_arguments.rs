//! The arguments of `quarry search`.

use clap::Args;
use std::path::PathBuf;

/// Maximum number of results.
const MAX_LIMIT: u32 = 100;

/// The arguments of `quarry search`.
#[derive(Debug, Args)]
pub struct SearchArguments {
    /// Query, in the language of the search (docs/search.md); -- before a word that begins with a hyphen
    #[arg(required = true, num_args = 1.., value_name = "WORDS")]
    pub query: Vec<String>,
    /// User whose rights count; without it, what people see who are not logged in
    #[arg(long = "as", value_name = "LOGIN")]
    pub login: Option<String>,
    /// Find records with any of the words, not all
    #[arg(long)]
    pub any: bool,
    /// Print what each word and each boost adds to a score
    #[arg(long)]
    pub explain: bool,
    /// Maximum number of results
    #[arg(long, value_name = "COUNT", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_LIMIT)))]
    pub limit: u32,
    /// Index all records in memory by the files in this folder, a changed copy of index-schema
    #[arg(long, value_name = "DIR")]
    pub schema: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}
