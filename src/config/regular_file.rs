//! Small files that the configuration names, such as secrets and certificates.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Reads a file of at most `max_size` bytes. Fails for anything but a regular file: a named pipe would
/// wait for a writer, and a device may have no end.
pub fn read(path: &Path, max_size: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    read_all(file, max_size)
}

/// Reads an open file, which may be a pipe, of at most `max_size` bytes.
pub fn read_all(file: File, max_size: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(max_size + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_size {
        let message = format!("it is larger than {} KiB", max_size / 1024);
        return Err(io::Error::other(message));
    }
    Ok(bytes)
}

/// Opens a file without waiting for the other end of a pipe.
#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(File::from(rustix::fs::open(path, flags, Mode::empty())?))
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{CWD, FileType, Mode};

    #[test]
    fn only_regular_files_of_bounded_size_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, vec![b'x'; 2048]).unwrap();
        assert_eq!(read(&path, 2048).unwrap().len(), 2048);
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert_eq!(read(&link, 2048).unwrap().len(), 2048);
        let problem = |path: &Path| read(path, 1024).unwrap_err().to_string();
        assert_eq!(problem(&path), "it is larger than 1 KiB");
        // No process writes to it.
        let pipe = folder.path().join("pipe");
        rustix::fs::mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        for irregular in [&pipe, folder.path(), Path::new("/dev/zero")] {
            assert_eq!(problem(irregular), "it is not a regular file");
        }
        assert!(problem(&folder.path().join("none")).starts_with("No such file"));
    }
}
