//! The Unix socket of the service: its file, and connections to it that never wait forever.

use anyhow::{Context, bail};
use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};
use std::fs::{Metadata, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file of a Unix socket, removed on drop if it is still that of this process.
pub struct SocketFile {
    path: PathBuf,
    id: FileId,
}

/// Device, inode and modification time of a file. A file system may use the inode of a deleted file
/// again at once, but not with the same time.
type FileId = (u64, u64, i64, i64);

fn file_id(metadata: &Metadata) -> FileId {
    (
        metadata.dev(),
        metadata.ino(),
        metadata.mtime(),
        metadata.mtime_nsec(),
    )
}

impl SocketFile {
    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        let removed = std::fs::symlink_metadata(&self.path).and_then(|metadata| {
            if file_id(&metadata) == self.id {
                std::fs::remove_file(&self.path)
            } else {
                Err(io::Error::other("it belongs to another process"))
            }
        });
        if let Err(error) = removed {
            tracing::debug!(error = %error, "the socket was not removed");
        }
    }
}

/// Binds a Unix socket with these permissions, and replaces a stale one.
pub fn bind(path: &Path, mode: u32) -> anyhow::Result<(UnixListener, SocketFile)> {
    remove_stale(path)?;
    let name = path.display();
    // Until its mode is set, only the owner can connect because of the umask of the process.
    let listener =
        UnixListener::bind(path).with_context(|| format!("cannot listen on the socket {name}"))?;
    let metadata = std::fs::symlink_metadata(path)
        .with_context(|| format!("cannot find the new socket {name}"))?;
    let file = SocketFile {
        path: path.to_owned(),
        id: file_id(&metadata),
    };
    std::fs::set_permissions(path, Permissions::from_mode(mode))
        .with_context(|| format!("cannot set the permissions of the socket {name}"))?;
    listener.set_nonblocking(true)?;
    Ok((listener, file))
}

/// Removes a socket on which no process listens. Fails for anything else at this path.
fn remove_stale(path: &Path) -> anyhow::Result<()> {
    let name = path.display();
    let metadata = match std::fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        found => found.with_context(|| format!("cannot listen on the socket {name}"))?,
    };
    if !metadata.file_type().is_socket() {
        bail!("cannot listen on the socket {name}: there is something else at this path");
    }
    match connect(path, None) {
        Err(error) if error.kind() == ErrorKind::ConnectionRefused => {}
        // A process that accepts no connection at the moment, with a full queue of them.
        Err(error) if error.kind() == ErrorKind::WouldBlock => {
            bail!("cannot listen on the socket {name}: another process does")
        }
        Ok(_) => bail!("cannot listen on the socket {name}: another process does"),
        Err(error) => {
            return Err(error).with_context(|| format!("cannot find out whether {name} is in use"));
        }
    }
    std::fs::remove_file(path).with_context(|| format!("cannot remove the old socket {name}"))
}

/// Connects to a Unix socket. If its queue of connections is full, this waits for `timeout`, or not at
/// all, and fails with `WouldBlock`. The stream of a connection without timeout does not block.
pub fn connect(path: &Path, timeout: Option<Duration>) -> io::Result<UnixStream> {
    let address = SocketAddrUnix::new(path)?;
    let flags = match timeout {
        Some(_) => SocketFlags::CLOEXEC,
        None => SocketFlags::CLOEXEC | SocketFlags::NONBLOCK,
    };
    let socket = rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
    if timeout.is_some() {
        set_socket_timeout(&socket, Timeout::Send, timeout)?;
    }
    rustix::net::connect(&socket, &address)?;
    Ok(UnixStream::from(socket))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a listener that accepts nothing, with a full queue of connections.
    fn bind_with_full_queue(path: &Path) -> (UnixListener, Vec<UnixStream>) {
        let listener = UnixListener::bind(path).unwrap();
        rustix::net::listen(&listener, 0).unwrap();
        let mut waiting = Vec::new();
        loop {
            match connect(path, None) {
                Ok(stream) => waiting.push(stream),
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::WouldBlock, "{error}");
                    return (listener, waiting);
                }
            }
        }
    }

    #[test]
    fn socket_with_a_full_queue_is_in_use() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("q.sock");
        let (listener, waiting) = bind_with_full_queue(&path);
        let error = bind(&path, 0o600).map(drop).unwrap_err().to_string();
        assert!(error.ends_with("another process does"), "{error}");
        assert!(path.exists());
        drop((listener, waiting));
        bind(&path, 0o600).unwrap();
    }

    #[test]
    fn connection_to_a_full_queue_times_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("q.sock");
        let _full = bind_with_full_queue(&path);
        let error = connect(&path, Some(Duration::from_millis(20))).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::WouldBlock, "{error}");
    }

    #[test]
    fn socket_file_of_another_process_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("q.sock");
        let (listener, old) = bind(&path, 0o600).unwrap();
        drop(listener);
        let (_listener, new) = bind(&path, 0o600).unwrap();
        drop(old);
        assert!(connect(&path, None).is_ok(), "the new socket is in place");
        drop(new);
        assert!(!path.exists());
    }
}
