//! What processes use, as the kernel reports it in `/proc`.

/// Memory of a process in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProcessMemory {
    /// Resident memory, mapped files included.
    pub resident: usize,
    /// Resident memory without files, which the kernel cannot drop.
    pub anonymous: usize,
    /// Peak of the resident memory.
    pub peak: usize,
}

/// Returns the memory of the process with this id. `None` if it has ended, or without `/proc`.
pub fn memory(process: u32) -> Option<ProcessMemory> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let bytes = |name: &str| {
        let value = status.lines().find_map(|line| line.strip_prefix(name))?;
        let kibibytes: usize = value.trim().strip_suffix(" kB")?.parse().ok()?;
        Some(kibibytes * 1024)
    };
    Some(ProcessMemory {
        resident: bytes("VmRSS:")?,
        anonymous: bytes("RssAnon:")?,
        peak: bytes("VmHWM:")?,
    })
}

/// Makes the peak of the memory start from what the process has now. Without the right to do that,
/// the peak stays that of the whole run.
pub fn reset_peak(process: u32) {
    let _ = std::fs::write(format!("/proc/{process}/clear_refs"), "5");
}

/// Returns the processor time of the process with this id in seconds, with a resolution of a
/// hundredth. `None` if it has ended, or without `/proc`.
pub fn processor_seconds(process: u32) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the process, in brackets, may contain anything.
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let hundredths = |index: usize| fields.get(index)?.parse::<f64>().ok();
    Some((hundredths(11)? + hundredths(12)?) / 100.0)
}
