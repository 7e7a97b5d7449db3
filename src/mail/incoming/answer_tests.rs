//! What of a text is the answer, and which parts are files: nothing that a person wrote is lost.

use super::answer::cut;
use super::parse;
use quarry_domain::content::incoming_mail::{IncomingMail, REPLY_DELIMITER};

fn parsed(header: &str, body: &str) -> IncomingMail {
    let mail = format!("From: alice@example.net\n{header}\n\n{body}").replace('\n', "\r\n");
    parse(mail.as_bytes(), "").unwrap()
}

fn answer(body: &str) -> String {
    parsed("Content-Type: text/plain; charset=utf-8", body).answer
}

#[test]
fn text_that_only_looks_like_a_quote_or_a_signature_is_kept() {
    for text in [
        "Summary\n--\nThe actual long text\nof three lines",
        "Hello,\n\nOn 12 November 2026 the customer wrote:\nThe printer explodes.\n\nMy opinion: IMPORTANT",
        "Here is the header of the broken mail:\n\nFrom: a@example.net\nSent: today\nTo: b@example.net\nSubject: x\n\nAs you see: IMPORTANT",
        "Ich habe es getestet.\nVon meinem Rechner aus geht es nicht.",
        "Von meinem Rechner aus geht es nicht.",
        "Where was it sent?\nSent from my script at 10:00, answer 500.",
        "Log:\n----- Original Message -----\nfoo\nIMPORTANT below",
        "Run this:\n\n> DROP TABLE x;",
        "Your notices begin with -- Reply above this line -- every time.\nWhy?",
        "Sent from my iPhone\nthis works",
    ] {
        assert_eq!(answer(text), text);
    }
    let long = format!("above\n-- \n{}", "line\n".repeat(30).trim_end());
    assert_eq!(
        answer(&long),
        long.replace("-- \n", "--\n"),
        "no signature is so long"
    );
}

#[test]
fn what_programs_add_is_still_cut() {
    let quoted = "> -- Reply above this line --\n>\n> Alice wrote";
    for text in [
        format!("Done.\n\n{quoted}"),
        format!("Done.\n\nOn Fri, Nov 20, 2026 at 12:00 AM Quarry\nNotices <quarry@example.net>\nwrote:\n\n{quoted}"),
        format!("Done.\n-- \nBob\n\nOn 20 Nov 2026, Quarry wrote:\n{quoted}"),
        format!("Done.\n\n> On 20. Nov 2026, at 12:00, Quarry wrote:\n> \n{quoted}"),
        "Done.\n\nOn 20 Nov 2026, Quarry wrote: -- Reply above this line -- Alice: hidden".to_owned(),
        "Done.\n\nLähettäjä: Quarry <q@example.net>\nLähetetty: tänään\nAihe: x\n\n-- Reply above this line --\nhidden".to_owned(),
        "Done.\n\nSent from my iPhone.".to_owned(),
        "Done.\n\nGet Outlook for Android<https://example.net/a>".to_owned(),
        "Done.\n\nOn 20 Nov 2026, Quarry wrote:\n> a part of it".to_owned(),
    ] {
        assert_eq!(answer(&text), "Done.", "{text}");
    }
    // The own lines above a header stay.
    let text = "Status: ok\nVersion: 3\nSystem: Debian\n\nFrom: Quarry\nSent: today\nTo: Bob\n\n-- Reply above this line --\n";
    assert_eq!(answer(text), "Status: ok\nVersion: 3\nSystem: Debian");
    let text = "Status: ok\nVersion: 3\nSystem: Debian\n\n> -- Reply above this line --\n";
    assert_eq!(answer(text), "Status: ok\nVersion: 3\nSystem: Debian");
    assert_eq!(answer("Sent from my iPhone"), "");
    assert_eq!(answer("On 20 Nov 2026, Quarry wrote:\n> x\n> y"), "");
}

#[test]
fn answers_between_the_quotes_of_a_notice_are_kept_with_the_lines_before_them() {
    let text = "Hi, see inline.\n\nOn 20 Nov 2026, Quarry wrote:\n> -- Reply above this line --\n>\n> * set Salary to 9\n>\n> Which version?\n\nVersion 3.\nReally.\n\n> And which\n> system?\nDebian.\n\n> No more mails: http://x/\n\n-- \nBob\n";
    assert_eq!(
        answer(text),
        "Hi, see inline.\n\n> Which version?\n\nVersion 3.\nReally.\n\n> And which\n> system?\n\nDebian."
    );
    let wrapped = format!(
        "> -- Reply above this line --\n> {}\nof the line\n> end\n\nYes.\n",
        "word ".repeat(15).trim()
    );
    assert!(
        answer(&wrapped).ends_with("\n> end\n\nYes."),
        "{}",
        answer(&wrapped)
    );
    assert_eq!(
        answer("> -- Reply above this line --\n> What?\n\nAt the end."),
        "> What?\n\nAt the end."
    );
}

#[test]
fn text_part_with_a_file_name_is_a_file() {
    let body = "--b\nContent-Type: text/plain\n\nSee the log.\n--b\nContent-Type: text/plain; name=log.txt\nContent-Disposition: inline; filename=log.txt\n\nline\n--\nlast\n--b\nContent-Type: text/plain\n\nThat is all.\n--b--\n";
    let mail = parsed("Content-Type: multipart/mixed; boundary=b", body);
    assert_eq!(mail.answer, "See the log.\nThat is all.");
    assert_eq!(mail.files.len(), 1);
    assert_eq!(mail.files[0].filename, "log.txt");
    assert_eq!(mail.files[0].content, b"line\r\n--\r\nlast");
    let alone = parsed("Content-Type: text/plain; name=mail.txt", "the text");
    assert_eq!(alone.answer, "the text");
}

#[test]
fn comment_within_a_script_hides_nothing() {
    let html = "<head><style><!-- p {} </style><script>var a = \"<!--\"; if (a < 1) {}</script></head><body><script>'<!--'</SCRIPT ><p>REST</p>--&nbsp;<br>Bob";
    assert_eq!(parsed("Content-Type: text/html", html).answer, "REST");
}

#[test]
fn odd_names_and_types_of_files_are_cleaned() {
    let part = |header: &str| format!("--b\n{header}\n\nx\n");
    let long = "n".repeat(300);
    let body = [
        "--b\nContent-Type: text/plain\n\nfiles\n".to_owned(),
        part(&format!(
            "Content-Type: image/png\nContent-Disposition: attachment; filename=\"{long}.png\""
        )),
        part("Content-Type: pdf\nContent-Disposition: attachment; filename=a.pdf"),
        part("Content-Type: */*\nContent-Disposition: attachment; filename=/"),
    ]
    .concat()
        + "--b--\n";
    let mail = parsed("Content-Type: multipart/mixed; boundary=b", &body);
    let files: Vec<(usize, &str, &str)> = mail
        .files
        .iter()
        .map(|file| {
            let end = file.filename.len().saturating_sub(4);
            (
                file.filename.len(),
                &file.filename[end..],
                file.content_type.as_str(),
            )
        })
        .collect();
    assert_eq!(
        files,
        [
            (255, ".png", "image/png"),
            (5, ".pdf", "application/octet-stream"),
            (4, "file", "application/octet-stream"),
        ]
    );
}

#[test]
fn texts_of_attached_mails_are_decoded_beside_the_original() {
    let inner = "Subject: inner\nContent-Type: multipart/mixed; boundary=i\n\n--i\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\naGVsbG8=\n--i\nContent-Type: text/plain\n\nplain\n--i--\n";
    let body = format!("--b\n\nSee it.\n--b\nContent-Type: message/rfc822\n\n{inner}--b--\n");
    let mail = parsed("Content-Type: multipart/mixed; boundary=b", &body);
    let file = &mail.files[0];
    assert_eq!(file.filename, "message.eml");
    let original = String::from_utf8_lossy(&file.content);
    assert!(original.contains("aGVsbG8="), "{original}");
    let decoded = String::from_utf8_lossy(file.decoded.as_deref().unwrap()).into_owned();
    assert!(
        decoded.contains("hello") && decoded.contains("plain"),
        "{decoded}"
    );
    assert!(!decoded.contains("base64"), "{decoded}");
    let plain = body.replace("Content-Transfer-Encoding: base64\n", "");
    let mail = parsed("Content-Type: multipart/mixed; boundary=b", &plain);
    assert_eq!(mail.files[0].decoded, None);
}

#[test]
fn little_of_a_very_long_text_is_read() {
    let lines = parsed("Content-Type: text/plain", &"\n".repeat(8_000_000));
    assert!(lines.text.len() <= 1024 * 1024 + 10, "{}", lines.text.len());
    let base64 = parsed(
        "Content-Type: text/plain\nContent-Transfer-Encoding: base64",
        &"YWFh".repeat(3_000_000),
    );
    assert!(base64.answer.starts_with("aaaa") && base64.answer.len() <= 1024 * 1024 + 10);
}

#[test]
fn names_and_subjects_that_programs_have_cut_are_joined() {
    let subject = |value: &str| {
        let header = format!("Subject: {value}");
        parsed(&header, "x").subject
    };
    let cut = "=?utf-8?B?0J/RgNC+0A==?=\n =?utf-8?B?sdC70LXQvNCw?=";
    assert_eq!(subject(cut), "Проблема");
    assert_eq!(
        subject("=?Shift_JIS?B?k/qW?= =?shift_jis?Q?=7B=8C=EA?="),
        "日本語"
    );
    assert_eq!(subject("=?gb18030?Q?=D6?=\n\t=?gb18030?Q?=D0_a?="), "中 a");
    assert_eq!(subject("Re: =?utf-8?q?=C3?= =?utf-8?q?=A4?= b"), "Re: ä b");
    let name = |header: &str| {
        let body = format!("--b\n\ntext\n--b\n{header}\n\nx\n--b--\n");
        let mail = parsed("Content-Type: multipart/mixed; boundary=b", &body);
        mail.files[0].filename.clone()
    };
    let folded = "Content-Disposition: attachment; filename=\"=?UTF-8?B?0L7RgtGH?=\n =?UTF-8?B?0ZHRgi5wZGY=?=\"";
    assert_eq!(name(folded), "отчёт.pdf");
    let extended = "filename*=UTF-8''%E8%AF%AD%E8%A8%80.pdf";
    for parameters in [
        format!("filename=\"_____.pdf\"; {extended}"),
        format!("{extended}; filename=\"_____.pdf\""),
        "filename=_.pdf; filename*0*=UTF-8''%E8%AF%AD; filename*1*=%E8%A8%80.pdf".to_owned(),
    ] {
        let header = format!("Content-Disposition: attachment; {parameters}");
        assert_eq!(name(&header), "语言.pdf", "{parameters}");
    }
    let of_type = "Content-Type: application/pdf; name=\"_.pdf\"; name*=UTF-8''%E8%AF%AD.pdf";
    assert_eq!(name(of_type), "语.pdf");
}

#[test]
fn what_further_programs_write_before_a_quote_is_cut() {
    let quoted = "> -- Reply above this line --\n>\n> Alice wrote";
    let below = "-- Reply above this line --\nAlice wrote";
    for text in [
        format!("Done.\n\nDe: Quarry <q@example.org>\nEnviado el: lunes, 3 de noviembre de 2025 10:00\nPara: Ana <ana@example.org>\nAsunto: [Lab - Bug #1] x\n\n{below}"),
        format!("Done.\n\nDe: Quarry <q@example.org>\nEnviada em: segunda-feira, 3 de novembro de 2025 10:00\nPara: Ana <ana@example.org>\nAssunto: [Lab - Bug #1] x\n\n{below}"),
        format!("Done.\n\n*De:* Quarry\n*Enviado em:* segunda-feira\n*Para:* Ana\n\n{below}"),
        format!("Done.\n\nSent with Proton Mail secure email.\n\n------- Original Message -------\nOn Monday, November 3rd, 2025 at 10:00, Quarry <q@example.org> wrote:\n\n\n{quoted}"),
        format!("Done.\n\nSent with [Proton Mail](https://proton.me/) secure email.\n\nOn Monday, November 3rd, 2025 at 10:00, Quarry <q@example.org> wrote:\n\n{quoted}"),
        "Done.\n\nSent with Proton Mail secure email.\n\n------- Original Message -------\nOn Monday, November 3rd, 2025 at 10:00, Quarry <q@example.org> wrote:\n\n> a part of it".to_owned(),
        format!("Done.\n\n\n---- On Mon, 03 Nov 2025 10:00:00 +0100 Quarry <q@example.org> wrote ----\n\n{below}"),
        format!("Done.\n\n ---- On Mon, 03 Nov 2025 10:00:00 +0100 q@example.org wrote ---\n {quoted}"),
        format!("Done.\n\n\n\nFrom:        Quarry <q@example.org>\nTo:        Ana <ana@example.org>\nDate:        03.11.2025 10:00\nSubject:        [Lab - Bug #1] x\n________________________________\n\n\n\n{below}"),
        format!("Done.\n\n\nQuarry <q@example.org> \n03.11.2025 10:00\n\nTo\nAna <ana@example.org>\ncc\n\nSubject\n[Lab - Bug #1] x\n\n\n\n{below}"),
        format!("Done.\n\nQuarry/Lab <q@example.org>\n03.11.2025 10:00\n\nAn\nAna <ana@example.org>\nKopie\n\nThema\n[Lab - Bug #1] x\n\n{below}"),
    ] {
        assert_eq!(answer(&text), "Done.", "{text}");
    }
    for text in [
        "Assign it to\nTo\nBob\nSubject\nx",
        "Enviado el lunes.\nNota: una cosa",
        "---- On Monday it breaks ----",
    ] {
        let mail = format!("{text}\n\n{below}");
        assert_eq!(answer(&mail), text);
    }
}

#[test]
fn any_number_of_rules_before_the_delimiter_is_cut() {
    let rules = "-----------\n".repeat(200_000);
    let text = format!("Done.\n\n{rules}{REPLY_DELIMITER}\nhidden");
    assert_eq!(cut(&text, ""), "Done.");
}

#[test]
fn own_quotes_at_the_end_are_kept() {
    for text in [
        "No. Bob wrote:\n> please use port 8080",
        "I disagree.\n\nBob wrote:\n> please use port 8080\n> or 80",
        "Bob schrieb:\n\n> ja",
        "I disagree:\n> Bob wrote:\n> use 8080",
    ] {
        assert_eq!(answer(text), text);
    }
    let text = "Fixed, see below.\n\nOn 20 Nov 2026, Quarry wrote:\n> x";
    assert_eq!(answer(text), "Fixed, see below.");
}

#[test]
fn text_without_signature_keeps_quotes() {
    let without_signature =
        |text: &str| parsed("Content-Type: text/plain", text).text_without_signature;
    assert_eq!(
        without_signature("Please fix it.\n-- \nName"),
        "Please fix it."
    );
    assert_eq!(
        without_signature("See:\n> quoted\n\nSent from my iPhone"),
        "See:\n> quoted"
    );
    assert_eq!(
        without_signature("Best regards\n--\nName"),
        "Best regards\n--\nName"
    );
    assert_eq!(without_signature("-- \nName"), "-- \nName");
}
