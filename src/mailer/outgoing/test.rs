//! The test mail, with which people try the configuration.

use super::content::{Block, Content};
use super::error::RenderError;
use quarry_domain::clock::{Clock, Entropy};
use quarry_domain::values::mail_address::MailAddress;
use quarry_mail::outgoing::Message;

/// Length of the random part of the id of the message in bytes.
const RANDOM: usize = 12;

/// Returns the content.
pub fn content() -> Content {
    Content {
        title: "Test mail".to_owned(),
        blocks: vec![Block::Text(
            "The configuration of mail works: this message has arrived.".to_owned(),
        )],
        reason: "You get this mail because somebody has sent a test to this address.".to_owned(),
        ..Content::default()
    }
}

/// Returns the message to an address, which is sent at once. `from_name` is used if the configured
/// sender has no name.
pub fn test_message(
    from: &MailAddress,
    to: MailAddress,
    from_name: &str,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
) -> Result<Message, RenderError> {
    let mut random = [0u8; RANDOM];
    entropy.fill(&mut random);
    let random: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut from = from.clone();
    if from.name.is_empty() {
        from = MailAddress::new(from_name, &from.address);
    }
    let content = content();
    Ok(Message {
        message_id: format!("test.{random}@{}", from.domain()),
        from,
        to,
        reply_to: None,
        subject: format!("[{from_name}] {}", content.title),
        text: content.to_text(),
        html: content.to_html()?,
        date: clock.now(),
        references: Vec::new(),
        list: None,
        headers: Vec::new(),
    })
}
