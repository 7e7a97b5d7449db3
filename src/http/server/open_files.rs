//! The system's limit of open files.

use std::io;

/// Raises the limit of this process as far as it is allowed to, and returns it in files.
pub fn raise_limit() -> io::Result<usize> {
    #[cfg(unix)]
    return Ok(unix::raise_limit());
    #[cfg(not(unix))]
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(unix)]
mod unix {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    /// Raises the limit as far as it can be, and returns it.
    pub fn raise_limit() -> usize {
        let limit = getrlimit(Resource::Nofile);
        // Where the system has a lower limit for everybody, as macOS does, the current one stays.
        let is_raised = setrlimit(
            Resource::Nofile,
            Rlimit {
                current: limit.maximum,
                maximum: limit.maximum,
            },
        )
        .is_ok();
        let files = if is_raised {
            limit.maximum
        } else {
            limit.current
        };
        files
            .and_then(|files| usize::try_from(files).ok())
            .unwrap_or(usize::MAX)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn limit_is_raised_to_the_maximum() {
            let before = getrlimit(Resource::Nofile);
            let lower = Rlimit {
                current: before.maximum.map(|maximum| maximum - 1),
                maximum: before.maximum,
            };
            setrlimit(Resource::Nofile, lower).unwrap();
            let files = raise_limit();
            assert_eq!(getrlimit(Resource::Nofile).current, before.maximum);
            assert_eq!(
                u64::try_from(files).unwrap(),
                before.maximum.unwrap_or(u64::MAX)
            );
        }
    }
}
