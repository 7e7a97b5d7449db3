//! Makes a picture of a user of the file of a form, in the slot for scaling images.
//!
//! Invariant: no permit to write is held while an image is scaled or waits for that.

use crate::error::Error;
use crate::request::multipart::FormFiles;
use crate::server::blocking::run_blocking;
use crate::server::limits::client_id::ClientId;
use crate::server::state::HttpState;
use quarry_actions::accounts::pictures::Picture;
use std::io::BufReader;

/// Replaces the files of the form by a picture of the first one.
pub(super) async fn scale(
    state: &HttpState,
    client: ClientId,
    files: &mut FormFiles,
) -> Result<(), Error> {
    let stored = std::mem::take(&mut files.stored);
    if let Some(file) = stored.first() {
        let _slot = state.scaling.acquire(client).await?;
        let picture = run_blocking(|| Ok(Picture::new(BufReader::new(file.content.open()?))))?;
        files.picture = Some(picture);
    }
    Ok(())
}
