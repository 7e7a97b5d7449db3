//! A reader of the content of an attachment, from any position.

use super::pieces::{self, PIECE_SIZE};
use crate::{Read, Store};
use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::sync::Arc;

/// An open blob. Reading one from the database holds one piece in memory, and between two pieces
/// neither a connection nor a snapshot. If the blob is deleted meanwhile, reading pieces fails,
/// whereas a file can be read to its end.
pub struct Content {
    source: Source,
    length: u64,
}

enum Source {
    File(File),
    Pieces(Pieces),
}

/// A blob in the database.
struct Pieces {
    store: Arc<Store>,
    sha256: String,
    position: u64,
    /// The last piece that was read, with its index.
    current: Option<(u64, Vec<u8>)>,
}

impl Content {
    pub(super) fn from_file(file: File) -> io::Result<Content> {
        let length = file.metadata()?.len();
        Ok(Content {
            source: Source::File(file),
            length,
        })
    }

    pub(super) fn from_pieces(store: &Arc<Store>, sha256: &str, length: u64) -> Content {
        let pieces = Pieces {
            store: Arc::clone(store),
            sha256: sha256.to_owned(),
            position: 0,
            current: None,
        };
        Content {
            source: Source::Pieces(pieces),
            length,
        }
    }

    /// Returns the number of bytes.
    pub fn length(&self) -> u64 {
        self.length
    }
}

impl io::Read for Content {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.source {
            Source::File(file) => file.read(buffer),
            Source::Pieces(pieces) if pieces.position >= self.length => Ok(0),
            Source::Pieces(pieces) => pieces.read(buffer),
        }
    }
}

impl Seek for Content {
    fn seek(&mut self, target: SeekFrom) -> io::Result<u64> {
        let pieces = match &mut self.source {
            Source::File(file) => return file.seek(target),
            Source::Pieces(pieces) => pieces,
        };
        let position = match target {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(offset) => self.length.checked_add_signed(offset),
            SeekFrom::Current(offset) => pieces.position.checked_add_signed(offset),
        };
        pieces.position = position.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(pieces.position)
    }
}

impl Pieces {
    /// Reads at most to the end of the piece at the position.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = PIECE_SIZE as u64;
        let n = self.position / size;
        let piece = match self.current.take() {
            Some((current, piece)) if current == n => piece,
            _ => self
                .store
                .read(|db: &Read<'_>| pieces::load(db, &self.sha256, n))
                .map_err(io::Error::other)?
                .ok_or(io::ErrorKind::UnexpectedEof)?,
        };
        let offset = usize::try_from(self.position % size).unwrap_or(PIECE_SIZE);
        let rest = piece.get(offset..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.position += count as u64;
        self.current = Some((n, piece));
        Ok(count)
    }
}
