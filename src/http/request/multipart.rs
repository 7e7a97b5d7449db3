//! Forms with files (`multipart/form-data`): fields are collected in memory, files are written to
//! disk as they arrive.
//!
//! Files count only after a field with a valid token, so that nothing is stored for a form of
//! another site. Invariant: of a file, at most a buffer is in memory, however large it is.

use super::body::{BodyReader, MEMORY_PER_BODY_BYTE};
use super::chunks::{BodyError, Chunks};
use super::form_encoding::push_field;
use crate::error::Error;
use crate::server::blocking::run_blocking;
use crate::server::limits::memory::Charge;
use axum::body::Bytes;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};
use multer::{Field, Multipart};
use quarry_actions::accounts::pictures::{self, Picture, PictureError};
use quarry_actions::content::attachments::MAX_UPLOADS;
use quarry_app::App;
use quarry_domain::validation::ValidationError;
use quarry_store::files::blobs::{BlobWriter, StagedBlob};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of bytes of a file that are buffered before they are written.
const WRITE_BUFFER: usize = 256 * 1024;
/// Maximum number of bytes of files that are read and discarded, so that the browser receives the
/// form again.
const MAX_DISCARDED: u64 = 256 * 1024 * 1024;
/// Bytes of fields up to this number do not count against the memory for bodies.
const UNCHARGED_BYTES: usize = 64 * 1024;
/// The field with the token.
const TOKEN: &str = "authenticity_token";
/// The field that is added with the number of files that were not stored because nobody is logged
/// in.
pub const DROPPED_FILES: &str = "dropped_files";

/// A file that was sent with a form.
pub struct FormFile {
    /// The name that the browser stated.
    pub filename: String,
    /// The media type that the browser stated.
    pub content_type: Option<String>,
    pub content: StagedBlob,
}

/// The files of a form.
#[derive(Default)]
pub struct FormFiles {
    /// Files that were stored.
    pub stored: Vec<FormFile>,
    /// Why others were not, one message each.
    pub errors: Vec<String>,
    /// The picture that was made of the file, for routes with a picture.
    pub picture: Option<Result<Picture, PictureError>>,
}

impl FormFiles {
    /// Returns the picture that was made of the file.
    ///
    /// # Errors
    /// `Invalid` for a form without a file, and for a file of which no picture can be made.
    pub fn into_picture(self) -> Result<Picture, Error> {
        let (label, message) = match (self.picture, self.errors.into_iter().next()) {
            (Some(Ok(picture)), _) => return Ok(picture),
            (Some(Err(error)), _) => ("Picture", error.to_string()),
            (None, Some(message)) => ("", message),
            (None, None) => ("", "Choose a file first".to_owned()),
        };
        let error = ValidationError::new(pictures::ATTRIBUTE, label, &message);
        Err(Error::Invalid(error.into()))
    }
}

/// What limits a form.
pub struct FormLimits<'l> {
    /// Maximum number of bytes of the fields.
    pub max_fields: usize,
    /// Maximum sizes of files, or the message why none can be stored; `None` when nobody is logged
    /// in.
    pub files: Option<Result<FileLimits, String>>,
    /// Whether files may be stored before a field with a valid token was read.
    pub needs_token: bool,
    /// Whether this is a valid token.
    pub accepts_token: &'l (dyn Fn(&str) -> bool + Sync),
    /// Whether files are read as fields. The field after the content of a file `x` is `x.name`, with
    /// the name of the file.
    pub has_files_as_fields: bool,
}

/// Maximum sizes of the files of a form in bytes.
#[derive(Clone, Copy)]
pub struct FileLimits {
    /// Of one file.
    pub max_bytes: u64,
    /// Of all files.
    pub remaining: u64,
}

/// Returns the boundary of a form with files; `None` for other bodies.
pub fn boundary(headers: &HeaderMap) -> Option<String> {
    let content_type = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    multer::parse_boundary(content_type).ok()
}

/// Like [`boundary`], and `None` for methods without a body, whatever the header says.
pub fn boundary_of(request: &Parts) -> Option<String> {
    let has_body = !request.method.is_safe() && request.method != Method::DELETE;
    boundary(&request.headers).filter(|_| has_body)
}

/// Reads a form. Returns its fields as `application/x-www-form-urlencoded`, and its files.
pub async fn read(
    app: &App,
    body: BodyReader,
    boundary: String,
    limits: FormLimits<'_>,
    charge: &mut Charge,
) -> Result<(Vec<u8>, FormFiles), Error> {
    let unread = Arc::new(AtomicU64::new(0));
    let mut parts = Multipart::new(Chunks::new(body, Arc::clone(&unread)), boundary);
    let mut form = FormReader {
        app,
        limits,
        fields: Vec::new(),
        files: FormFiles::default(),
        charged: UNCHARGED_BYTES,
        dropped: 0,
        discarded: 0,
    };
    loop {
        let part = parts.next_field().await.map_err(read_error)?;
        unread.store(0, Ordering::Relaxed);
        let Some(part) = part else { break };
        match part.file_name().map(str::to_owned) {
            None => form.read_field(part, &unread, charge).await?,
            // An input without a chosen file.
            Some(name) if name.is_empty() => form.discard(part, &unread).await?,
            Some(file) if form.limits.has_files_as_fields => {
                let name = format!("{}.name", part.name().unwrap_or_default());
                form.read_field(part, &unread, charge).await?;
                push_field(&mut form.fields, name.as_bytes(), file.as_bytes());
            }
            Some(name) => form.read_file(part, &name, &unread).await?,
        }
    }
    if form.dropped > 0 {
        push_field(
            &mut form.fields,
            DROPPED_FILES.as_bytes(),
            form.dropped.to_string().as_bytes(),
        );
    }
    Ok((form.fields, form.files))
}

struct FormReader<'r> {
    app: &'r App,
    limits: FormLimits<'r>,
    fields: Vec<u8>,
    files: FormFiles,
    charged: usize,
    /// Number of files that were not stored because nobody is logged in.
    dropped: usize,
    discarded: u64,
}

impl FormReader<'_> {
    async fn read_field(
        &mut self,
        mut part: Field<'_>,
        unread: &AtomicU64,
        charge: &mut Charge,
    ) -> Result<(), Error> {
        let name = part.name().unwrap_or_default().to_owned();
        let mut value = Vec::new();
        while let Some(chunk) = next_chunk(&mut part, unread).await? {
            value.extend_from_slice(&chunk);
            let length = self.fields.len() + name.len() + value.len();
            if length > self.limits.max_fields {
                return Err(Error::BodyTooLarge(self.limits.max_fields));
            }
            if length > self.charged {
                charge
                    .reserve(UNCHARGED_BYTES * MEMORY_PER_BODY_BYTE)
                    .await?;
                self.charged += UNCHARGED_BYTES;
            }
        }
        if name == TOKEN
            && std::str::from_utf8(&value).is_ok_and(|token| (self.limits.accepts_token)(token))
        {
            self.limits.needs_token = false;
        }
        push_field(&mut self.fields, name.as_bytes(), &value);
        Ok(())
    }

    async fn read_file(
        &mut self,
        part: Field<'_>,
        name: &str,
        unread: &AtomicU64,
    ) -> Result<(), Error> {
        let limits = match &self.limits.files {
            Some(Ok(limits)) if !self.limits.needs_token => *limits,
            Some(Err(message)) if !self.limits.needs_token => {
                if self.files.errors.len() < MAX_UPLOADS {
                    self.files.errors.push(format!("{name}: {message}"));
                }
                return self.discard(part, unread).await;
            }
            _ => {
                self.dropped += 1;
                return self.discard(part, unread).await;
            }
        };
        if self.files.stored.len() + self.files.errors.len() >= MAX_UPLOADS {
            if self.files.errors.len() < MAX_UPLOADS {
                self.files.errors.push(format!(
                    "{name} is one file too many (maximum is {MAX_UPLOADS} in one form)"
                ));
            }
            return self.discard(part, unread).await;
        }
        match self
            .store(part, limits.max_bytes.min(limits.remaining), unread, name)
            .await?
        {
            Some(file) => {
                let remaining = limits.remaining.saturating_sub(file.content.size());
                self.limits.files = Some(Ok(FileLimits {
                    remaining,
                    ..limits
                }));
                self.files.stored.push(file);
            }
            None if limits.remaining < limits.max_bytes => {
                let max = limits.remaining;
                self.files.errors.push(format!(
                    "{name} is too large: your uploads that are not attached yet leave {max} bytes"
                ));
            }
            None => self.files.errors.push(format!(
                "{name} is too large (maximum is {})",
                in_kib(limits.max_bytes)
            )),
        }
        Ok(())
    }

    /// Writes a file to disk; `None` when it is too large.
    async fn store(
        &mut self,
        mut part: Field<'_>,
        max: u64,
        unread: &AtomicU64,
        name: &str,
    ) -> Result<Option<FormFile>, Error> {
        let content_type = part.content_type().map(ToString::to_string);
        let mut writer = run_blocking(|| Ok(BlobWriter::create(&self.app.store)?))?;
        let mut buffer = Vec::new();
        while let Some(chunk) = next_chunk(&mut part, unread).await? {
            buffer.extend_from_slice(&chunk);
            if writer.size() + buffer.len() as u64 > max {
                drop(writer);
                self.discard(part, unread).await?;
                return Ok(None);
            }
            if buffer.len() >= WRITE_BUFFER {
                if let Err(error) = run_blocking(|| Ok(writer.write(&buffer)?)) {
                    drop(writer);
                    // The browser sends the rest before it reads the response.
                    self.discard(part, unread).await?;
                    return Err(error);
                }
                buffer.clear();
            }
        }
        let content = run_blocking(|| {
            writer.write(&buffer)?;
            Ok(writer.finish()?)
        })?;
        Ok(Some(FormFile {
            filename: name.to_owned(),
            content_type,
            content,
        }))
    }

    async fn discard(&mut self, mut part: Field<'_>, unread: &AtomicU64) -> Result<(), Error> {
        while let Some(chunk) = next_chunk(&mut part, unread).await? {
            self.discarded += chunk.len() as u64;
            if self.discarded > MAX_DISCARDED {
                return Err(Error::BodyTooLarge(
                    usize::try_from(MAX_DISCARDED).unwrap_or(usize::MAX),
                ));
            }
        }
        Ok(())
    }
}

async fn next_chunk(part: &mut Field<'_>, unread: &AtomicU64) -> Result<Option<Bytes>, Error> {
    let chunk = part.chunk().await.map_err(read_error)?;
    unread.store(0, Ordering::Relaxed);
    Ok(chunk)
}

fn in_kib(bytes: u64) -> String {
    format!("{} KiB", bytes / 1024)
}

fn read_error(error: multer::Error) -> Error {
    if let multer::Error::StreamReadFailed(cause) = error
        && let Ok(error) = cause.downcast::<BodyError>()
    {
        return error.0;
    }
    Error::BadRequest("The form is malformed or incomplete".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boundary_is_a_parameter_of_the_content_type() {
        let mut headers = HeaderMap::new();
        headers.insert(
            header::CONTENT_TYPE,
            "multipart/form-data; boundary=\"a b\"".parse().unwrap(),
        );
        assert_eq!(boundary(&headers).as_deref(), Some("a b"));
        headers.insert(header::CONTENT_TYPE, "application/json".parse().unwrap());
        assert_eq!(boundary(&headers), None);
    }
}
