//! Runs the real program as a process, to measure its memory and processor time.

use quarry_world::process_usage;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Time until the service must be ready; it may build the index first.
const START_TIMEOUT: Duration = Duration::from_secs(1_800);

/// A running service.
pub struct Service {
    child: Child,
    pub address: String,
    /// Seconds from its start until it was ready.
    pub ready_seconds: f64,
}

/// Memory of a process in MB, and its processor time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Memory {
    /// Resident memory, mapped files included.
    pub resident: f64,
    /// Anonymous memory, which the kernel cannot drop.
    pub own: f64,
    /// Peak of the resident memory.
    pub peak: f64,
    /// Processor seconds so far. On a machine under other load they say more than elapsed time.
    pub processor: f64,
}

fn quarry(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quarry"));
    for (name, _) in
        std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("QUARRY_"))
    {
        command.env_remove(name);
    }
    command
        .args(arguments)
        .arg("--data")
        .arg(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    command
}

impl Service {
    /// Starts it and waits until it is ready.
    pub fn start(folder: &Path) -> Service {
        let start = Instant::now();
        let mut child = quarry(
            folder,
            &["serve", "--listen", "127.0.0.1:0", "--log", "error"],
        )
        .spawn()
        .expect("the program starts");
        let mut output = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let address = loop {
            let mut line = String::new();
            assert!(
                output.read_line(&mut line).expect("stdout is readable") > 0,
                "the service ended before it listened"
            );
            if let Some(address) = line.trim_end().strip_prefix("listening on http://") {
                break address.to_owned();
            }
        };
        let mut service = Service {
            child,
            address,
            ready_seconds: 0.0,
        };
        while !service.is_ready() {
            assert!(
                start.elapsed() < START_TIMEOUT,
                "the service does not get ready"
            );
            std::thread::sleep(Duration::from_millis(2));
        }
        service.ready_seconds = start.elapsed().as_secs_f64();
        service
    }

    fn is_ready(&self) -> bool {
        let mut stream = TcpStream::connect(&self.address).expect("the service listens");
        stream
            .write_all(b"GET /readyz HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n")
            .expect("the service reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).is_ok() && answer.starts_with("HTTP/1.1 200")
    }

    /// Returns its memory and processor time now.
    pub fn memory(&self) -> Memory {
        usage(self.child.id())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Rebuilds the index with `quarry index rebuild`, also while a service runs on the folder. Returns
/// the seconds from the start of the new generation, and the memory of the process. The integrity
/// check of the database before that is not counted.
pub fn rebuild(folder: &Path) -> (f64, Memory) {
    let before = generations(folder);
    let mut child = quarry(folder, &["index", "rebuild"])
        .spawn()
        .expect("the program starts");
    let mut start = None;
    let mut peak = Memory::default();
    let status = loop {
        if let Some(status) = child.try_wait().expect("the process is ours") {
            break status;
        }
        if start.is_none() && generations(folder) > before {
            start = Some(Instant::now());
        }
        let now = usage(child.id());
        peak = Memory {
            resident: peak.resident.max(now.resident),
            own: peak.own.max(now.own),
            peak: peak.peak.max(now.peak),
            processor: peak.processor.max(now.processor),
        };
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(status.success(), "the rebuild failed: {status}");
    (
        start
            .expect("there is a new generation")
            .elapsed()
            .as_secs_f64(),
        peak,
    )
}

/// Returns the number of the latest generation.
fn generations(folder: &Path) -> Option<u64> {
    let found = std::fs::read_dir(folder.join("index")).ok()?;
    found
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .max()
}

/// Returns memory and processor time; zero if the process has ended, or without `/proc`.
fn usage(process: u32) -> Memory {
    let memory = process_usage::memory(process).unwrap_or_default();
    Memory {
        resident: memory.resident as f64 / 1e6,
        own: memory.anonymous as f64 / 1e6,
        peak: memory.peak as f64 / 1e6,
        processor: process_usage::processor_seconds(process).unwrap_or_default(),
    }
}
