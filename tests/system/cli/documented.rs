//! The commands in the documents: each block is run as it is written, with other paths and ports, or on the
//! copy of a machine in `packaging/test-package-inside`, or says why not.

#![allow(
    clippy::disallowed_methods,
    reason = "a test writes and looks into files as anybody may"
)]

use crate::tls::Certificate;
use quarry_world::cluster::Cluster;
use quarry_world::ports::free_address;
use quarry_world::process::{Service, message, quarry};
use quarry_world::redmine_import::FIXTURE;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// The marker of a block that is not run, before the reason.
const NOT_RUN: &str = "<!-- not run: ";
/// The address of the service in the documents.
const ADDRESS: &str = "127.0.0.1:3000";

/// An indented block of a document. Blocks of other languages than the shell's are fenced.
struct Block {
    /// The number of its first line.
    line: usize,
    commands: Vec<String>,
    /// Whether a marker says why it is not run.
    is_marked: bool,
}

fn read(name: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(name)).unwrap()
}

/// Returns the blocks of a document. As in Markdown, an empty line does not end one.
fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_fenced = false;
    // Whether the marker is before the next block, and whether the last line belongs to a block.
    let mut is_marked = false;
    let mut is_in_block = false;
    for (number, line) in (1..).zip(text.lines()) {
        if line.starts_with("```") {
            is_fenced = !is_fenced;
        }
        let Some(command) = line.strip_prefix("    ").filter(|_| !is_fenced) else {
            let text = line.trim_start();
            if let Some(reason) = text.strip_prefix(NOT_RUN) {
                assert!(
                    reason.len() > " -->".len() && reason.ends_with(" -->"),
                    "{line}"
                );
                is_marked = true;
            } else if !text.is_empty() {
                is_marked = false;
            }
            is_in_block = false;
            continue;
        };
        if !is_in_block {
            blocks.push(Block {
                line: number,
                commands: Vec::new(),
                is_marked,
            });
        }
        let commands = &mut blocks.last_mut().unwrap().commands;
        let command = command.trim();
        match commands.last_mut().filter(|last| last.ends_with('\\')) {
            Some(last) => {
                last.pop();
                last.push_str(command);
            }
            None => commands.push(command.to_owned()),
        }
        is_in_block = true;
    }
    blocks
}

/// Whether each command of the block is one of the script that runs on the copy of a machine.
fn runs_on_the_copy(block: &Block, script: &str) -> bool {
    block.commands.iter().all(|command| {
        script.lines().any(|line| {
            let rest = line.trim().strip_prefix(command.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" |"))
        })
    })
}

/// A folder that stands for the machine of a document.
struct Machine {
    root: tempfile::TempDir,
    /// The database server of the document, if it needs one and there is one here.
    database: Option<String>,
    /// In place of those in the document: addresses, keys.
    replacements: Vec<(String, String)>,
}

impl Machine {
    fn new() -> Machine {
        let root = tempfile::tempdir().unwrap();
        for folder in ["etc", "run", "bin", "srv/files", "man"] {
            fs::create_dir_all(root.path().join(folder)).unwrap();
        }
        let machine = Machine {
            root,
            database: None,
            replacements: Vec::new(),
        };
        machine.write("etc/passphrase", "a passphrase of many words\n");
        let certificate = Certificate::create(machine.root.path());
        fs::copy(certificate.certificate, machine.path("etc/fullchain.pem")).unwrap();
        fs::copy(certificate.key, machine.path("etc/privkey.pem")).unwrap();
        machine.write(
            "etc/quarry.toml",
            &format!("listen = \"{}\"\n", free_address()),
        );
        machine.write("mail.eml", "From: a@example.net\nSubject: b\n\nc\n");
        machine.write("log.txt", "text\n");
        let program = quarry(&[]);
        symlink(program.get_program(), machine.path("bin/quarry")).unwrap();
        machine.write("bin/sendmail", "#!/bin/sh\ncat >/dev/null\n");
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(machine.path("bin/sendmail"), executable).unwrap();
        machine
    }

    fn path(&self, name: &str) -> String {
        self.root.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.root.path().join(name), text).unwrap();
    }

    /// Returns a command with the paths and ports of this machine.
    fn replace(&self, command: &str) -> String {
        let places = [
            ("/var/lib/quarry", "data"),
            ("/backup/quarry", "backups"),
            ("/etc/quarry", "etc"),
            ("/run/quarry", "run"),
            ("/tmp/trial", "trial"),
            ("/srv/redmine/db/redmine.sqlite3", "srv/redmine.sqlite3"),
            ("/srv/redmine/files", "srv/files"),
            ("/usr/local/share/man/man1", "man"),
        ];
        let mut command = command.to_owned();
        for (place, name) in places {
            command = command.replace(place, &self.path(name));
        }
        for (from, to) in &self.replacements {
            command = command.replace(from, to);
        }
        let ports = ["0.0.0.0:443", "0.0.0.0:80", "127.0.0.1:3001"];
        let words = command.split(' ').map(|word| {
            if ports.contains(&word) {
                free_address()
            } else {
                word.to_owned()
            }
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// Returns the arguments of a command of the program; `None` for another command.
    fn arguments(&self, command: &str) -> Option<Vec<String>> {
        let command = command.trim_start_matches("sudo -u quarry ");
        let command = command.trim_start_matches("QUARRY_ADMIN_PASSWORD=… ");
        let arguments = self.replace(command.strip_prefix("quarry ")?);
        Some(arguments.split(' ').map(str::to_owned).collect())
    }

    /// Returns the program with these arguments and the data folder of this machine.
    fn program(&self, arguments: &[String]) -> Command {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut command = quarry(&arguments);
        command.env("QUARRY_DATA", self.path("data"));
        command.current_dir(self.root.path());
        if arguments.first() == Some(&"mail") {
            command.env(
                "QUARRY_MAIL",
                format!("sendmail:{}", self.path("bin/sendmail")),
            );
            command.env("QUARRY_MAIL_FROM", "quarry@example.net");
        }
        command
    }

    /// Starts a service, and waits until it listens.
    fn serve(&self, mut arguments: Vec<String>) -> Service {
        let listen = arguments.iter().position(|word| word == "--listen");
        let listen = listen.map(|at| arguments.drain(at..at + 2).next_back().unwrap());
        let mut program = self.program(&arguments);
        match listen {
            Some(address) => Service::start_at(&mut program, &address),
            None => Service::start(&mut program),
        }
    }

    /// Runs a command of the program; asserts success.
    fn run(&self, words: &[&str]) -> String {
        let arguments: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        message(&self.program(&arguments).output().unwrap())
    }

    /// Runs a command of the program as the document has it.
    fn run_program(&self, arguments: &[String]) {
        match arguments[0].as_str() {
            "serve" => stop(self.serve(arguments.to_vec())),
            "healthcheck" => {
                let serve = ["serve", "--config", &self.path("etc/quarry.toml")];
                let mut program = self.program(&serve.map(str::to_owned));
                let listen = fs::read_to_string(self.path("etc/quarry.toml")).unwrap();
                let listen = listen.split('"').nth(1).unwrap().to_owned();
                let service = Service::start_at(&mut program, &listen);
                let mut check = self.program(arguments);
                check.env("QUARRY_LISTEN", &listen);
                message(&check.output().unwrap());
                stop(service);
            }
            name => {
                let data = self.path("data");
                if name == "restore" && arguments.contains(&data) {
                    // On an empty machine.
                    fs::remove_dir_all(data).unwrap();
                }
                if name == "doctor" {
                    // The settings of the commands before are for a proxy.
                    self.run(&["setting", "set", "host_name", ""]);
                    self.run(&["setting", "set", "protocol", "http"]);
                }
                message(&self.program(arguments).output().unwrap());
            }
        }
    }

    /// Runs a command of another program in the shell. `curl` gets its response from a service on the data
    /// of this machine.
    fn run_shell(&mut self, command: &str, service: Option<&Service>) {
        let started = service.is_none() && command.contains(ADDRESS);
        let started = started.then(|| self.serve(vec!["serve".to_owned()]));
        let address = service.or(started.as_ref()).map(|service| &service.address);
        let command = self.replace(command);
        let command = match address {
            Some(address) => command.replace(ADDRESS, address),
            None => command,
        };
        let mut shell = Command::new("sh");
        let output = shell
            .args(["-ec", &command])
            .current_dir(self.root.path())
            .output()
            .unwrap();
        let printed = message(&output);
        let is_curl = command.starts_with("curl ") && !command.contains("/mail_handler");
        assert!(
            !is_curl || (printed.len() > 2 && !printed.contains("errors")),
            "{printed}"
        );
        if let Some(service) = started {
            stop(service);
        }
    }

    /// Runs or skips every block of a document. Returns how many commands were run here.
    fn run_document(&mut self, name: &str, service: Option<&Service>) -> usize {
        let script = read("packaging/test-package-inside");
        let mut count = 0;
        for block in blocks(&read(name)) {
            if block.is_marked || runs_on_the_copy(&block, &script) {
                continue;
            }
            for command in &block.commands {
                println!("{name}:{}: {command}", block.line);
                match self.arguments(command) {
                    Some(arguments) if arguments[0] == "store" && self.database.is_none() => {
                        println!("NOT TESTED: there is no database server");
                    }
                    Some(arguments) => self.run_program(&arguments),
                    None => self.run_shell(command, service),
                }
                count += 1;
            }
        }
        count
    }
}

fn stop(service: Service) {
    service.terminate();
    let (status, log) = service.ended();
    assert!(status.success(), "{log}");
}

#[test]
fn commands_of_operations_work_or_say_why_they_are_not_run() {
    let count = Machine::new().run_document("docs/operations.md", None);
    assert!(count > 20, "{count}");
}

#[test]
fn commands_of_readme_work_or_say_why_they_are_not_run() {
    let mut machine = Machine::new();
    let demo = Service::start(quarry(&["demo", "--data"]).arg(machine.path("demo")));
    let alice = demo.printed.iter().find(|line| line.starts_with("alice "));
    let key = alice.unwrap().split_whitespace().nth(2).unwrap().to_owned();
    machine.replacements = vec![(" KEY'".to_owned(), format!(" {key}'"))];
    let count = machine.run_document("README.md", Some(&demo));
    assert!(count > 3, "{count}");
    stop(demo);
}

#[test]
fn commands_of_installation_and_mail_work_or_say_why_they_are_not_run() {
    let mut machine = Machine::new();
    stop(machine.serve(vec!["serve".to_owned()]));
    let count = machine.run_document("docs/installation.md", None);
    assert!(count > 4, "{count}");
    let count = machine.run_document("docs/mail.md", None);
    assert!(count > 4, "{count}");
}

#[test]
fn commands_of_import_work_or_say_why_they_are_not_run() {
    let mut machine = Machine::new();
    let redmine = machine.path("srv/redmine.sqlite3");
    fs::copy(FIXTURE, &redmine).unwrap();
    // Their files are not in the repository.
    let database = rusqlite::Connection::open(redmine).unwrap();
    database.execute("DELETE FROM attachments", []).unwrap();
    drop(database);
    machine.replacements = vec![(
        "-H 'X-Redmine-API-Key: …'".to_owned(),
        "-u admin:adminadmin".to_owned(),
    )];
    let count = machine.run_document("docs/import.md", None);
    assert!(count > 4, "{count}");
}

#[test]
fn commands_for_more_machines_work_or_say_why_they_are_not_run() {
    let mut machine = Machine::new();
    stop(machine.serve(vec!["serve".to_owned()]));
    let cluster = Cluster::shared();
    machine.database = cluster.map(|cluster| cluster.url(&cluster.create_database(None)));
    let url = machine.database.clone().unwrap_or_default();
    let documented = "postgres://quarry@db.example.net/quarry".to_owned();
    machine.replacements = vec![(
        documented,
        format!("{url} --to-data {}", machine.path("node")),
    )];
    let count = machine.run_document("docs/more-than-one-machine.md", None);
    assert!(count > 0, "{count}");
}

#[test]
fn block_that_is_neither_run_nor_marked_is_found() {
    let text = "a\n\n<!-- not run: needs podman -->\n\n    podman run \\\n      quarry\n\n    quarry serve\n    quarry doctor\n\n```toml\n    a = 1\n```\n";
    let blocks = blocks(text);
    let found: Vec<_> = blocks
        .iter()
        .map(|block| (block.line, block.commands.len(), block.is_marked))
        .collect();
    assert_eq!(found, [(5, 1, true), (8, 2, true)]);
    let script = "  systemctl start quarry\nquarry user list | grep a\n";
    for (commands, runs) in [
        (&["systemctl start quarry", "quarry user list"][..], true),
        (&["systemctl start quarry", "systemctl stop quarry"], false),
        (&["quarry user"], false),
    ] {
        let block = Block {
            line: 1,
            commands: commands
                .iter()
                .map(|command| (*command).to_owned())
                .collect(),
            is_marked: false,
        };
        assert_eq!(runs_on_the_copy(&block, script), runs, "{commands:?}");
    }
}

#[test]
fn every_command_in_the_table_exists_with_its_options() {
    let text = read("docs/operations.md");
    let section = text.split("\n## 4. Commands\n").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let cells = section.lines().filter_map(|line| line.strip_prefix("| `"));
    let mut checked = 0;
    for cell in cells.map(|row| row.split(" | ").next().unwrap()) {
        // Every second part is between backticks.
        for command in format!("`{cell}").split('`').skip(1).step_by(2) {
            let is_name = |word: &&str| word.bytes().all(|byte| byte.is_ascii_lowercase());
            let names: Vec<&str> = command.split(' ').take_while(is_name).collect();
            let help = message(
                &quarry(&[&names[..], &["--help"]].concat())
                    .output()
                    .unwrap(),
            );
            for option in command
                .split([' ', '[', ']'])
                .filter(|word| word.starts_with("--"))
            {
                assert!(help.contains(option), "{command}: {option}\n{help}");
            }
            checked += 1;
        }
    }
    assert!(checked > 30, "{checked}");
}
