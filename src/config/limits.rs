//! The limits that protect the service against slow, numerous or greedy clients.
//!
//! Each is a key of the configuration, and `--limit NAME=VALUE`. The value 0 disables a limit, for
//! installations that enforce it in a reverse proxy. `docs/operations.md` describes the responses
//! to clients that exceed one.

use std::time::Duration;
use strum::{EnumString, IntoStaticStr, VariantArray};

/// A limit of the service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Limit {
    /// Maximum number of open connections.
    #[default]
    MaxConnections,
    /// Maximum seconds for the head of a request, and for an idle connection.
    HeaderTimeout,
    /// Maximum seconds without progress of a transfer, in either direction.
    TransferTimeout,
    /// Minimum average rate of a transfer after that time, in bytes per second.
    MinTransferRate,
    /// Maximum memory for request bodies in bytes; a single client can have a quarter of it.
    BodyMemory,
    /// Maximum memory for responses in bytes; a single client can have a quarter of it.
    ReplyMemory,
    /// Milliseconds after which a read counts as heavy. Heavy reads of one client run one at a
    /// time.
    HeavyRead,
    /// Seconds after which a read is stopped.
    ReadTimeout,
    /// Maximum number of requests that wait for a permit.
    QueueLength,
    /// Maximum seconds that a request waits for a permit.
    QueueTimeout,
}

/// The unit of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A number of items.
    Count,
    /// Bytes, with suffixes such as `KiB`.
    Bytes,
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
}

impl Limit {
    /// All limits.
    pub const ALL: &[Limit] = Self::VARIANTS;

    /// Returns the key.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the default value and its unit.
    const fn default_value(self) -> (u64, Unit) {
        match self {
            Limit::MaxConnections => (1000, Unit::Count),
            Limit::HeaderTimeout => (30, Unit::Seconds),
            Limit::TransferTimeout => (30, Unit::Seconds),
            Limit::MinTransferRate => (8 * 1024, Unit::Bytes),
            Limit::BodyMemory => (64 * 1024 * 1024, Unit::Bytes),
            Limit::ReplyMemory => (256 * 1024 * 1024, Unit::Bytes),
            Limit::HeavyRead => (500, Unit::Milliseconds),
            Limit::ReadTimeout => (20, Unit::Seconds),
            Limit::QueueLength => (256, Unit::Count),
            Limit::QueueTimeout => (10, Unit::Seconds),
        }
    }

    /// Returns the unit.
    pub const fn unit(self) -> Unit {
        self.default_value().1
    }
}

/// The values of all limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits([u64; Limit::ALL.len()]);

impl Default for Limits {
    fn default() -> Limits {
        Limits(std::array::from_fn(|index| {
            Limit::ALL[index].default_value().0
        }))
    }
}

impl Limits {
    /// Sets the value of a limit.
    #[must_use]
    pub fn with(mut self, limit: Limit, value: u64) -> Limits {
        self.0[limit as usize] = value;
        self
    }

    /// Returns the value in the unit of the limit; 0 when it is disabled.
    pub fn value(&self, limit: Limit) -> u64 {
        self.0[limit as usize]
    }

    /// Returns a number; `usize::MAX` when the limit is disabled.
    pub fn count(&self, limit: Limit) -> usize {
        match self.0[limit as usize] {
            0 => usize::MAX,
            count => usize::try_from(count).unwrap_or(usize::MAX),
        }
    }

    /// Returns the length of a queue that is at most `max`; `usize::MAX` when the limit on queues
    /// is disabled.
    pub fn queue_length(&self, max: usize) -> usize {
        match self.count(Limit::QueueLength) {
            usize::MAX => usize::MAX,
            length => length.min(max),
        }
    }

    /// Returns a duration; `None` when the limit is disabled.
    pub fn duration(&self, limit: Limit) -> Option<Duration> {
        let value = Some(self.0[limit as usize]).filter(|value| *value > 0)?;
        Some(if limit.unit() == Unit::Milliseconds {
            Duration::from_millis(value)
        } else {
            Duration::from_secs(value)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_disables_a_limit() {
        let off = Limit::ALL
            .iter()
            .copied()
            .fold(Limits::default(), |limits, limit| limits.with(limit, 0));
        assert_eq!(off.duration(Limit::HeavyRead), None);
        assert_eq!(
            (off.count(Limit::MaxConnections), off.queue_length(16)),
            (usize::MAX, usize::MAX)
        );
        let on = Limits::default();
        assert_eq!(
            on.duration(Limit::HeavyRead),
            Some(Duration::from_millis(500))
        );
        assert_eq!(
            on.duration(Limit::HeaderTimeout),
            Some(Duration::from_secs(30))
        );
        assert_eq!(
            (on.count(Limit::MaxConnections), on.queue_length(16)),
            (1000, 16)
        );
        assert_eq!(on.with(Limit::QueueLength, 3).queue_length(16), 3);
    }
}
