//! The commands in `docs/operations.md`: each one is run as it is written, with other paths and ports.

use crate::tls::Certificate;
use quarry_world::ports::free_address;
use quarry_world::process::{Service, message, quarry};
use std::fs;
use std::process::Command;

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/operations.md");
/// Commands that are run elsewhere: by `packaging::`, and by `tls::acme` with an authority of its own.
const RUN_ELSEWHERE: [&str; 2] = ["systemctl ", "--acme-domains "];

/// Returns the indented commands of the document.
fn commands() -> Vec<String> {
    let text = fs::read_to_string(DOCUMENT).unwrap();
    let indented = text.lines().filter_map(|line| line.strip_prefix("    "));
    indented
        .filter(|line| {
            let mut words = line.split(' ');
            words.any(|word| word == "quarry") || line.starts_with("systemctl")
        })
        .filter(|line| !line.starts_with(' '))
        .map(str::to_owned)
        .collect()
}

/// A folder that stands for the machine of the document.
struct Machine {
    root: tempfile::TempDir,
}

impl Machine {
    fn new() -> Machine {
        let root = tempfile::tempdir().unwrap();
        for folder in ["etc", "run"] {
            fs::create_dir(root.path().join(folder)).unwrap();
        }
        let machine = Machine { root };
        machine.write("etc/passphrase", "a passphrase of many words\n");
        let certificate = Certificate::create(machine.root.path());
        fs::copy(certificate.certificate, machine.path("etc/fullchain.pem")).unwrap();
        fs::copy(certificate.key, machine.path("etc/privkey.pem")).unwrap();
        machine.write(
            "etc/quarry.toml",
            &format!("listen = \"{}\"\n", free_address()),
        );
        machine
    }

    fn path(&self, name: &str) -> String {
        self.root.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.root.path().join(name), text).unwrap();
    }

    /// Returns the arguments of a command, with the paths and ports of this machine.
    fn arguments(&self, command: &str) -> Vec<String> {
        let command = command.trim_start_matches("sudo -u quarry ");
        let start = command.find("quarry ").unwrap() + "quarry ".len();
        let places = [
            ("/var/lib/quarry", "data"),
            ("/backup/quarry", "backups"),
            ("/etc/quarry", "etc"),
            ("/run/quarry", "run"),
            ("/tmp/trial", "trial"),
        ];
        let mut arguments = command[start..].to_owned();
        for (place, name) in places {
            arguments = arguments.replace(place, &self.path(name));
        }
        let ports = ["0.0.0.0:443", "0.0.0.0:80", "127.0.0.1:3001"];
        let arguments = arguments.split(' ').map(|word| {
            if ports.contains(&word) {
                free_address()
            } else {
                word.to_owned()
            }
        });
        arguments.collect()
    }

    /// Returns the program with these arguments and the data folder of this machine.
    fn program(&self, arguments: &[String]) -> Command {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut command = quarry(&arguments);
        command.env("QUARRY_DATA", self.path("data"));
        command.current_dir(self.root.path());
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

    /// Runs a command; asserts success.
    fn run(&self, words: &[&str]) -> String {
        let arguments: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        message(&self.program(&arguments).output().unwrap())
    }
}

fn stop(service: Service) {
    service.terminate();
    let (status, log) = service.ended();
    assert!(status.success(), "{log}");
}

#[test]
fn every_command_of_the_document_works() {
    let machine = Machine::new();
    let commands = commands();
    assert!(commands.len() > 25, "{commands:?}");
    for command in &commands {
        if RUN_ELSEWHERE.iter().any(|part| command.contains(part)) {
            continue;
        }
        println!("{command}");
        let arguments = machine.arguments(command);
        match arguments[0].as_str() {
            "serve" => stop(machine.serve(arguments)),
            "healthcheck" => {
                let serve = ["serve", "--config", &machine.path("etc/quarry.toml")];
                let mut program = machine.program(&serve.map(str::to_owned));
                let listen = fs::read_to_string(machine.path("etc/quarry.toml")).unwrap();
                let listen = listen.split('"').nth(1).unwrap().to_owned();
                let service = Service::start_at(&mut program, &listen);
                let mut check = machine.program(&arguments);
                check.env("QUARRY_LISTEN", &listen);
                message(&check.output().unwrap());
                stop(service);
            }
            name => {
                let data = machine.path("data");
                if name == "restore" && arguments.contains(&data) {
                    // On an empty machine.
                    fs::remove_dir_all(data).unwrap();
                }
                if name == "doctor" {
                    // The settings of the commands before are for a proxy.
                    machine.run(&["setting", "set", "host_name", ""]);
                    machine.run(&["setting", "set", "protocol", "http"]);
                }
                message(&machine.program(&arguments).output().unwrap());
            }
        }
    }
}

#[test]
fn every_command_in_the_table_exists_with_its_options() {
    let text = fs::read_to_string(DOCUMENT).unwrap();
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
