//! Bodies that are files: they are written to disk as they arrive, whatever their size.

use super::body::BodyReader;
use crate::error::Error;
use crate::server::blocking::run_blocking;
use quarry_app::App;
use quarry_store::files::blobs::BlobWriter;

/// Number of bytes that are buffered before they are written.
const WRITE_BUFFER: usize = 256 * 1024;

/// Maximum size of an upload.
pub struct UploadLimit {
    /// Maximum number of bytes.
    pub max_bytes: u64,
    /// The error for a larger body.
    pub error: Error,
}

/// Writes the body to disk as it arrives. Nothing of it stays when it breaks off, is too large, or
/// the disk is full.
pub async fn store_body(
    app: &App,
    mut body: BodyReader,
    limit: UploadLimit,
) -> Result<BlobWriter, Error> {
    let mut writer = match run_blocking(|| Ok(BlobWriter::create(&app.store)?)) {
        Ok(writer) => writer,
        Err(error) => {
            body.drain().await;
            return Err(error);
        }
    };
    let mut buffer = Vec::new();
    while let Some(data) = body.next().await? {
        buffer.extend_from_slice(&data);
        if writer.size() + buffer.len() as u64 > limit.max_bytes {
            drop(writer);
            body.drain().await;
            return Err(limit.error);
        }
        if buffer.len() >= WRITE_BUFFER {
            if let Err(error) = run_blocking(|| Ok(writer.write(&buffer)?)) {
                drop(writer);
                body.drain().await;
                return Err(error);
            }
            buffer.clear();
        }
    }
    run_blocking(|| Ok(writer.write(&buffer)?))?;
    Ok(writer)
}
