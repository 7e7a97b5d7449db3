//! `GET /manifest.webmanifest`: how browsers install the service as an application.
//!
//! All addresses in it are relative to its own, so it is right below any base path.

use crate::assets;
use crate::prelude::*;
use quarry_domain::administration::setting::Setting;
use quarry_wire as wire;

const MANIFEST: &str = "application/manifest+json";
/// The color behind the icon while the application starts: that of the accent.
const COLOR: &str = "#0b6b64";

/// Returns the route.
pub fn routes() -> Routes {
    Routes::new().route("/manifest", get(read_handler(show).open()))
}

/// Browsers load it without cookies, so it says the same to everybody.
fn show(_: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let name = db.catalogue().setting(Setting::AppTitle);
    let icons = [("favicon.svg", "any"), ("app-icon.svg", "maskable")];
    let manifest = wire::object_without_root(|w| {
        w.field("name", name);
        w.field("short_name", name);
        w.field("start_url", "./");
        w.field("scope", "./");
        w.field("display", "standalone");
        w.field("background_color", COLOR);
        w.field("theme_color", COLOR);
        w.items("icons", "icon", icons, |w, (file, purpose)| {
            w.field("src", assets::url(file).trim_start_matches('/'));
            w.field("sizes", "any");
            w.field("type", "image/svg+xml");
            w.field("purpose", purpose);
        });
    });
    Ok(Reply::document(MANIFEST, manifest.into_bytes()))
}
