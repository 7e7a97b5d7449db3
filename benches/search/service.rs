//! The real program as a process of its own, so that its memory and its time are its own.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long the program may take until it answers: it may make an index first.
const PATIENCE: Duration = Duration::from_secs(1_800);

/// A running service.
pub struct Service {
    child: Child,
    pub address: String,
}

/// Memory of a process in MB, and its processor time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Memory {
    /// What is in memory now, with the parts of files that are mapped.
    pub resident: f64,
    /// The same without files: what cannot be dropped.
    pub own: f64,
    /// The most that ever was in memory.
    pub peak: f64,
    /// Seconds on all processors together so far. On a machine that does other things too they say more than the time that passed.
    pub processor: f64,
}

fn quarry(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quarry"));
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("QUARRY_")) {
        command.env_remove(name);
    }
    command.args(arguments).arg("--data").arg(folder).stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

impl Service {
    /// Starts it, and returns when it is ready.
    pub fn start(folder: &Path) -> Service {
        let mut child = quarry(folder, &["serve", "--listen", "127.0.0.1:0", "--log", "error"]).spawn().expect("the program starts");
        let mut output = BufReader::new(child.stdout.take().expect("it has an output"));
        let address = loop {
            let mut line = String::new();
            assert!(output.read_line(&mut line).expect("it speaks") > 0, "the service ended before it listened");
            if let Some(address) = line.trim_end().strip_prefix("listening on http://") {
                break address.to_owned();
            }
        };
        let service = Service { child, address };
        let begun = Instant::now();
        while !service.is_ready() {
            assert!(begun.elapsed() < PATIENCE, "the service does not get ready");
            std::thread::sleep(Duration::from_millis(20));
        }
        service
    }

    fn is_ready(&self) -> bool {
        let mut stream = TcpStream::connect(&self.address).expect("the service listens");
        stream.write_all(b"GET /readyz HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n").expect("the service reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).is_ok() && answer.starts_with("HTTP/1.1 200")
    }

    /// What it takes now.
    pub fn memory(&self) -> Memory {
        memory(self.child.id())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Makes the index anew, as a process of its own beside whatever serves the folder: seconds from when it begins with a new generation,
/// and its memory. Before that a process that is alone with the folder looks the whole database through, as at every start.
pub fn rebuild(folder: &Path) -> (f64, Memory) {
    let before = generations(folder);
    let mut child = quarry(folder, &["index", "rebuild"]).spawn().expect("the program starts");
    let (mut begun, mut most) = (None, Memory::default());
    let status = loop {
        if let Some(status) = child.try_wait().expect("the process is ours") {
            break status;
        }
        if begun.is_none() && generations(folder) > before {
            begun = Some(Instant::now());
        }
        let now = memory(child.id());
        most = Memory {
            resident: most.resident.max(now.resident),
            own: most.own.max(now.own),
            peak: most.peak.max(now.peak),
            processor: most.processor.max(now.processor),
        };
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(status.success(), "the index was not made: {status}");
    (begun.expect("there is a new generation").elapsed().as_secs_f64(), most)
}

/// The number of the latest generation.
fn generations(folder: &Path) -> Option<u64> {
    let found = std::fs::read_dir(folder.join("index")).ok()?;
    found.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).max()
}

/// Zero where the system does not tell.
fn memory(process: u32) -> Memory {
    let told = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let of = |name: &str| {
        let line = told.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok()).map_or(0.0, |kib| kib * 1024.0 / 1e6)
    };
    // Behind the name in brackets; in hundredths of a second, as Linux tells them to everybody.
    let spent = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let spent = spent.rsplit(')').next().unwrap_or_default().split_whitespace();
    let processor = spent.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0;
    Memory { resident: of("VmRSS:"), own: of("RssAnon:"), peak: of("VmHWM:"), processor }
}
