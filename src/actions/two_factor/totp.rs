use totp_rs::{Builder, Secret, Totp};

/// Length of a new key in bytes, as RFC 4226 recommends.
pub const KEY: usize = 20;
/// Time for which a code is valid, in seconds.
pub const STEP: u64 = 30;

/// Returns the base32 form of a new key.
pub fn encode(key: [u8; KEY]) -> String {
    Secret::from(key).to_base32()
}

/// Returns the time of the code in seconds since 1970 when it is valid now, one step earlier, or
/// one later.
pub fn check(key: &str, code: &str, now: u64) -> Option<i64> {
    let counter = totp(key, None)?.check(code, now)?;
    i64::try_from(counter * STEP).ok()
}

/// Returns the `otpauth:` address of a key, which apps read from a QR code.
pub fn address(key: &str, issuer: &str, login: &str) -> Option<String> {
    totp(key, Some((issuer, login)))?.to_url().ok()
}

fn totp(key: &str, label: Option<(&str, &str)>) -> Option<Totp> {
    let secret = Secret::try_from_base32(key).ok()?;
    let is_empty = AsRef::<[u8]>::as_ref(&secret).is_empty();
    let builder = Builder::new().with_secret(secret);
    let plain = |text: &str| text.replace(':', " ").trim().to_owned();
    let builder = match label {
        Some((issuer, login)) => builder
            .with_issuer(Some(plain(issuer)))
            .with_account_name(plain(login)),
        None => builder,
    };
    // Keys that were imported may be shorter than RFC 4226 recommends.
    (!is_empty).then(|| builder.build_noncompliant())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The key of the test vectors in RFC 6238, "12345678901234567890".
    const RFC_KEY: &str = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

    #[test]
    fn codes_are_those_of_rfc_6238() {
        for (now, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
        ] {
            assert_eq!(
                check(RFC_KEY, code, now),
                i64::try_from(now / 30 * 30).ok(),
                "{now}"
            );
        }
        assert_eq!(check(RFC_KEY, "287082", 59 + 30), Some(30));
        assert_eq!(check(RFC_KEY, "287082", 59 + 90), None);
        assert_eq!(
            (
                check(RFC_KEY, "", 59),
                check("", "287082", 59),
                check("!", "287082", 59)
            ),
            (None, None, None)
        );
        assert_eq!(encode(*b"12345678901234567890"), RFC_KEY);
    }

    #[test]
    fn address_names_application_and_login() {
        let address = address(RFC_KEY, "Quarry: test", "alice").unwrap();
        assert!(
            address.starts_with("otpauth://totp/")
                && address.contains(RFC_KEY)
                && address.contains("alice"),
            "{address}"
        );
    }
}
