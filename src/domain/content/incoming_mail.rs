//! A received mail after parsing, and why a mail is refused.

use super::reply_token::MAX_LOCAL_PART;
use crate::ids::{IssueId, JournalId};
use jiff::Timestamp;

/// The line above which answers are written. Outgoing mails begin with it.
pub const REPLY_DELIMITER: &str = "-- Reply above this line --";

/// A received mail. Its texts have no control characters except for line breaks and tabs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IncomingMail {
    /// The addresses in `From`, in lower case.
    pub from: Vec<String>,
    /// The subject; empty without one.
    pub subject: String,
    /// The date as the sender wrote it; empty without one.
    pub date: String,
    /// The `Message-ID`; empty without one.
    pub message_id: String,
    /// The words in recipient addresses, `In-Reply-To` and `References` that may be reply tokens, in the
    /// order in which they are tried.
    pub token_candidates: Vec<String>,
    /// The words of the `Message-ID` that may be reply tokens: a mail with one was sent by the service.
    pub own_id_candidates: Vec<String>,
    /// The header that shows that a program wrote the mail; `None` if a person did.
    pub automatic: Option<&'static str>,
    /// The complete text.
    pub text: String,
    /// The text without the quoted mail and the signature.
    pub answer: String,
    /// The complete text without the signature.
    pub text_without_signature: String,
    /// The attached files.
    pub files: Vec<IncomingFile>,
}

/// A file that was attached to a received mail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IncomingFile {
    /// The name that the sender gave; empty without one.
    pub filename: String,
    /// The media type; empty without one.
    pub content_type: String,
    pub content: Vec<u8>,
    /// The content with decoded texts, if it is a mail with encoded texts.
    pub decoded: Option<Vec<u8>>,
}

/// A record that a mail became and for which the complete text of the mail is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailedRecord {
    /// A note of an issue.
    Note(JournalId),
    /// A message of a forum.
    Message(i64),
    Issue(IssueId),
}

/// The complete text of a mail that became a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OriginalMail {
    /// The address of the sender.
    pub sender: String,
    pub subject: String,
    /// The date as the sender wrote it.
    pub date: String,
    /// The text, with the quoted mail and the signature.
    pub text: String,
    pub received_on: Timestamp,
}

/// Why a mail is refused. Senders learn no more than [`Refusal::message`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Answers by mail are off.
    AnswersOff,
    /// There is no valid token.
    NoToken,
    /// The token is too old.
    ExpiredToken,
    /// The address for new issues was replaced by a newer one.
    RevokedAddress,
    /// `From` is not one address of the user of the token.
    WrongSender,
    /// The user is not active.
    InactiveUser,
    /// The user may not see the record, or not answer there, or it does not exist.
    NotAllowed,
    /// New issues by mail are off.
    NewIssuesOff,
    /// A program wrote the mail, as this header shows.
    Automatic(&'static str),
    /// The user has sent too many mails in the last hour.
    TooMany,
    /// There is no text above the quoted part.
    Empty,
    /// The mail or the record would be invalid, with the messages.
    Invalid(String),
}

impl Refusal {
    /// Returns the reason for the log.
    pub fn reason(&self) -> &'static str {
        match self {
            Refusal::AnswersOff => "answers by mail are off",
            Refusal::NoToken => "no valid token",
            Refusal::ExpiredToken => "expired token",
            Refusal::RevokedAddress => "revoked address",
            Refusal::WrongSender => "wrong sender",
            Refusal::InactiveUser => "inactive user",
            Refusal::NotAllowed => "not allowed",
            Refusal::NewIssuesOff => "new issues by mail are off",
            Refusal::Automatic(_) => "automatic mail",
            Refusal::TooMany => "too many mails",
            Refusal::Empty => "no text",
            Refusal::Invalid(_) => "invalid",
        }
    }

    /// Returns the message to the sender, which reveals nothing about records, users or tokens.
    pub fn message(&self) -> String {
        match self {
            Refusal::AnswersOff
            | Refusal::NoToken
            | Refusal::ExpiredToken
            | Refusal::RevokedAddress
            | Refusal::WrongSender
            | Refusal::InactiveUser => {
                "This mail is not an answer from the person and the address to which the service has written, or it answers a mail of more than a year ago."
                    .to_owned()
            }
            Refusal::NotAllowed | Refusal::NewIssuesOff => {
                "You may not write there by mail. Please use the web page.".to_owned()
            }
            Refusal::Automatic(header) => {
                format!("Automatic mails are not accepted (header {header}).")
            }
            Refusal::TooMany => {
                "You have sent too many mails in the last hour. Please use the web page.".to_owned()
            }
            Refusal::Empty => "The mail has no text above the quoted part.".to_owned(),
            Refusal::Invalid(messages) => messages.clone(),
        }
    }
}

/// Returns the lines of the setting `mail_handler_body_delimiters`, at most 100.
pub fn delimiter_lines(setting: &str) -> Vec<&str> {
    let lines = setting.lines().map(str::trim);
    lines.filter(|line| !line.is_empty()).take(100).collect()
}

/// Names of fields that have several words, in lower case: the date in Spanish and Portuguese.
const MULTI_WORD_FIELD_NAMES: [&str; 4] = ["enviado el", "enviada el", "enviado em", "enviada em"];

/// Returns the name of the field of a header that a line looks like, as in `From: Alice`, `*De :* Alice` or
/// `宛先：Alice`.
pub fn header_field_name(line: &str) -> Option<&str> {
    let (name, _) = line.split_once([':', '：'])?;
    let name = name.trim_matches(|c: char| c.is_whitespace() || c == '*');
    let is_word = (1..=15).contains(&name.chars().count()) && !name.contains(char::is_whitespace);
    let is_name = is_word || MULTI_WORD_FIELD_NAMES.contains(&name.to_lowercase().as_str());
    is_name.then_some(name)
}

/// Returns the text above the first line that quotes another mail or introduces a quote. In doubt, a line
/// counts as a quote, because readers of the result may not see the quoted part. `delimiters` are further
/// lines that begin a quote, one per line.
pub fn above_quote<'t>(text: &'t str, delimiters: &str) -> &'t str {
    let delimiters = delimiter_lines(delimiters);
    let mut end = 0;
    let mut headers = 0;
    let mut head = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '|'));
        let is_header = header_field_name(bare).is_some();
        if is_header {
            if headers == 0 {
                head = end;
            }
            headers += 1;
            if headers == 3 {
                return text[..head].trim_end();
            }
        } else if !bare.is_empty() {
            headers = 0;
        }
        let is_delimiter = delimiters.contains(&bare) || delimiters.contains(&line.trim());
        let is_rule = bare.starts_with("-----") && bare.ends_with("-----")
            || bare.len() > 10 && bare.starts_with("---") && bare.ends_with("---")
            || bare.len() >= 20 && bare.bytes().all(|byte| byte == b'_');
        let is_attribution =
            bare.ends_with([':', '：']) && (bare.contains('@') || bare.contains(char::is_numeric));
        if bare.starts_with(['>', '|'])
            || line.trim_start().starts_with(['>', '|'])
            || bare.contains(REPLY_DELIMITER)
            || is_delimiter
            || is_rule
            || is_attribution
        {
            return text[..end].trim_end();
        }
        end += line.len();
    }
    text
}

/// Whether the text is empty, or a mail address to which a reply token can be added.
pub fn is_reply_address(text: &str) -> bool {
    if text.is_empty() {
        return true;
    }
    let Some((local, host)) = text.split_once('@') else {
        return false;
    };
    let is_local = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || b".-".contains(&byte);
    !local.is_empty()
        && local.len() <= MAX_REPLY_LOCAL_PART
        && local.bytes().all(is_local)
        && !local.starts_with('.')
        && !local.ends_with('.')
        && !local.contains("..")
        && !host.is_empty()
        && host.len() <= 255
        && host.bytes().all(is_host)
        && host.split('.').all(|label| !label.is_empty())
}

/// Maximum number of characters before the `@` of the reply address.
pub const MAX_REPLY_LOCAL_PART: usize = 16;

/// Returns the address `local+detail@host` for the address `local@host`; `None` without an address, or
/// if the part before the `@` would exceed [`MAX_LOCAL_PART`].
pub fn with_detail(address: &str, detail: &str) -> Option<String> {
    let (local, host) = address.split_once('@')?;
    (local.len() + 1 + detail.len() <= MAX_LOCAL_PART).then(|| format!("{local}+{detail}@{host}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_above_a_quote_ends_at_its_first_line() {
        for quote in [
            "> quoted",
            " > quoted",
            "-- Reply above this line --",
            "| -- Reply above this line --",
            "see -- Reply above this line -- hidden",
            "On 20 Nov 2026, Quarry wrote:",
            "Quarry <quarry@example.net> hat geschrieben:",
            "-----Original Message-----",
            "________________________________",
            "*From:* Quarry\n*Sent:* today\n*To:* Bob",
            "Od: Quarry\n\nWysłano: dziś\nDo: Bob",
            "De : Quarry\nEnvoyé : hier\nÀ : Bob",
            "De: Quarry\nEnviado el: hoy\nPara: Ana",
            "---- On Mon, 20 Nov 2026, Quarry wrote ----",
            "差出人： Quarry\n送信日時： 2026\n宛先： Bob",
            "cut here",
        ] {
            let text = format!("One: yes\n\nTwo\n{quote}\nhidden\n");
            assert_eq!(
                above_quote(&text, "x\ncut here"),
                "One: yes\n\nTwo",
                "{quote}"
            );
        }
        let text = "One: two\nthree: four\n\n-- \nAlice\n";
        assert_eq!(above_quote(text, ""), text);
        assert_eq!(above_quote("", "\n"), "");
    }

    #[test]
    fn reply_address_has_room_for_a_token() {
        for address in [
            "",
            "reply@example.net",
            "quarry@localhost",
            "a.b-c_d@mail.example.net",
        ] {
            assert!(is_reply_address(address), "{address}");
        }
        for address in [
            "reply",
            "@example.net",
            "reply@",
            "reply+x@example.net",
            "a b@example.net",
            "a..b@example.net",
            ".a@example.net",
            "seventeen-letters@example.net",
            "a@b@c",
            "a@b..c",
            "ä@example.net",
            "a@example.net\nBcc: b@example.net",
        ] {
            assert!(!is_reply_address(address), "{address}");
        }
    }

    #[test]
    fn detail_that_is_too_long_gives_no_address() {
        assert_eq!(
            with_detail("reply@example.net", "abc").as_deref(),
            Some("reply+abc@example.net")
        );
        assert_eq!(with_detail("reply@example.net", &"a".repeat(59)), None);
        assert_eq!(with_detail("", "abc"), None);
    }
}
