//! The limits that protect a service against clients that are slow, many or greedy.
//!
//! Each is a key of the configuration, and `--limit NAME=VALUE`. The value 0 switches a limit off, for installations that
//! enforce it in a reverse proxy. `docs/operations.md` says what a client gets that reaches one.

use std::time::Duration;

/// A limit of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// How many connections are open at once.
    MaxConnections,
    /// How many seconds the head of a request may take, and how long a connection may idle.
    HeaderTimeout,
    /// How many seconds a transfer may stall, in either direction.
    TransferTimeout,
    /// How many bytes a second a transfer must reach after that time, on average.
    MinTransferRate,
    /// How many bytes of request bodies are held in memory at once; a single client gets a quarter of it.
    BodyMemory,
    /// How many bytes of replies are held in memory at once; a single client gets a quarter of it.
    ReplyMemory,
    /// After how many milliseconds a read counts as heavy: heavy reads of one client run one after the other.
    HeavyRead,
    /// After how many seconds a read is stopped.
    ReadTimeout,
    /// How many requests may wait for a free slot.
    QueueLength,
    /// How many seconds a request may wait for a free slot.
    QueueTimeout,
}

/// What a limit counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Things.
    Count,
    /// Bytes; suffixes such as `KiB` are understood.
    Bytes,
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
}

const TABLE: [(Limit, &str, u64, Unit); 10] = [
    (Limit::MaxConnections, "max_connections", 1000, Unit::Count),
    (Limit::HeaderTimeout, "header_timeout", 30, Unit::Seconds),
    (Limit::TransferTimeout, "transfer_timeout", 30, Unit::Seconds),
    (Limit::MinTransferRate, "min_transfer_rate", 8 * 1024, Unit::Bytes),
    (Limit::BodyMemory, "body_memory", 64 * 1024 * 1024, Unit::Bytes),
    (Limit::ReplyMemory, "reply_memory", 256 * 1024 * 1024, Unit::Bytes),
    (Limit::HeavyRead, "heavy_read", 500, Unit::Milliseconds),
    (Limit::ReadTimeout, "read_timeout", 20, Unit::Seconds),
    (Limit::QueueLength, "queue_length", 256, Unit::Count),
    (Limit::QueueTimeout, "queue_timeout", 10, Unit::Seconds),
];

impl Limit {
    /// Every limit.
    pub const ALL: [Limit; TABLE.len()] = {
        let mut all = [Limit::MaxConnections; TABLE.len()];
        let mut index = 0;
        while index < all.len() {
            all[index] = TABLE[index].0;
            index += 1;
        }
        all
    };

    /// Its key.
    pub const fn name(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// What it counts.
    pub const fn unit(self) -> Unit {
        TABLE[self as usize].3
    }
}

/// The value of every limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits([u64; TABLE.len()]);

impl Default for Limits {
    fn default() -> Limits {
        Limits(TABLE.map(|row| row.2))
    }
}

impl Limits {
    /// The same with another value for one limit.
    #[must_use]
    pub fn with(mut self, limit: Limit, value: u64) -> Limits {
        self.0[limit as usize] = value;
        self
    }

    /// A number; `usize::MAX` when the limit is off.
    pub fn count(&self, limit: Limit) -> usize {
        match self.0[limit as usize] {
            0 => usize::MAX,
            count => usize::try_from(count).unwrap_or(usize::MAX),
        }
    }

    /// A time; `None` when the limit is off.
    pub fn duration(&self, limit: Limit) -> Option<Duration> {
        let value = Some(self.0[limit as usize]).filter(|value| *value > 0)?;
        Some(if limit.unit() == Unit::Milliseconds { Duration::from_millis(value) } else { Duration::from_secs(value) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_follows_the_order_of_the_enum() {
        for (index, limit) in Limit::ALL.into_iter().enumerate() {
            assert_eq!((limit as usize, limit), (index, TABLE[index].0));
        }
    }

    #[test]
    fn zero_switches_a_limit_off() {
        let off = Limit::ALL.into_iter().fold(Limits::default(), |limits, limit| limits.with(limit, 0));
        assert_eq!(off.duration(Limit::HeavyRead), None);
        assert_eq!(off.count(Limit::MaxConnections), usize::MAX);
        let on = Limits::default();
        assert_eq!(on.duration(Limit::HeavyRead), Some(Duration::from_millis(500)));
        assert_eq!(on.duration(Limit::HeaderTimeout), Some(Duration::from_secs(30)));
        assert_eq!(on.count(Limit::MaxConnections), 1000);
    }
}
