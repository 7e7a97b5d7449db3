//! The options of the program.

/// What is measured.
pub struct Options {
    pub issues: i64,
    pub seconds: u64,
    pub only: Option<String>,
    pub json: Option<String>,
    pub store: Option<String>,
    pub notices: bool,
    /// Microseconds for each way between a node and the server of the store.
    pub delay: u64,
}

impl Options {
    /// Returns the options of this process.
    pub fn from_arguments() -> Options {
        let mut options = Options {
            issues: 1_000_000,
            seconds: 3,
            only: None,
            json: None,
            store: None,
            notices: false,
            delay: 0,
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--issues" => {
                    options.issues = arguments
                        .next()
                        .and_then(|text| text.parse().ok())
                        .expect("--issues needs a number")
                }
                "--seconds" => {
                    options.seconds = arguments
                        .next()
                        .and_then(|text| text.parse().ok())
                        .expect("--seconds needs a number")
                }
                "--only" => options.only = arguments.next(),
                "--json" => options.json = arguments.next(),
                "--notices" => options.notices = true,
                "--store" => options.store = arguments.next(),
                "--delay" => {
                    options.delay = arguments
                        .next()
                        .and_then(|text| text.parse().ok())
                        .expect("--delay needs a number of microseconds")
                }
                _ => {}
            }
        }
        options
    }
}
