//! The clock of a node that serves the records of a database server.

use jiff::SignedDuration;
use quarry_domain::clock::{AdjustedClock, Clock, SystemClock};
use quarry_store::{Store, StoreError};

/// Longest round trip by which the clocks are compared.
const MAX_ROUND_TRIP: SignedDuration = SignedDuration::from_secs(1);

/// Sets the clock of this node to the time of the database server, so that the nodes agree on when
/// sessions, codes and delays after wrong guesses end. Does nothing with SQLite. Blocks.
pub fn adjust_clock(clock: &AdjustedClock, store: &Store) -> Result<(), StoreError> {
    let before = SystemClock.now();
    let Some(server_time) = store.server_time()? else {
        return Ok(());
    };
    let round_trip = SystemClock.now().duration_since(before);
    // The difference is known to half of that.
    if round_trip > MAX_ROUND_TRIP {
        return Ok(());
    }
    let offset = server_time.duration_since(before) - round_trip / 2;
    if clock.adjust(offset) {
        tracing::warn!(
            seconds = offset.as_secs(),
            "the clock of this machine differs from that of the database server, whose time this node uses"
        );
    }
    Ok(())
}
