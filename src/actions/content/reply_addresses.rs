//! Reply addresses and `Message-ID`s of outgoing mails, which contain the token of the answer.

use quarry_domain::administration::setting::Setting;
use quarry_domain::content::incoming_mail::with_detail;
use quarry_domain::content::reply_token::{ReplyTarget, ReplyToken};
use quarry_domain::ids::UserId;
use quarry_store::Read;

/// Returns the address for `Reply-To` of a mail to this user about the target; `None` if answers by
/// mail are off, or the token does not fit into an address.
pub fn reply_address(db: &Read<'_>, user: UserId, target: ReplyTarget) -> Option<String> {
    with_detail(
        db.catalogue().setting(Setting::MailReplyAddress),
        &token(db, user, target),
    )
}

/// Returns the `Message-ID` of a mail to this user about the target, without angle brackets; `None` if
/// answers by mail are off. `unique` makes the id unique among mails with the same token; it must have
/// only letters, digits and hyphens.
pub fn message_id(
    db: &Read<'_>,
    user: UserId,
    target: ReplyTarget,
    unique: &str,
) -> Option<String> {
    let address = db.catalogue().setting(Setting::MailReplyAddress);
    let (_, host) = address.split_once('@')?;
    Some(format!("{}.{unique}@{host}", token(db, user, target)))
}

fn token(db: &Read<'_>, user: UserId, target: ReplyTarget) -> String {
    ReplyToken::new(user, target, db.now()).encode(|bytes| db.secrets().sign_reply(bytes))
}
