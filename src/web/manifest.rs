//! `GET /manifest.webmanifest`: how browsers install the service as an application.
//!
//! All addresses in it are relative to its own, so it is right below any base path.

use crate::assets;
use crate::prelude::*;
use quarry_domain::administration::setting::Setting;

const MANIFEST: &str = "application/manifest+json";
/// The colour behind the icon while the application starts: that of the accent.
const COLOUR: &str = "#0b6b64";

/// Returns the route.
pub fn routes() -> Routes {
    Routes::new().route("/manifest", get(read_handler(show).open()))
}

/// Browsers load it without cookies, so it says the same to everybody.
fn show(_: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let name = escape(db.catalogue().setting(Setting::AppTitle));
    let icon = |file: &str, purpose: &str| {
        let path = assets::url(file).trim_start_matches('/');
        format!(r#"{{"src":"{path}","sizes":"any","type":"image/svg+xml","purpose":"{purpose}"}}"#)
    };
    let icons = [icon("favicon.svg", "any"), icon("app-icon.svg", "maskable")].join(",");
    let text = format!(
        r#"{{"name":"{name}","short_name":"{name}","start_url":"./","scope":"./","display":"standalone","background_color":"{COLOUR}","theme_color":"{COLOUR}","icons":[{icons}]}}"#
    );
    Ok(Reply::document(MANIFEST, text.into_bytes()))
}

/// Returns a text as it stands between the quotes of JSON.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '"' | '\\' => escaped.extend(['\\', character]),
            character if character.is_control() => {
                escaped.push_str(&format!("\\u{:04x}", u32::from(character)));
            }
            character => escaped.push(character),
        }
    }
    escaped
}
