//! `quarry mail`: sends test mails, passes received mails to the service, and queues reminders of due
//! issues.

pub mod receive;
pub mod reminders;

use super::arguments::MailCommand;
use super::output::usage_error::UsageError;
use quarry_config::Config;
use quarry_domain::clock::{SystemClock, SystemEntropy};
use quarry_domain::values::mail_address::MailAddress;
use quarry_mail::outgoing::Transport;
use quarry_mailer::outgoing::test_message;
use std::io::Write;
use std::process::ExitCode;

/// The default name of the sender.
const NAME: &str = "Quarry";

/// Runs the command.
pub fn run(
    config: &Config,
    command: &MailCommand,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    match command {
        MailCommand::Test { address, .. } => {
            test(config, address, out)?;
            Ok(ExitCode::SUCCESS)
        }
        // `cli::run` runs it before it loads a configuration.
        MailCommand::Receive(options) => Ok(receive::run(options)),
        MailCommand::Reminders(options) => {
            reminders::run(config, options, out)?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Sends a test mail at once, without access to the store.
fn test(config: &Config, address: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    let to = MailAddress::parse(address)
        .ok_or_else(|| UsageError(format!("{address:?} is not a mail address")))?;
    let Some(mail) = &config.mail else {
        return Err(UsageError(
            "mail is off: set `mail` and `mail_from` in the configuration".to_owned(),
        )
        .into());
    };
    let message = test_message(&mail.from, to, NAME, &SystemClock, &SystemEntropy)?;
    writeln!(out, "sending to {} from {}", message.to, message.from)?;
    writeln!(out, "server: {}", mail.server)?;
    out.flush()?;
    let mut transport = Transport::new(mail);
    let receipt = transport
        .send(&message)
        .map_err(|error| anyhow::anyhow!("the mail was not sent: {error}"))?;
    transport.close();
    writeln!(out, "accepted by {}: {}", receipt.server, receipt.answer)?;
    Ok(())
}
