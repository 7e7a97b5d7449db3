//! Concurrent clients, and the latencies of their requests.

use std::time::{Duration, Instant};

/// Latencies in milliseconds, sorted.
#[derive(Clone, Debug, Default)]
pub struct Latencies {
    sorted: Vec<f64>,
    /// Requests a second.
    pub rate: f64,
}

impl Latencies {
    pub fn new(mut latencies: Vec<f64>, over: Duration) -> Latencies {
        latencies.sort_by(f64::total_cmp);
        Latencies {
            rate: latencies.len() as f64 / over.as_secs_f64(),
            sorted: latencies,
        }
    }

    /// Returns all latencies of the parts; the rate is 0.
    pub fn merged<'t>(parts: impl IntoIterator<Item = &'t Latencies>) -> Latencies {
        let mut all = Latencies::default();
        for part in parts {
            all.sorted.extend(&part.sorted);
        }
        all.sorted.sort_by(f64::total_cmp);
        all
    }

    pub fn p50(&self) -> f64 {
        self.percentile(50)
    }

    pub fn p99(&self) -> f64 {
        self.percentile(99)
    }

    pub fn count(&self) -> usize {
        self.sorted.len()
    }

    fn percentile(&self, percent: usize) -> f64 {
        self.sorted
            .get(self.sorted.len() * percent / 100)
            .copied()
            .unwrap_or(f64::NAN)
    }
}

/// Number of concurrent clients, and the rate of their requests together: requests a second, or
/// `None` for as fast as responses arrive.
#[derive(Clone, Copy)]
pub struct Load {
    pub clients: usize,
    pub rate: Option<f64>,
}

impl Load {
    /// Sends requests while `continues` returns true. The first tenth of a second is not counted.
    /// With a rate, latency counts from when the request was due, so that a late start counts too.
    pub fn run<A>(
        self,
        continues: impl Fn(Duration) -> bool + Sync,
        open: impl Fn(usize) -> A + Sync,
        request: impl Fn(&mut A, usize) + Sync,
    ) -> Latencies {
        let warm_up = Duration::from_millis(100);
        let start = Instant::now();
        let latencies: Vec<f64> = std::thread::scope(|scope| {
            let spawn_client = |client: usize| {
                let open = &open;
                let request = &request;
                let continues = &continues;
                scope.spawn(move || {
                    let mut connection = open(client);
                    let mut index = client;
                    let mut latencies = Vec::new();
                    while continues(start.elapsed()) {
                        let due = self
                            .rate
                            .map(|rate| Duration::from_secs_f64(index as f64 / rate));
                        if let Some(wait) = due.and_then(|due| due.checked_sub(start.elapsed())) {
                            std::thread::sleep(wait);
                        }
                        let from = due.unwrap_or_else(|| start.elapsed());
                        request(&mut connection, index);
                        if from > warm_up {
                            latencies.push((start.elapsed() - from).as_secs_f64() * 1e3);
                        }
                        index += self.clients;
                    }
                    latencies
                })
            };
            let threads: Vec<_> = (0..self.clients).map(spawn_client).collect();
            threads
                .into_iter()
                .flat_map(|thread| thread.join().expect("a client panicked"))
                .collect()
        });
        Latencies::new(latencies, start.elapsed().saturating_sub(warm_up))
    }
}
