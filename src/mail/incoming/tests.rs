//! Tests with mails as common programs write them, and with hostile ones.

use super::*;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// Returns a mail with this header and body, with the line breaks of mails.
fn mail(header: &str, body: &str) -> Vec<u8> {
    format!("From: Alice <alice@example.net>\nMessage-ID: <1@example.net>\n{header}\n\n{body}")
        .replace('\n', "\r\n")
        .into_bytes()
}

fn parsed(header: &str, body: &str) -> IncomingMail {
    parse(&mail(header, body), "").unwrap()
}

fn answer(header: &str, body: &str) -> String {
    parsed(header, body).answer
}

const PLAIN: &str = "Content-Type: text/plain; charset=utf-8";

#[test]
fn gmail_quote_is_cut() {
    let body = "--b\nContent-Type: text/plain; charset=\"UTF-8\"\n\nDone, thanks.\n\nOn Fri, Nov 20, 2026 at 12:00 PM Quarry <quarry@example.net>\nwrote:\n\n> -- Reply above this line --\n>\n> Please fix\n> it.\n>\n\n--b\nContent-Type: text/html; charset=\"UTF-8\"\n\n<div>Done, thanks.</div><div class=\"gmail_quote\">On Fri <blockquote>Please fix</blockquote></div>\n--b--\n";
    let mail = parsed("Content-Type: multipart/alternative; boundary=\"b\"", body);
    assert_eq!(mail.answer, "Done, thanks.");
    assert!(mail.text.contains("> Please fix"), "{}", mail.text);
    assert!(mail.files.is_empty());
}

#[test]
fn outlook_quote_is_cut() {
    let body = "I will look at it.\n\nRegards\nAlice\n\n________________________________\nFrom: Quarry <quarry@example.net>\nSent: Friday, November 20, 2026 12:00\nTo: Alice\nSubject: [A - Bug #1] Crash\n\n-- Reply above this line --\nPlease fix it.\n";
    assert_eq!(answer(PLAIN, body), "I will look at it.\n\nRegards\nAlice");
    let german = "Erledigt.\n\nVon: Quarry <quarry@example.net>\nGesendet: Freitag, 20. November 2026 12:00\nAn: Alice\nBetreff: Absturz\n\n-- Reply above this line --\n\nBitte beheben.\n";
    assert_eq!(answer(PLAIN, german), "Erledigt.");
    let older = "Done.\n\n-----Original Message-----\nFrom: Quarry\nSent: today\nTo: Bob\n-- Reply above this line --\nPlease fix it.\n";
    assert_eq!(answer(PLAIN, older), "Done.");
    let html = "<html><head><style>p {color: red}</style></head><body><p class=MsoNormal>See <a href=\"https://example.net/a?b=1&amp;c=2\">the page</a>.</p><div style='border-top:solid #E1E1E1 1.0pt'><p><b>From:</b> Quarry &lt;quarry@example.net&gt;<br><b>Sent:</b> Friday<br><b>To:</b> Alice<br><b>Subject:</b> Crash</p></div><p>-- Reply above this line --</p><p>Please fix it.</p></body></html>";
    assert_eq!(
        answer("Content-Type: text/html; charset=us-ascii", html),
        "See the page <https://example.net/a?b=1&c=2>."
    );
}

#[test]
fn apple_mail_quote_is_cut() {
    let body = "That is right.\n\n> On 20. Nov 2026, at 12:00, Quarry <quarry@example.net> wrote:\n> \n> Please fix it.\n";
    assert_eq!(answer(PLAIN, body), "That is right.");
    let html = "<html><body>That is right.<br id=\"x\"><div><br><blockquote type=\"cite\"><div>On 20. Nov 2026, at 12:00, Quarry wrote:</div><br><div>Please fix it.</div></blockquote></div></body></html>";
    assert_eq!(answer("Content-Type: text/html", html), "That is right.");
}

#[test]
fn thunderbird_answer_between_quotes_is_kept() {
    let body = "Am 20.11.2026 um 12:00 schrieb Quarry:\n> Which version?\n\nVersion 3.\n\n> And which system?\n\nDebian.\n\n-- \nAlice Example\nExample Ltd.\n";
    assert_eq!(
        answer(PLAIN, body),
        "Am 20.11.2026 um 12:00 schrieb Quarry:\n> Which version?\n\nVersion 3.\n\n> And which system?\n\nDebian."
    );
    let top = "Version 3.\n\nAm 20.11.2026 um 12:00 schrieb Quarry:\n> Which version?\n> More.\n";
    assert_eq!(answer(PLAIN, top), "Version 3.");
}

#[test]
fn lines_of_phones_are_cut() {
    let body = "Yes, please.\n\nSent from my iPhone\n\n> On Nov 20, 2026, at 12:00, Quarry <quarry@example.net> wrote:\n> \n> May I?\n";
    assert_eq!(answer(PLAIN, body), "Yes, please.");
    let android = "Ja.\n\nVon meinem Telefon gesendet\n";
    assert_eq!(answer(PLAIN, android), "Ja.");
    let outlook = "Yes.\n\nGet Outlook for iOS<https://example.net/>\n________________________________\nFrom: Quarry\nSent: today\n\n-- Reply above this line --\n";
    assert_eq!(answer(PLAIN, outlook), "Yes.");
}

#[test]
fn own_delimiter_and_those_of_the_setting_decide_first() {
    let body = "Fixed.\n\n> -- Reply above this line --\n> Not part of it.\n";
    assert_eq!(answer(PLAIN, body), "Fixed.");
    let unquoted = "Fixed.\n\nLe ven. 20 nov. 2026 à 12:00, Quarry <quarry@example.net> a écrit :\n\n-- Reply above this line --\nAlice has changed the issue.\n";
    assert_eq!(answer(PLAIN, unquoted), "Fixed.");
    let raw = mail(PLAIN, "Fixed.\n> ==== cut ====\n> more\n");
    assert_eq!(parse(&raw, "---\n==== cut ====").unwrap().answer, "Fixed.");
    assert_eq!(
        answer(PLAIN, "-- Reply above this line --\nbelow\n"),
        "",
        "nothing was written above the line"
    );
}

#[test]
fn text_that_only_looks_like_a_quote_is_kept() {
    for text in [
        "From: the beginning it was broken.",
        "He wrote:",
        "On 5 machines\n\nit works.",
        "```\n--- a/file\n+++ b/file\n```",
        "-----\nnot a mail\n-----",
        "> Is it so?\n\nYes.",
        "On Friday, 20 Nov 2026, Quarry wrote:\n\nthe answer below",
    ] {
        assert_eq!(answer(PLAIN, text), text);
    }
}

#[test]
fn transfer_encodings_are_decoded() {
    let base64 = "R3LDvMOfZSBhdXMgS8O2bG4uCgo+IHF1b3RlCg==\n";
    let header = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64";
    assert_eq!(answer(header, base64), "Grüße aus Köln.\n\n> quote");
    let header =
        "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: Quoted-Printable";
    assert_eq!(
        answer(header, "Gr=C3=BC=C3=9Fe =\naus K=C3=B6ln."),
        "Grüße aus Köln."
    );
    assert!(
        answer(header, "100 %=ZZ").contains("100 %"),
        "broken encodings stay readable"
    );
}

#[test]
fn character_sets_are_decoded_and_unknown_ones_never_fail() {
    let with = |charset: &str, bytes: &[u8]| {
        let mut raw = mail(&format!("Content-Type: text/plain; charset={charset}"), "");
        raw.extend_from_slice(bytes);
        parse(&raw, "").unwrap().answer
    };
    assert_eq!(with("iso-8859-1", b"Gr\xfc\xdfe"), "Grüße");
    assert_eq!(with("Shift_JIS", b"\x93\xfa\x96\x7b\x8c\xea"), "日本語");
    assert_eq!(with("utf-8", b"Gr\xfc\xdfe"), "Grüße", "wrongly declared");
    assert_eq!(with("no-such-set", "Grüße".as_bytes()), "Grüße");
    assert_eq!(with("utf-16le", b"a\x00b\x00"), "ab");
    assert!(!with("utf-8", b"a\xff\xfe\x00\x80b").is_empty());
    let subject = parsed(
        "Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\n =?iso-8859-1?b?9g==?=",
        "x",
    )
    .subject;
    assert_eq!(subject, "Grüßeö");
}

#[test]
fn wrapped_lines_are_joined() {
    let header = "Content-Type: text/plain; format=flowed; charset=utf-8";
    let body = "This line is \nwrapped.\n From: kept\n\n> a quoted \n> line\n";
    assert_eq!(
        answer(header, body),
        "This line is wrapped.\nFrom: kept\n\n> a quoted line"
    );
    let body = "One\n-- \nAlice\n";
    assert_eq!(answer(header, body), "One");
    let header = "Content-Type: text/plain; format=flowed; delsp=yes";
    assert_eq!(answer(header, "日 \n本"), "日本");
}

#[test]
fn nested_parts_give_text_and_files() {
    let body = "--m\nContent-Type: multipart/related; boundary=r\n\n--r\nContent-Type: multipart/alternative; boundary=a\n\n--a\nContent-Type: text/plain\n\nSee the picture.\n--a\nContent-Type: text/html\n\n<p>See the picture.</p><img src=\"cid:1\">\n--a--\n--r\nContent-Type: image/png; name=\"=?utf-8?q?B=C3=A4r.png?=\"\nContent-ID: <1>\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n--r--\n--m\nContent-Type: text/plain; name=notes.txt\nContent-Disposition: attachment; filename*=utf-8''n%C3%B6tes.txt\n\nnotes\n--m\nContent-Type: message/rfc822\n\nSubject: inner\n\nhidden text\n--m--\n";
    let mail = parsed("Content-Type: multipart/mixed; boundary=m", body);
    assert_eq!(mail.answer, "See the picture.");
    let names: Vec<&str> = mail
        .files
        .iter()
        .map(|file| file.filename.as_str())
        .collect();
    assert_eq!(names, ["Bär.png", "nötes.txt", "message.eml"]);
    assert_eq!(mail.files[0].content, b"\x89PNG\r\n\x1a\n");
    assert_eq!(mail.files[0].content_type, "image/png");
    assert!(mail.files[2].content.starts_with(b"Subject: inner"));
}

#[test]
fn html_alone_becomes_text() {
    let html = "<!-- a > b --><body><h1>Title</h1><p>One&nbsp;two &lt;tag&gt; &#8364; &unknown; & more<br>line</p><ul><li>first<li><a href='mailto:bob@example.net'>bob@example.net</a></ul><pre>a\n  b</pre><script>alert(1)</script><a href=\"javascript:x()\">x</a> 1 < 2";
    assert_eq!(
        answer("Content-Type: text/html; charset=utf-8", html),
        "Title\nOne two <tag> € &unknown; & more\nline\n\n- first\n- bob@example.net\na\n  b\nx 1 < 2"
    );
}

#[test]
fn senders_and_tokens_are_found() {
    let token = "a2".repeat(20);
    let other = "b3".repeat(20);
    let header = format!(
        "To: \"Reply\" <reply+{}@example.net>,\n bob@example.net\nReferences: <old.{other}@example.net>\n <new.{token}@example.net>\nSubject: Re:\n folded",
        token.to_uppercase()
    );
    let found = parsed(&header, "x");
    assert_eq!(found.from, ["alice@example.net"]);
    assert_eq!(found.token_candidates, [token, other]);
    assert_eq!(found.subject, "Re: folded");
    assert_eq!(found.message_id, "<1@example.net>");
    let twice = parse(b"From: a@example.net\nFrom: b@example.net\n\nx", "").unwrap();
    assert_eq!(twice.from, Vec::<String>::new(), "two senders are none");
    let spaced = parse(b"To: b@example.net\nFrom : a@example.net\n\nx", "").unwrap();
    assert_eq!(spaced.from, Vec::<String>::new());
    for group in [
        "mallory@example.org:a@example.net",
        "nobody:; a@example.net",
        "g: a@example.net;",
    ] {
        let mail = parse(format!("From: {group}\n\nx").as_bytes(), "").unwrap();
        assert!(mail.from.is_empty(), "{group}: {:?}", mail.from);
    }
    let many = parse(b"From: a@example.net, b@example.net\n\nx", "").unwrap();
    assert_eq!(many.from, ["a@example.net", "b@example.net"]);
    let piped = parse(b"From alice Fri Nov 20\nFrom: A@Example.NET\n\nx", "").unwrap();
    assert_eq!(piped.from, ["a@example.net"]);
}

#[test]
fn automatic_mails_are_recognized() {
    for (header, name) in [
        ("Auto-Submitted: auto-replied", "Auto-Submitted"),
        ("auto-submitted: Auto-Generated; x=y", "Auto-Submitted"),
        ("Precedence: bulk", "Precedence"),
        ("Precedence: LIST", "Precedence"),
        ("X-Auto-Response-Suppress: OOF", "X-Auto-Response-Suppress"),
        ("X-Autoreply: yes", "X-Autoreply"),
        ("Return-Path: <>", "Return-Path"),
        ("X-Loop: quarry", "X-Loop"),
        ("Content-Type: multipart/report; boundary=x", "Content-Type"),
        ("X-Precedence: bulk", "Precedence"),
        ("X-Mail-Autoreply: yes", "X-Autoreply"),
        ("X-Vacation: on", "X-Autoreply"),
        (
            "X-POST-MessageClass: 9; Autoresponder",
            "X-POST-MessageClass",
        ),
        ("Return-Path: <MAILER-DAEMON@example.net>", "Return-Path"),
        ("Subject: Automatic reply: [A - Bug #1] Crash", "Subject"),
        ("Subject: =?utf-8?q?Abwesenheitsnotiz:_Urlaub?=", "Subject"),
    ] {
        assert_eq!(parsed(header, "x").automatic, Some(name), "{header}");
    }
    for header in [
        "Auto-Submitted: no",
        "Auto-Submitted: no (written by a person)",
        "X-Auto-Response-Suppress: None",
        "Subject: Re: Automatic reply: how it works",
        "Precedence: first-class",
        "Return-Path: <alice@example.net>",
    ] {
        assert_eq!(parsed(header, "x").automatic, None, "{header}");
    }
}

#[test]
fn mails_beyond_the_limits_are_refused() {
    assert_eq!(parse(b"", ""), Err(MailError::NoHeader));
    assert_eq!(parse(b"no header at all", ""), Err(MailError::NoHeader));
    assert_eq!(
        parse(&vec![b'a'; MAX_MAIL_SIZE + 1], ""),
        Err(MailError::TooLarge)
    );
    let fields = "X-A: b\n".repeat(1001);
    assert_eq!(
        parse(&mail(fields.trim_end(), "x"), ""),
        Err(MailError::LongHeader)
    );
    let long = format!("Subject: {}", "a".repeat(65 * 1024));
    assert_eq!(parse(&mail(&long, "x"), ""), Err(MailError::LongHeader));
    let folded = format!("Subject: a{}", "\n b".repeat(40_000));
    assert_eq!(parse(&mail(&folded, "x"), ""), Err(MailError::LongHeader));
    let many = format!("To: {}", vec!["a@b.c"; 101].join(","));
    assert_eq!(
        parse(&mail(&many, "x"), ""),
        Err(MailError::TooManyAddresses)
    );
    let bomb = "--b\n\nx\n".repeat(1000);
    let header = "Content-Type: multipart/mixed; boundary=b";
    assert_eq!(
        parse(&mail(header, &bomb), ""),
        Err(MailError::TooManyParts)
    );
    let mut nested = String::new();
    for depth in 0..20 {
        write!(
            nested,
            "--b{depth}\nContent-Type: multipart/mixed; boundary=b{}\n\n",
            depth + 1
        )
        .unwrap();
    }
    let header = "Content-Type: multipart/mixed; boundary=b0";
    assert_eq!(
        parse(&mail(header, &nested), ""),
        Err(MailError::NestedTooDeeply)
    );
}

#[test]
fn hostile_mails_take_no_longer_than_others() {
    const SIZE: usize = 4 * 1024 * 1024;
    let fill = |unit: &str| unit.repeat(SIZE / unit.len());
    let multipart = "Content-Type: multipart/mixed; boundary=b";
    let html = "Content-Type: text/html";
    let start = Instant::now();
    for (header, body) in [
        (PLAIN, fill("> On 1 a wrote:\n")),
        (PLAIN, fill("On 1 a wrote:\n")),
        (PLAIN, fill("From: a\n")),
        (PLAIN, fill("____________________\n")),
        (PLAIN, fill("--\n")),
        (PLAIN, fill("\0\r\n")),
        (html, fill("<")),
        (html, fill("<a href=\"http://a/\">")),
        (html, fill("<blockquote>")),
        (html, fill("&amp")),
        (html, fill("<!-- ")),
        (html, fill("<p title='")),
        (multipart, fill("--")),
        (multipart, fill("--b-\n")),
        ("Content-Type: text/plain; format=flowed", fill(">>>> a \n")),
        (
            "Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable",
            fill("=\n"),
        ),
        (
            "Content-Type: text/plain\nContent-Transfer-Encoding: base64",
            fill("AAAA\n"),
        ),
    ] {
        let _ = parse(&mail(header, &body), "");
    }
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn names_of_files_are_bounded() {
    let pieces: String = (0..900).fold(String::new(), |mut text, number| {
        write!(
            text,
            ";\n filename*{number}*=utf-8''%41%2F{}",
            "a".repeat(50)
        )
        .unwrap();
        text
    });
    for disposition in [
        format!("attachment{pieces}"),
        format!("attachment; filename=\"{}\"", "b".repeat(60_000)),
        format!("attachment; filename=\"{}\"", "=?utf-8?q?c?= ".repeat(4000)),
    ] {
        let body = format!("--b\nContent-Disposition: {disposition}\n\nx\n--b--\n");
        let raw = mail("Content-Type: multipart/mixed; boundary=b", &body);
        if let Ok(mail) = parse(&raw, "") {
            assert_eq!(mail.files.len(), 1);
            assert!(
                mail.files[0].filename.chars().count() <= 255,
                "{}",
                mail.files[0].filename.len()
            );
        }
    }
}

#[test]
fn bytes_of_any_kind_never_panic() {
    let mut state = 1u64;
    let words: [&[u8]; 12] = [
        b"\r\n",
        b"\n\n",
        b"--b",
        b"Content-Type: multipart/mixed; boundary=b\r\n",
        b"Content-Transfer-Encoding: base64\r\n",
        b"Subject: =?utf-8?b?",
        b"\0",
        b"\xff\xfe",
        b"<a href=\"",
        b"&#x",
        b"From: <a@b>, (",
        b"Content-Type: text/html; charset=\"",
    ];
    for _ in 0..3000 {
        let mut raw = b"From: a@b\r\n".to_vec();
        for _ in 0..12 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            raw.extend_from_slice(words[(state >> 33) as usize % words.len()]);
        }
        let _ = parse(&raw, "");
    }
}
