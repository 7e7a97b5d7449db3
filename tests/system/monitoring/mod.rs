//! Metrics and request ids of the real program.

mod documents;
mod labels;
mod metrics;
mod prometheus;
mod request_ids;

use quarry_world::process::{Service, response};
use quarry_world::wait::TIMEOUT;
use quarry_world::{Data, World};
use std::collections::BTreeMap;
use std::io::Write;
use std::net::TcpStream;

/// A service that serves its metrics at an address of its own.
pub struct Watched {
    pub service: Service,
    /// The header with the key of alice.
    pub key: String,
    /// The address of the metrics.
    pub address: String,
    _data: Data,
}

impl Watched {
    /// Starts the service with two projects, and an issue in one of them.
    pub fn start() -> Watched {
        Watched::start_with(&[])
    }

    /// Like [`Watched::start`], with further arguments.
    pub fn start_with(arguments: &[&str]) -> Watched {
        let world = World::with_records("open");
        let key = format!("X-Service-API-Key: {}", world.key("alice"));
        let data = world.into_data();
        let mut command = data.quarry(&["serve", "--metrics-listen", "127.0.0.1:0"]);
        let service = Service::start(command.args(arguments));
        let line = service.printed.first().unwrap();
        let address = line.strip_prefix("metrics at http://").unwrap();
        let address = address.strip_suffix("/metrics").unwrap().to_owned();
        Watched {
            service,
            key,
            address,
            _data: data,
        }
    }

    /// Returns the text of the metrics.
    pub fn text(&self) -> String {
        let (status, body) = get(&self.address, "/metrics", &[]);
        assert_eq!(status, 200);
        body
    }

    /// Returns the current samples.
    pub fn samples(&self) -> Samples {
        Samples::parse(&self.text())
    }
}

/// Sends a GET request and returns status and body.
pub fn get(address: &str, path: &str, headers: &[&str]) -> (u16, String) {
    let headers: String = headers
        .iter()
        .map(|header| format!("{header}\r\n"))
        .collect();
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{headers}\r\n"
    )
    .unwrap();
    response(stream)
}

/// The samples of one text, each by name and labels as they are written.
pub struct Samples(pub BTreeMap<String, f64>);

impl Samples {
    pub fn parse(text: &str) -> Samples {
        let lines = text
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        let samples = lines.map(|line| {
            let (series, value) = line.rsplit_once(' ').unwrap();
            (series.to_owned(), value.parse().unwrap())
        });
        Samples(samples.collect())
    }

    /// Returns the sum of the samples with this name that have all these labels.
    pub fn sum(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        self.matching(name, labels).map(|sample| sample.1).sum()
    }

    /// Whether there is a sample with this name and these labels.
    pub fn has(&self, name: &str, labels: &[(&str, &str)]) -> bool {
        self.matching(name, labels).next().is_some()
    }

    fn matching(&self, name: &str, labels: &[(&str, &str)]) -> impl Iterator<Item = (&str, f64)> {
        let name = name.to_owned();
        let labels: Vec<String> = labels
            .iter()
            .map(|(label, value)| format!("{label}=\"{value}\""))
            .collect();
        self.0.iter().filter_map(move |(series, value)| {
            let own_name = series.split('{').next().unwrap_or(series);
            let is_match =
                own_name == name && labels.iter().all(|label| series.contains(label.as_str()));
            is_match.then_some((series.as_str(), *value))
        })
    }
}
