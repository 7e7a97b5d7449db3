//! Chromium, controlled by chromedriver over WebDriver.
//!
//! The client is fantoccini: it speaks plain WebDriver over the hyper that the service uses anyway,
//! while thirtyfour brings reqwest, TLS and a manager that downloads drivers. Commands of Chromium
//! alone go through [`Command`].

use axum::http::Method;
use fantoccini::error::CmdError;
use fantoccini::wd::{Capabilities, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use quarry_world::RUNTIME;
use quarry_world::environment::not_installed;
use quarry_world::ports::free_port;
use quarry_world::wait::{TIMEOUT, until};
use serde_json::{Value, json};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

/// The hook in every page: violations of the content security policy, and hostile texts that came
/// to life. `alert` is what demonstrations of such attacks call.
const HOOK: &str = "window.violations = [];
    document.addEventListener('securitypolicyviolation', event => violations.push(event.violatedDirective + ' ' + event.blockedURI));
    window.alert = window.confirm = window.prompt = () => { window.pwned = 'alert'; };";

/// A browser with one window, closed on drop.
pub struct Chromium {
    client: Client,
    /// The address of the service, without a slash at its end.
    base: String,
    driver: Child,
    _profile: tempfile::TempDir,
}

/// Starts a browser for a service at this address; `None` with a message where Chromium or
/// chromedriver is not installed.
pub fn start(address: &str) -> Option<Chromium> {
    let Some(browser) = program("chromium") else {
        not_installed("Chromium", "chromium");
        return None;
    };
    let Some(driver) = program("chromedriver") else {
        not_installed("chromedriver", "chromium-driver");
        return None;
    };
    let profile = tempfile::tempdir().unwrap();
    let port = free_port();
    let mut command = std::process::Command::new(driver);
    command
        .arg(format!("--port={port}"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // The service is local; proxies of the environment do not apply.
    command
        .env("NO_PROXY", "127.0.0.1")
        .env("no_proxy", "127.0.0.1")
        .env("HOME", profile.path());
    let driver = command.spawn().unwrap();
    until(TIMEOUT, "chromedriver listens", || {
        TcpStream::connect(("127.0.0.1", port)).is_ok()
    });
    let capabilities = capabilities(&browser, profile.path());
    let client = RUNTIME.block_on(async {
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder
            .capabilities(capabilities)
            .connect(&format!("http://127.0.0.1:{port}"))
            .await
            .unwrap()
    });
    let chromium = Chromium {
        client,
        base: format!("http://{address}"),
        driver,
        _profile: profile,
    };
    chromium.devtools(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({ "source": HOOK }),
    );
    chromium.resize(1280);
    Some(chromium)
}

fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|path| path.exists())
}

fn capabilities(browser: &Path, profile: &Path) -> Capabilities {
    let profile = format!("--user-data-dir={}", profile.join("profile").display());
    let arguments = [
        "--headless",
        // Root has no sandbox.
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--disable-extensions",
        "--no-first-run",
        "--no-proxy-server",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-default-apps",
        "--disable-sync",
        "--lang=en",
        profile.as_str(),
    ];
    let capabilities = json!({
        // As long as a test waits for anything else: axe needs a while for large pages.
        "timeouts": { "script": TIMEOUT.as_millis() },
        "goog:chromeOptions": { "binary": browser, "args": arguments },
        "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
    });
    serde_json::from_value(capabilities).unwrap()
}

/// A command that only chromedriver has.
#[derive(Debug)]
struct Command {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for Command {
    fn endpoint(
        &self,
        base: &url::Url,
        session: Option<&str>,
    ) -> Result<url::Url, url::ParseError> {
        base.join(&format!(
            "session/{}/{}",
            session.unwrap_or_default(),
            self.path
        ))
    }

    fn method_and_body(&self, _: &url::Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.body.to_string()))
    }
}

impl Chromium {
    fn run<T>(&self, work: impl Future<Output = Result<T, CmdError>>) -> T {
        self.try_to(work).unwrap()
    }

    fn try_to<T>(
        &self,
        work: impl Future<Output = Result<T, CmdError>>,
    ) -> Result<T, Box<CmdError>> {
        RUNTIME
            .block_on(async { tokio::time::timeout(TIMEOUT, work).await })
            .expect("the browser answers in time")
            .map_err(Box::new)
    }

    /// Sends a command of the DevTools protocol.
    pub fn devtools(&self, command: &str, parameters: Value) -> Value {
        let body = json!({ "cmd": command, "params": parameters });
        self.run(self.client.issue_cmd(Command {
            path: "goog/cdp/execute",
            body,
        }))
    }

    /// Returns the new entries of a log.
    fn log(&self, name: &str) -> Vec<Value> {
        let entries = self.run(self.client.issue_cmd(Command {
            path: "se/log",
            body: json!({ "type": name }),
        }));
        entries.as_array().cloned().unwrap_or_default()
    }

    /// Opens a page of the service and waits until it is loaded.
    pub fn open(&self, path: &str) {
        self.run(self.client.goto(&format!("{}{path}", self.base)));
    }

    /// Goes back in the history.
    pub fn back(&self) {
        self.run(self.client.back());
    }

    /// Returns path and query of the page.
    pub fn path(&self) -> String {
        let url = self.run(self.client.current_url());
        url[url::Position::BeforePath..url::Position::AfterQuery].to_owned()
    }

    /// Runs a script, which returns a value, in the page. The content security policy does not
    /// apply to it.
    pub fn script(&self, script: &str) -> Value {
        self.run(self.client.execute(script, Vec::new()))
    }

    /// Runs a script that calls its last argument with the result.
    pub fn script_with_callback(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.run(self.client.execute_async(script, arguments))
    }

    /// Types into the element.
    pub fn type_into(&self, selector: &str, text: &str) {
        self.run(async {
            self.client
                .wait()
                .for_element(Locator::Css(selector))
                .await?
                .send_keys(text)
                .await
        });
    }

    /// Types into whatever has the focus.
    pub fn type_keys(&self, text: &str) {
        self.run(async { self.client.active_element().await?.send_keys(text).await });
    }

    /// Enters a text at once into whatever has the focus, so that scripts do not see half of it.
    pub fn insert(&self, text: &str) {
        self.devtools("Input.insertText", json!({ "text": text }));
    }

    /// Enters a text at once into the element.
    pub fn insert_into(&self, selector: &str, text: &str) {
        self.wait_until(
            "the field has the focus",
            &format!(
                "(document.querySelector({0}).focus(), document.activeElement === document.querySelector({0}))",
                json!(selector)
            ),
        );
        self.insert(text);
    }

    /// Clicks the element.
    pub fn click(&self, selector: &str) {
        self.run(async {
            self.client
                .wait()
                .for_element(Locator::Css(selector))
                .await?
                .click()
                .await
        });
    }

    /// Returns the visible text of the first such element.
    pub fn text(&self, selector: &str) -> String {
        self.run(async {
            self.client
                .wait()
                .for_element(Locator::Css(selector))
                .await?
                .text()
                .await
        })
    }

    /// Waits until a script returns true. It may fail until then: on the page before, or while the
    /// next one is loaded.
    #[track_caller]
    pub fn wait_until(&self, what: &str, script: &str) {
        let script = format!("return !!({script})");
        until(TIMEOUT, what, || {
            let outcome = self.try_to(self.client.execute(&script, Vec::new()));
            outcome.is_ok_and(|value| value == true)
        });
    }

    /// Waits until the path is this.
    #[track_caller]
    pub fn wait_for_path(&self, path: &str) {
        until(
            TIMEOUT,
            &format!("{path} is shown instead of {}", self.path()),
            || self.path() == path,
        );
    }

    /// Sends the login form, without scripts of the page.
    pub fn log_in(&self, login: &str, password: &str) {
        self.open("/login");
        self.type_into("main input[name=username]", login);
        self.type_into("main input[name=password]", password);
        self.click("main form button");
        until(TIMEOUT, "the login is done", || {
            !self.path().starts_with("/login")
        });
    }

    /// Cuts the network of the browser, or connects it again.
    pub fn set_offline(&self, is_offline: bool) {
        let conditions = json!({
            "offline": is_offline,
            "latency": 0,
            "downloadThroughput": -1,
            "uploadThroughput": -1,
        });
        self.devtools("Network.emulateNetworkConditions", conditions);
    }

    /// Waits until the page says that a request could not be sent.
    #[track_caller]
    pub fn wait_for_failure(&self) {
        self.wait_until(
            "the page says that the server cannot be reached",
            "document.querySelector('.notice.error')?.textContent.startsWith('The server cannot be reached.')",
        );
    }

    /// Sets the width of the window in CSS pixels.
    pub fn resize(&self, width: u32) {
        let size =
            json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", size);
    }

    /// Makes the system prefer this theme, `light` or `dark`.
    pub fn prefer_theme(&self, theme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": theme }, { "name": "prefers-reduced-motion", "value": "reduce" }]);
        self.devtools(
            "Emulation.setEmulatedMedia",
            json!({ "features": features }),
        );
    }

    /// Switches scripts of pages off or on, from the next page on.
    pub fn disable_scripts(&self, disabled: bool) {
        self.devtools(
            "Emulation.setScriptExecutionDisabled",
            json!({ "value": disabled }),
        );
    }

    /// Returns what went wrong in the pages since the last call: errors in the console, violations
    /// of the content security policy, requests to other hosts, and hostile texts that came to
    /// life. `expected` are parts of messages that do not count.
    pub fn faults(&self, expected: &[&str]) -> Vec<String> {
        let mut faults = Vec::new();
        for entry in self.log("browser") {
            let message = entry["message"].as_str().unwrap_or_default().to_owned();
            if matches!(entry["level"].as_str(), Some("SEVERE" | "WARNING"))
                && !expected.iter().any(|part| message.contains(part))
            {
                faults.push(message);
            }
        }
        for entry in self.log("performance") {
            let message: Value =
                serde_json::from_str(entry["message"].as_str().unwrap_or_default())
                    .unwrap_or_default();
            let message = &message["message"];
            if message["method"] == "Network.requestWillBeSent" {
                let url = message["params"]["request"]["url"]
                    .as_str()
                    .unwrap_or_default();
                let local = url
                    .strip_prefix(&self.base)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
                // Of its own, Chromium opens pages without a host; `blob:` is a file that a page
                // holds.
                if !local
                    && !["about:", "chrome:", "chrome-untrusted:", "data:", "blob:"]
                        .iter()
                        .any(|scheme| url.starts_with(scheme))
                {
                    faults.push(format!("a request to {url}"));
                }
            }
        }
        let found =
            self.script("return [(window.violations || []).join(', '), window.pwned || '']");
        for (index, what) in [
            "violates the content security policy",
            "a hostile text came to life",
        ]
        .into_iter()
        .enumerate()
        {
            let text = found[index]
                .as_str()
                .map_or_else(|| found[index].to_string(), str::to_owned);
            if !text.is_empty() {
                faults.push(format!("{what}: {text}"));
            }
        }
        faults
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // The driver ends the browser; without it, the browser would outlive the test.
        let closing = self.client.clone().close();
        let _ = RUNTIME.block_on(async { tokio::time::timeout(TIMEOUT, closing).await });
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
