//! Forms as `application/x-www-form-urlencoded`, in the shortest way that every parser of it reads.

use percent_encoding::percent_decode;

/// Appends a field. Only bytes that have a meaning in a form or in HTML are encoded, and those of
/// text that is not UTF-8. So a long text stays about as long in every alphabet.
pub fn push_field(form: &mut Vec<u8>, name: &[u8], value: &[u8]) {
    if !form.is_empty() {
        form.push(b'&');
    }
    push_text(form, name);
    form.push(b'=');
    push_text(form, value);
}

fn push_text(form: &mut Vec<u8>, text: &[u8]) {
    let is_utf8 = std::str::from_utf8(text).is_ok();
    for &byte in text {
        match byte {
            b' ' => form.push(b'+'),
            b'%' | b'&' | b'+' | b'=' | b'<' | b'>' | b'"' | b'\'' | b'\x7f' => encode(form, byte),
            0..b' ' => encode(form, byte),
            b'\x80'.. if !is_utf8 => encode(form, byte),
            _ => form.push(byte),
        }
    }
}

fn encode(form: &mut Vec<u8>, byte: u8) {
    form.extend_from_slice(percent_encoding::percent_encode_byte(byte).as_bytes());
}

/// Encodes the fields of a form again. Fields without `=` are left out.
pub fn shorten(form: &[u8]) -> Vec<u8> {
    let mut shortened = Vec::with_capacity(form.len());
    for field in form.split(|byte| *byte == b'&') {
        if let Some(equals) = field.iter().position(|byte| *byte == b'=') {
            push_field(
                &mut shortened,
                &decode(&field[..equals]),
                &decode(&field[equals + 1..]),
            );
        }
    }
    shortened
}

fn decode(text: &[u8]) -> Vec<u8> {
    let spaced: Vec<u8> = text
        .iter()
        .map(|byte| if *byte == b'+' { b' ' } else { *byte })
        .collect();
    percent_decode(&spaced).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_wire::{Input, from_form};

    #[test]
    fn fields_survive_and_letters_of_every_alphabet_stay_as_they_are() {
        let value = "a b+c&d=e%41 <\"'>\r\n語ß\u{7f}";
        let mut form = Vec::new();
        push_field(&mut form, b"issue[notes]", value.as_bytes());
        push_field(&mut form, b"other", b"x");
        let fields = from_form(&form).unwrap();
        assert_eq!(fields, from_form(&shorten(&form)).unwrap());
        assert_eq!(
            fields
                .at(&["issue", "notes"])
                .and_then(Input::as_text)
                .as_deref(),
            Some(value)
        );
        assert_eq!(
            fields.get("other").and_then(Input::as_text).as_deref(),
            Some("x")
        );
        assert!(
            form.windows("語ß".len())
                .any(|part| part == "語ß".as_bytes())
        );
    }

    #[test]
    fn form_of_a_browser_becomes_shorter() {
        let shortened = shorten(b"notes=%E8%AA%9E+%2B&flag&x=1");
        assert_eq!(String::from_utf8(shortened).unwrap(), "notes=語+%2B&x=1");
        assert_eq!(shorten(b"x=%FF"), b"x=%FF");
    }
}
