//! Exim, which delivers mails to folders, and Dovecot, which serves them by IMAP.

use crate::import::tls::authority;
use quarry::config::{Encryption, ImapServer};
use quarry_world::daemons::{as_user, folder_of, found, id_of_me, user_name};
use quarry_world::environment::not_installed;
use quarry_world::ports::free_port;
use quarry_world::wait::{TIMEOUT, until};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

/// Who has a mailbox. Mails to `reply+…` are delivered to `reply`.
const MAILBOXES: [&str; 3] = ["reply", "alice", "bob"];

/// A running server, terminated on drop with the processes that it has started.
struct Process(Child);

impl Process {
    fn start(mut command: Command, ports: &[u16]) -> Process {
        let process = Process(command.spawn().unwrap());
        until(TIMEOUT, "the mail server starts", || {
            ports
                .iter()
                .all(|port| TcpStream::connect(("127.0.0.1", *port)).is_ok())
        });
        process
    }

    fn stop(&mut self) {
        let id = self.0.id().to_string();
        // It may have ended already.
        let _ = Command::new("kill").args(["-TERM", &id]).status();
        let _ = self.0.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Exim and Dovecot on free ports, with a certificate for `localhost` by an authority of their own.
pub struct Servers {
    exim: Option<Process>,
    dovecot: Option<Process>,
    programs: [PathBuf; 2],
    folder: tempfile::TempDir,
    pub smtp: u16,
    pub smtps: u16,
    imap: u16,
    imaps: u16,
}

impl Servers {
    /// Starts both; `None` if one is not installed.
    pub fn start() -> Option<Servers> {
        Servers::start_with("")
    }

    /// Starts both, with further lines in the configuration of Dovecot.
    pub fn start_with(settings: &str) -> Option<Servers> {
        let Some(exim) = found(&["/usr/sbin"], "exim4") else {
            not_installed("Exim", "exim4-daemon-light");
            return None;
        };
        let Some(dovecot) = found(&["/usr/sbin"], "dovecot") else {
            not_installed("Dovecot", "dovecot-imapd");
            return None;
        };
        let mut servers = Servers {
            exim: None,
            dovecot: None,
            programs: [exim, dovecot],
            folder: folder_of("dovecot"),
            smtp: free_port(),
            smtps: free_port(),
            imap: free_port(),
            imaps: free_port(),
        };
        let authority = authority(servers.folder.path(), "ca", "localhost");
        servers.write("server.pem", &authority.issued.certificate);
        servers.write("server-key.pem", &authority.issued.key);
        let user = if id_of_me() == Some(0) {
            "dovecot".to_owned()
        } else {
            user_name()
        };
        for name in ["spool", "mail", "run", "state"] {
            let path = servers.folder.path().join(name);
            fs::create_dir(&path).unwrap();
            give(&path, servers.folder.path());
        }
        servers.write("exim.conf", &servers.exim_settings(&user));
        let text = format!("{}{settings}\n", servers.dovecot_settings(&user));
        servers.write("dovecot.conf", &text);
        servers.start_exim();
        servers.start_dovecot();
        Some(servers)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        fs::write(&path, text).unwrap();
        give(&path, self.folder.path());
    }

    fn program(&self, index: usize) -> Command {
        as_user(&self.programs[index], "dovecot", self.folder.path())
    }

    /// Starts Exim.
    pub fn start_exim(&mut self) {
        let mut command = self.program(0);
        command.arg("-C").arg(self.folder.path().join("exim.conf"));
        // In the foreground; mails that cannot be delivered are tried again every second.
        command.args(["-bdf", "-q1s"]);
        self.exim = Some(Process::start(command, &[self.smtp, self.smtps]));
    }

    /// Stops Exim. Its queue stays.
    pub fn stop_exim(&mut self) {
        self.exim = None;
    }

    /// Starts Dovecot.
    pub fn start_dovecot(&mut self) {
        let mut command = self.program(1);
        command.arg("-F").arg("-c");
        command.arg(self.folder.path().join("dovecot.conf"));
        self.dovecot = Some(Process::start(command, &[self.imap, self.imaps]));
    }

    /// Stops Dovecot.
    pub fn stop_dovecot(&mut self) {
        self.dovecot = None;
        until(TIMEOUT, "Dovecot stops", || {
            TcpStream::connect(("127.0.0.1", self.imap)).is_err()
        });
    }

    /// Returns the certificate of the authority.
    pub fn authority(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    /// Returns the mailbox `reply`.
    pub fn mailbox(&self, encryption: Encryption) -> ImapServer {
        ImapServer {
            host: "localhost".to_owned(),
            port: match encryption {
                Encryption::Implicit => self.imaps,
                Encryption::Required | Encryption::Opportunistic => self.imap,
            },
            encryption,
            user: "reply".to_owned(),
            password: Some("secret".to_owned()),
            password_file: None,
            ca_file: Some(self.authority()),
            mailbox: "INBOX".to_owned(),
        }
    }

    /// Returns the mails of a mailbox with the letters of their flags, the oldest first.
    pub fn mails(&self, mailbox: &str) -> Vec<(String, String)> {
        let folder = self.folder.path().join("mail").join(mailbox);
        let mut files: Vec<PathBuf> = ["new", "cur"]
            .iter()
            .filter_map(|name| fs::read_dir(folder.join(name)).ok())
            .flatten()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort_by_key(|path| path.file_name().unwrap().to_owned());
        let read = |path: &PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy();
            let flags = name.split_once(":2,").map_or("", |(_, flags)| flags);
            // A mail that is being marked is found under its new name next time.
            let bytes = fs::read(path).unwrap_or_default();
            (
                String::from_utf8_lossy(&bytes).into_owned(),
                flags.to_owned(),
            )
        };
        files.iter().map(read).collect()
    }

    /// Waits until a mailbox has a number of mails, and returns them.
    pub fn wait_for(&self, mailbox: &str, count: usize) -> Vec<(String, String)> {
        until(TIMEOUT, "the mails are delivered", || {
            self.mails(mailbox).len() >= count
        });
        self.mails(mailbox)
    }

    /// Hands a mail to Exim, as a mail program does.
    pub fn submit(&self, from: &str, to: &str, mail: &str) {
        let stream = TcpStream::connect(("127.0.0.1", self.smtp)).unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
        let mut out = stream;
        let mut expect = |code: &str| {
            loop {
                let line = lines.next().unwrap().unwrap();
                assert!(line.starts_with(code), "{line}");
                if line.as_bytes().get(3) == Some(&b' ') {
                    break;
                }
            }
        };
        expect("220");
        for (command, code) in [
            ("EHLO client.example.net".to_owned(), "250"),
            (format!("MAIL FROM:<{from}>"), "250"),
            (format!("RCPT TO:<{to}>"), "250"),
            ("DATA".to_owned(), "354"),
        ] {
            write!(out, "{command}\r\n").unwrap();
            expect(code);
        }
        for line in mail.lines() {
            let dot = if line.starts_with('.') { "." } else { "" };
            write!(out, "{dot}{line}\r\n").unwrap();
        }
        write!(out, ".\r\n").unwrap();
        expect("250");
        write!(out, "QUIT\r\n").unwrap();
        expect("221");
    }

    fn exim_settings(&self, user: &str) -> String {
        let Servers { smtp, smtps, .. } = self;
        let folder = self.folder.path().display();
        let mailboxes = MAILBOXES.join(" : ");
        format!(
            "primary_hostname = mail.example.net
qualify_domain = example.net
spool_directory = {folder}/spool
log_file_path = {folder}/exim-%slog
pid_file_path = {folder}/exim.pid
exim_user = {user}
exim_group = {user}
never_users =
local_interfaces = 127.0.0.1
daemon_smtp_ports = {smtp} : {smtps}
tls_on_connect_ports = {smtps}
tls_advertise_hosts = *
tls_certificate = {folder}/server.pem
tls_privatekey = {folder}/server-key.pem
acl_smtp_rcpt = check_rcpt
keep_environment =
begin acl
check_rcpt:
  deny
    local_parts = carol
    message = unknown user
  accept
begin routers
mailboxes:
  driver = accept
  domains = example.net
  local_parts = {mailboxes}
  local_part_suffix = +*
  local_part_suffix_optional
  transport = maildir
begin transports
maildir:
  driver = appendfile
  directory = {folder}/mail/$local_part_data
  maildir_format
  create_directory
  envelope_to_add
  delivery_date_add
  return_path_add
  user = {user}
  group = {user}
begin retry
* * F,1h,1s
"
        )
    }

    fn dovecot_settings(&self, user: &str) -> String {
        let Servers { imap, imaps, .. } = self;
        let folder = self.folder.path().display();
        format!(
            "base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/dovecot.log
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <{folder}/server.pem
ssl_key = <{folder}/server-key.pem
disable_plaintext_auth = no
default_internal_user = {user}
default_internal_group = {user}
default_login_user = {user}
default_vsz_limit = 0
first_valid_uid = 1
mail_location = maildir:{folder}/mail/%u
passdb {{
  driver = static
  args = password=secret
}}
userdb {{
  driver = static
  args = uid={user} gid={user} home={folder}/mail/%u
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = {imaps}
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
"
        )
    }
}

/// Gives a file to the owner of the folder, and lets nobody else write it: Exim trusts no other.
fn give(path: &Path, folder: &Path) {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    let owner = fs::metadata(folder).unwrap();
    chown(path, Some(owner.uid()), Some(owner.gid())).unwrap();
    let mode = if path.is_dir() { 0o700 } else { 0o600 };
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}
