//! A mail to administrators about a scheduled backup that has failed.

use super::content::{Block, Content};
use super::recipient::Recipient;
use quarry_actions::administration::backups::{ERROR, FOLDER};
use quarry_domain::administration::mail::Mail;

/// Returns the content; `None` if the recipient is no administrator any more.
pub fn content(recipient: &Recipient, mail: &Mail) -> Option<Content> {
    recipient.user.as_ref().filter(|user| user.admin)?;
    let time = mail.created_on.to_zoned(recipient.zone.clone());
    Some(Content {
        title: "The scheduled backup has failed".to_owned(),
        blocks: vec![
            Block::Facts(vec![
                ("When", time.strftime("%Y-%m-%d %H:%M %Z").to_string()),
                ("Folder", mail.data(FOLDER).to_owned()),
                ("Reason", mail.data(ERROR).to_owned()),
            ]),
            Block::Text(
                "It is tried again every half hour. There is no other mail until a backup has succeeded. Earlier backups are kept."
                    .to_owned(),
            ),
            recipient.link("Index and service", "/admin/index"),
        ],
        reason: format!(
            "You get this mail because you are an administrator of {}. It cannot be switched off.",
            recipient.app_title
        ),
        ..Content::default()
    })
}
