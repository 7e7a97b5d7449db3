//! Removes reply tokens and unsubscribe links from a received mail: a quoted header or an attached mail
//! must not let the readers of a note answer in the name of its author, or unsubscribe the author.

use quarry_domain::content::incoming_mail::{IncomingFile, IncomingMail};
use quarry_domain::content::mail_secrets::{self, Verifier};
use quarry_store::Secrets;

/// Replaces reply tokens and unsubscribe links in the texts and files of a mail.
pub fn remove(secrets: &Secrets, mail: &mut IncomingMail) {
    with_verifier(secrets, |verifier| {
        for text in [
            &mut mail.subject,
            &mut mail.text,
            &mut mail.text_without_signature,
            &mut mail.answer,
        ] {
            *text = mail_secrets::replace_in(text, verifier);
        }
        for file in &mut mail.files {
            mask(file, verifier);
        }
    });
}

/// Returns a text, such as the `Message-ID` of an own mail that came back, without reply tokens and
/// unsubscribe links.
pub fn without_secrets(secrets: &Secrets, text: &str) -> String {
    with_verifier(secrets, |verifier| mail_secrets::replace_in(text, verifier))
}

fn with_verifier<T>(secrets: &Secrets, act: impl FnOnce(&Verifier<'_>) -> T) -> T {
    act(&Verifier::new(
        &|bytes, signature| secrets.verify_reply(bytes, signature),
        &|link, signature| secrets.verify_unsubscribe(link, signature),
    ))
}

fn mask(file: &mut IncomingFile, verifier: &Verifier<'_>) {
    file.filename = mail_secrets::replace_in(&file.filename, verifier);
    mail_secrets::mask(&mut file.content, verifier);
    // An encoded text cannot be masked, so the decoded one takes its place.
    if let Some(mut decoded) = file.decoded.take()
        && mail_secrets::mask(&mut decoded, verifier)
    {
        file.content = decoded;
    }
}
