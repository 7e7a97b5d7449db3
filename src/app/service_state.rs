//! The state of the running process, for administrators.

use super::App;
use jiff::SignedDuration;
use quarry_store::disk;

/// The state of the running process. Sizes are in bytes.
#[derive(Clone, Copy, Debug)]
pub struct ServiceState {
    /// Time since the start.
    pub uptime: SignedDuration,
    /// Resident memory, and the anonymous part of it, without mapped files; `None` where that is
    /// unknown.
    pub memory: Option<(u64, u64)>,
    /// Size of the database, with the log of SQLite; 0 where that is unknown.
    pub database: u64,
    /// Size of the index that is searched, not of one that is being built.
    pub index: u64,
    /// Free space in the data folder; `None` where that is unknown.
    pub free_space: Option<u64>,
}

impl App {
    /// Measures the state of the process.
    pub fn service_state(&self) -> ServiceState {
        ServiceState {
            uptime: self.clock.now().duration_since(self.started_on),
            memory: memory(),
            database: self.store.size().unwrap_or(0),
            index: self
                .search
                .directory()
                .and_then(|folder| disk::folder_size(&folder).ok())
                .unwrap_or(0),
            free_space: disk::free_space(self.store.folder()),
        }
    }
}

/// Returns resident and anonymous memory, as Linux reports them.
fn memory() -> Option<(u64, u64)> {
    parse_memory(&std::fs::read_to_string("/proc/self/status").ok()?)
}

fn parse_memory(status: &str) -> Option<(u64, u64)> {
    let resident = parse_bytes(status, "VmRSS:")?;
    Some((resident, parse_bytes(status, "RssAnon:")?))
}

/// Returns the value of a field, which is in kB, in bytes.
fn parse_bytes(status: &str, field: &str) -> Option<u64> {
    let value = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kilobytes = value.trim().strip_suffix("kB")?.trim();
    kilobytes
        .parse::<u64>()
        .ok()
        .map(|kilobytes| kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::parse_memory;

    #[test]
    fn memory_is_parsed_from_the_status_of_the_process() {
        let status = "Name:\tquarry\nVmRSS:\t  120 kB\nRssAnon:\t   75 kB\n";
        assert_eq!(parse_memory(status), Some((120 * 1024, 75 * 1024)));
        assert_eq!(parse_memory("Name:\tquarry\n"), None);
    }
}
