//! The command line of the bench: that of criterion as far as it applies, and options of its own.

use super::baseline::RunKey;
use clap::Parser;
use regex::Regex;
use std::path::PathBuf;

/// The baseline that a run is compared with, and that it replaces, unless another one is named.
const DEFAULT_BASELINE: &str = "base";
/// The sets of `--quick`.
const QUICK: [&str; 2] = ["hadoop", "seamonkey"];

/// Relevance of search results: nDCG@10, MRR@10 and Recall@100 on sets with relevance judgements.
///
/// Every run is compared, query by query, with the one before (the baseline `base`), or with the
/// baseline that an option names. docs/relevance.md explains the table and how to add a set.
#[derive(Debug, Parser)]
#[command(name = "relevance", bin_name = "cargo bench --bench relevance --")]
pub struct Options {
    /// Run only what matches: a regular expression over SET/FORM/ENGINE, as --list prints it; several
    /// select what any of them matches
    #[arg(value_name = "FILTER")]
    pub filters: Vec<Regex>,
    /// A filter must be the whole SET/FORM/ENGINE
    #[arg(long)]
    pub exact: bool,
    /// List what would run
    #[arg(long)]
    pub list: bool,
    /// Save the figures under this name; compares with an earlier run of that name first
    #[arg(long, short, value_name = "NAME", conflicts_with_all = ["baseline", "baseline_lenient"])]
    pub save_baseline: Option<String>,
    /// Compare with this baseline, and keep it; fails if it lacks something that runs
    #[arg(long, short, value_name = "NAME", conflicts_with = "baseline_lenient")]
    pub baseline: Option<String>,
    /// Compare with this baseline as far as it goes, and keep it
    #[arg(long, value_name = "NAME")]
    pub baseline_lenient: Option<String>,
    /// Folder with sets, or of one set, in Quarry's, BEIR's or TREC's form [default: fixtures/relevance]
    #[arg(long, value_name = "DIR")]
    pub sets: Option<PathBuf>,
    /// Split of the sets [default: dev, in BEIR's form test]
    #[arg(long, value_name = "NAME")]
    pub split: Option<String>,
    /// Rank by the files in this folder, not by those in index-schema
    #[arg(long, value_name = "DIR")]
    pub schema: Option<PathBuf>,
    /// Leave the other engines out
    #[arg(long)]
    pub ours: bool,
    /// Run the small sets of the fixtures alone: hadoop and seamonkey
    #[arg(long)]
    pub quick: bool,
    /// Write the figures and comparisons to this file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// How many of the queries that moved most are listed of each set
    #[arg(long, value_name = "COUNT", default_value_t = 5)]
    pub moved: usize,
    /// Leave out what criterion measures: the time of a query for any word
    #[arg(long)]
    pub no_times: bool,
    /// Number of samples of the time that criterion takes, at least 10
    #[arg(long, value_name = "COUNT", default_value_t = 20, value_parser = sample_size)]
    pub sample_size: usize,
    /// Seconds for which criterion measures
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, value_parser = seconds)]
    pub measurement_time: f64,
    /// Seconds for which criterion warms up
    #[arg(long, value_name = "SECONDS", default_value_t = 3.0, value_parser = seconds)]
    pub warm_up_time: f64,
    /// Make no plots of the times
    #[arg(long, short)]
    pub noplot: bool,
    /// Run a query of each kind, without figures, to see that everything works
    #[arg(long)]
    pub test: bool,
    /// Given by `cargo bench`; without it, as in `cargo test --benches`, --test is implied
    #[arg(long, hide = true)]
    pub bench: bool,
}

fn sample_size(text: &str) -> Result<usize, String> {
    let size = text.parse().ok().filter(|size| *size >= 10);
    size.ok_or_else(|| "at least 10 are needed".to_owned())
}

fn seconds(text: &str) -> Result<f64, String> {
    let is_usable = |seconds: &f64| *seconds > 0.0 && *seconds < 1e6;
    let seconds = text.parse().ok().filter(is_usable);
    seconds.ok_or_else(|| "a positive number of seconds is needed".to_owned())
}

/// How a run is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaselineUse {
    pub name: String,
    /// Whether the run replaces what the baseline has.
    pub is_saved: bool,
    /// Whether the baseline must have everything that runs.
    pub is_strict: bool,
}

impl Options {
    /// Whether figures are left out.
    pub fn is_test(&self) -> bool {
        self.test || !self.bench
    }

    /// Whether a run passes the filters.
    pub fn selects(&self, key: &RunKey) -> bool {
        if self.quick && !QUICK.contains(&key.set.as_str()) {
            return false;
        }
        let id = key.id();
        let matches = |filter: &Regex| {
            if self.exact {
                filter.as_str() == id
            } else {
                filter.is_match(&id)
            }
        };
        self.filters.is_empty() || self.filters.iter().any(matches)
    }

    /// Returns how the run is compared.
    pub fn baseline_use(&self) -> BaselineUse {
        let kept = |name: &str, is_strict| BaselineUse {
            name: name.to_owned(),
            is_saved: false,
            is_strict,
        };
        match (&self.baseline, &self.baseline_lenient) {
            (Some(name), _) => kept(name, true),
            (None, Some(name)) => kept(name, false),
            (None, None) => {
                let name = self.save_baseline.as_deref().unwrap_or(DEFAULT_BASELINE);
                BaselineUse {
                    is_saved: true,
                    ..kept(name, false)
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn parse(arguments: &[&str]) -> Options {
        Options::try_parse_from([&["relevance"], arguments].concat()).unwrap()
    }

    fn key(set: &str, form: &str, by: &str) -> RunKey {
        RunKey {
            set: set.to_owned(),
            form: form.to_owned(),
            by: by.to_owned(),
        }
    }

    #[test]
    fn clap_accepts_the_definitions() {
        Options::command().debug_assert();
    }

    #[test]
    fn filters_select_by_set_form_and_engine() {
        let short = key("titanium", "short, all words", "quarry");
        let fts5 = key("hadoop", "any word", "SQLite FTS5, porter");
        for (arguments, selects_short, selects_fts5) in [
            (&["--bench"][..], true, true),
            (&["titanium", "--bench"], true, false),
            (&["titanium", "any word"], true, true),
            (&["^titanium.*/short"], true, false),
            (&["/quarry$"], true, false),
            (&["FTS5"], false, true),
            (
                &["--exact", "titanium/short, all words/quarry"],
                true,
                false,
            ),
            (&["--exact", "titanium"], false, false),
            (&["--quick"], false, true),
        ] {
            let options = parse(arguments);
            assert_eq!(options.selects(&short), selects_short, "{arguments:?}");
            assert_eq!(options.selects(&fts5), selects_fts5, "{arguments:?}");
        }
    }

    #[test]
    fn baselines_are_those_of_criterion() {
        let baseline_use = |arguments: &[&str]| {
            let BaselineUse {
                name,
                is_saved,
                is_strict,
            } = parse(arguments).baseline_use();
            (name, is_saved, is_strict)
        };
        assert_eq!(baseline_use(&[]), ("base".to_owned(), true, false));
        assert_eq!(
            baseline_use(&["--save-baseline", "x"]),
            ("x".to_owned(), true, false)
        );
        assert_eq!(
            baseline_use(&["--baseline", "x"]),
            ("x".to_owned(), false, true)
        );
        assert_eq!(
            baseline_use(&["--baseline-lenient", "x"]),
            ("x".to_owned(), false, false)
        );
        let both = ["relevance", "--save-baseline", "x", "--baseline", "y"];
        assert!(Options::try_parse_from(both).is_err());
    }

    #[test]
    fn mistakes_are_errors() {
        for arguments in [
            &["--jsno", "x"][..],
            &["("],
            &["--sample-size", "5"],
            &["--measurement-time", "0"],
            &["--sets"],
        ] {
            let arguments = [&["relevance"], arguments].concat();
            assert!(
                Options::try_parse_from(&arguments).is_err(),
                "{arguments:?}"
            );
        }
        assert!(parse(&[]).is_test() && !parse(&["--bench"]).is_test());
        assert!(parse(&["--bench", "--test"]).is_test());
    }
}
