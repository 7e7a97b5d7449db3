//! Many who ask at once, and what it took.

use std::time::{Duration, Instant};

/// Times in milliseconds, sorted.
#[derive(Clone, Debug, Default)]
pub struct Times {
    sorted: Vec<f64>,
    /// How many a second.
    pub rate: f64,
}

impl Times {
    pub fn new(mut taken: Vec<f64>, over: Duration) -> Times {
        taken.sort_by(f64::total_cmp);
        Times { rate: taken.len() as f64 / over.as_secs_f64(), sorted: taken }
    }

    /// All of them together.
    pub fn joined<'t>(parts: impl IntoIterator<Item = &'t Times>) -> Times {
        let mut all = Times::default();
        for part in parts {
            all.sorted.extend(&part.sorted);
        }
        all.sorted.sort_by(f64::total_cmp);
        all
    }

    pub fn p50(&self) -> f64 {
        self.at(50)
    }

    pub fn p99(&self) -> f64 {
        self.at(99)
    }

    pub fn count(&self) -> usize {
        self.sorted.len()
    }

    fn at(&self, percent: usize) -> f64 {
        self.sorted.get(self.sorted.len() * percent / 100).copied().unwrap_or(f64::NAN)
    }
}

/// How many ask at once, and how often: as fast as they are answered, or so many a second together.
#[derive(Clone, Copy)]
pub struct Load {
    pub clients: usize,
    pub rate: Option<f64>,
}

impl Load {
    /// Asks while `goes_on`. What was asked in the first tenth of a second is not counted. With a rate, a time runs from when the question
    /// was due, so that waiting for one's turn counts.
    pub fn run<A>(
        self,
        goes_on: impl Fn(Duration) -> bool + Sync,
        open: impl Fn(usize) -> A + Sync,
        ask: impl Fn(&mut A, usize) + Sync,
    ) -> Times {
        let warm = Duration::from_millis(100);
        let begun = Instant::now();
        let taken: Vec<f64> = std::thread::scope(|scope| {
            let one = |client: usize| {
                let (open, ask, goes_on) = (&open, &ask, &goes_on);
                scope.spawn(move || {
                    let (mut asker, mut turn, mut taken) = (open(client), client, Vec::new());
                    while goes_on(begun.elapsed()) {
                        let due = self.rate.map(|rate| Duration::from_secs_f64(turn as f64 / rate));
                        if let Some(wait) = due.and_then(|due| due.checked_sub(begun.elapsed())) {
                            std::thread::sleep(wait);
                        }
                        let from = due.unwrap_or_else(|| begun.elapsed());
                        ask(&mut asker, turn);
                        if from > warm {
                            taken.push((begun.elapsed() - from).as_secs_f64() * 1e3);
                        }
                        turn += self.clients;
                    }
                    taken
                })
            };
            let threads: Vec<_> = (0..self.clients).map(one).collect();
            threads.into_iter().flat_map(|thread| thread.join().expect("a client breaks down")).collect()
        });
        Times::new(taken, begun.elapsed().saturating_sub(warm))
    }
}
