//! The key of a second factor, as an authenticator app needs it.

use qrcode::QrCode;
use qrcode::render::svg;
use quarry_actions::accounts::two_factor::address;
use quarry_domain::accounts::user::User;
use quarry_domain::administration::setting::Setting;
use quarry_http::Error;
use quarry_store::Read;
use quarry_store::accounts::two_factor;

/// A key that is not in use yet.
pub struct TotpKey {
    /// The key in groups of four characters.
    pub text: String,
    /// The QR code as SVG.
    pub qr_code: String,
}

impl TotpKey {
    /// Loads the key that was prepared for the user, if there is one.
    pub fn load(db: &Read<'_>, user: &User) -> Result<Option<TotpKey>, Error> {
        let key = two_factor::key(db, user.id)?;
        Ok(key.and_then(|key| {
            TotpKey::new(&key, db.catalogue().setting(Setting::AppTitle), &user.login)
        }))
    }

    fn new(key: &str, issuer: &str, login: &str) -> Option<TotpKey> {
        let code = QrCode::new(address(key, issuer, login)?).ok()?;
        let image = code
            .render::<svg::Color<'_>>()
            .min_dimensions(220, 220)
            .build();
        // Within a page the declaration of XML is not allowed.
        let qr_code = image.find("<svg").map(|start| image[start..].to_owned())?;
        let groups: Vec<String> = key
            .as_bytes()
            .chunks(4)
            .map(|group| String::from_utf8_lossy(group).into_owned())
            .collect();
        Some(TotpKey {
            text: groups.join(" "),
            qr_code,
        })
    }
}
