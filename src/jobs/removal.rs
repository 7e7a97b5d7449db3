//! What was left of projects whose removal a crash or a stop has interrupted.

use crate::actions::projects::{Unfinished, finish_removing};
use crate::app::App;
use crate::store::StoreError;
use crate::store::projects::removal;
use std::sync::mpsc::{Receiver, TryRecvError};

/// Removes it, and ends when nothing is left or nobody is at the other end of `end` any more.
pub fn finish(app: &App, end: &Receiver<()>) {
    let stop = || end.try_recv() == Err(TryRecvError::Disconnected);
    let outcome = app.store.read(removal::hidden).and_then(|hidden: Vec<_>| match hidden.is_empty() {
        true => Ok::<(), StoreError>(()),
        false => finish_removing(&app.store, Unfinished { hidden, ..Unfinished::default() }, stop),
    });
    if let Err(error) = outcome {
        tracing::error!(error = %error, "the rest of a removed project could not be removed; it is tried again after the next start");
    }
}
