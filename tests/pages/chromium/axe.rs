//! axe-core, which finds barriers in pages. npm fetches it once, below the target directory; it is
//! not part of this repository because its license is the MPL.

use super::driver::Chromium;
use serde_json::json;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::{LazyLock, Mutex, PoisonError};

/// The fetched version; fixed, so that a new release cannot break the tests.
const PACKAGE: &str = "axe-core@4.11.0";

static SOURCE: LazyLock<Result<String, String>> = LazyLock::new(fetch);

/// Returns the source of axe; `None` with a message where it cannot be had.
pub fn source() -> Option<&'static str> {
    match &*SOURCE {
        Ok(source) => Some(source),
        Err(reason) => {
            println!("NOT TESTED with axe: {reason}");
            None
        }
    }
}

fn fetch() -> Result<String, String> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(PACKAGE);
    let file = folder.join("package/axe.min.js");
    if !file.exists() {
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let pack = Command::new("npm")
            .args([
                "pack",
                PACKAGE,
                "--silent",
                "--fetch-retries=1",
                "--pack-destination",
            ])
            .arg(&folder)
            .output();
        let name =
            succeeded(pack).map_err(|problem| format!("npm cannot fetch {PACKAGE}: {problem}"))?;
        let archive = folder.join(name.trim());
        // Unpacked beside, so that an interrupted run leaves no half of it.
        let unpacked = tempfile::tempdir_in(&folder).map_err(|error| error.to_string())?;
        let tar = Command::new("tar")
            .arg("-xzf")
            .arg(&archive)
            .arg("-C")
            .arg(unpacked.path())
            .stdin(Stdio::null())
            .output();
        succeeded(tar)?;
        std::fs::rename(unpacked.path().join("package"), folder.join("package"))
            .map_err(|error| error.to_string())?;
    }
    std::fs::read_to_string(file).map_err(|error| error.to_string())
}

/// Returns the output of a command, or its last line of errors if it failed.
fn succeeded(output: std::io::Result<Output>) -> Result<String, String> {
    let Output {
        status,
        stdout,
        stderr,
    } = output.map_err(|problem| problem.to_string())?;
    let problem = String::from_utf8_lossy(&stderr)
        .trim()
        .lines()
        .last()
        .unwrap_or("it failed")
        .to_owned();
    if status.success() {
        Ok(String::from_utf8_lossy(&stdout).into_owned())
    } else {
        Err(problem)
    }
}

/// Rules whose result depends on colours alone: of a page in another theme, only these are checked
/// again.
const COLOUR_RULES: [&str; 2] = ["color-contrast", "link-in-text-block"];

/// Returns the violations in the page, as `impact rule: element`. Every impact counts. With
/// `only_colours`, only rules about them run.
pub fn violations(chromium: &Chromium, source: &str, only_colours: bool) -> Vec<String> {
    if chromium.script("return typeof axe") != "object" {
        chromium.script(source);
    }
    let options = match only_colours {
        true => json!({ "runOnly": COLOUR_RULES, "resultTypes": ["violations"] }),
        // WCAG 2.2 is off by default.
        false => {
            json!({ "rules": { "target-size": { "enabled": true } }, "resultTypes": ["violations"] })
        }
    };
    let script = "const [options, done] = arguments;
        axe.run(document, options).then(result => done(result.violations.map(found =>
            `${found.impact} ${found.id}: ${found.nodes.slice(0, 3).map(node => node.html.slice(0, 200)).join(' | ')}`)),
            error => done(['critical axe failed: ' + error]));";
    let found = chromium.script_with_callback(script, vec![options]);
    found
        .as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap_or_default().to_owned())
        .collect()
}
