//! Pictures of users: the forms that upload them, and where they are shown.

mod attacks;
mod visibility;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use quarry::store::Read;
use quarry::store::accounts::pictures;
use quarry_world::browser::Browser;
use quarry_world::{Response, World, only_on_sqlite, user};
use std::io::Cursor;

/// The bytes before the metadata of a JPEG (EXIF), with the orientation 6: a quarter turn to the right.
/// After them is the place of the photograph, as text.
const EXIF: &[u8] = b"\xff\xe1\x00\x32Exif\0\0II\x2a\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0secret place: 52";

const RED: [u8; 3] = [200, 0, 0];
const GREEN: [u8; 3] = [0, 160, 0];
const BLUE: [u8; 3] = [0, 0, 200];

/// Returns an image in this format.
fn encode(image: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Vec::new();
    let image: DynamicImage = image.into();
    image
        .write_to(&mut Cursor::new(&mut bytes), format)
        .unwrap();
    bytes
}

/// Returns a PNG of one color.
fn plain(color: [u8; 3]) -> Vec<u8> {
    encode(RgbImage::from_pixel(120, 120, Rgb(color)), ImageFormat::Png)
}

/// Sends the form of the own picture.
fn upload(browser: &Browser<'_>, name: &str, content: &[u8]) -> Response {
    let page = browser.get("/my/account").assert_status(200);
    browser.submit_files(&page, "/my/picture", &[], &[(name, content)])
}

/// Returns the stored picture of a user.
fn stored(world: &World, login: &str) -> Option<Vec<u8>> {
    let digest = digest(world, login)?;
    let find = |db: &Read<'_>| pictures::find(db, user(login), &digest);
    world.app.store.read(find).unwrap()
}

fn digest(world: &World, login: &str) -> Option<String> {
    let catalogue = world.app.store.catalogue().unwrap();
    catalogue.users[&user(login)].picture.clone()
}

/// Returns the pixels of the stored picture, which must be a JPEG.
fn pixels(world: &World, login: &str) -> RgbImage {
    let content = stored(world, login).unwrap();
    let image = image::load_from_memory_with_format(&content, ImageFormat::Jpeg);
    image.unwrap().to_rgb8()
}

#[track_caller]
fn assert_color(pixels: &RgbImage, (x, y): (u32, u32), expected: [u8; 3]) {
    let Rgb(color) = *pixels.get_pixel(x, y);
    let is_close = color
        .iter()
        .zip(expected)
        .all(|(value, expected)| value.abs_diff(expected) < 12);
    assert!(is_close, "{color:?} at {x}, {y} is not {expected:?}");
}

/// Returns a wide image: a red, a green and a blue square, the green one in the middle with a corner that
/// is transparent.
fn three_squares() -> RgbaImage {
    RgbaImage::from_fn(600, 200, |x, y| match x / 200 {
        0 => Rgba([200, 0, 0, 255]),
        1 if x < 250 && y < 50 => Rgba([0, 0, 0, 0]),
        1 => Rgba([0, 160, 0, 255]),
        _ => Rgba([0, 0, 200, 255]),
    })
}

#[test]
fn picture_is_the_scaled_middle_of_an_image_of_any_format() {
    let world = World::new();
    let browser = Browser::logged_in(&world, "alice");
    let formats = [
        ("a.png", ImageFormat::Png),
        ("a.webp", ImageFormat::WebP),
        // The name says nothing.
        ("a.txt", ImageFormat::Gif),
    ];
    for (name, format) in formats {
        let uploaded = encode(three_squares(), format);
        let saved = upload(&browser, name, &uploaded).assert_status(303);
        assert_eq!(saved.location(), "/my/account", "{name}");
        let pixels = pixels(&world, "alice");
        assert_eq!(pixels.dimensions(), (96, 96), "{name}");
        assert_color(&pixels, (2, 80), GREEN);
        assert_color(&pixels, (93, 80), GREEN);
        assert_color(&pixels, (5, 5), [255, 255, 255]);
        let page = browser.get("/my/account").assert_status(200);
        assert!(!page.body.contains("Choose a file"), "{page:?}");
    }
    // A small image keeps its size.
    let small = encode(RgbImage::from_pixel(30, 20, Rgb(BLUE)), ImageFormat::Jpeg);
    upload(&browser, "small.jpg", &small).assert_status(303);
    assert_eq!(pixels(&world, "alice").dimensions(), (20, 20));
}

#[test]
fn photograph_is_turned_upright_and_loses_its_metadata() {
    let world = World::new();
    let browser = Browser::logged_in(&world, "alice");
    let left_and_right = RgbImage::from_fn(200, 200, |x, _| match x {
        0..100 => Rgb(RED),
        _ => Rgb(BLUE),
    });
    let mut jpeg = encode(left_and_right, ImageFormat::Jpeg);
    jpeg.splice(2..2, EXIF.iter().copied());
    upload(&browser, "photo.jpg", &jpeg).assert_status(303);
    let pixels = pixels(&world, "alice");
    assert_color(&pixels, (48, 10), RED);
    assert_color(&pixels, (48, 85), BLUE);
    let content = stored(&world, "alice").unwrap();
    for text in [b"Exif".as_slice(), b"secret place"] {
        let contains = |bytes: &[u8]| bytes.windows(text.len()).any(|window| window == text);
        assert!(contains(&jpeg) && !contains(&content), "{text:?}");
    }
}

#[test]
fn picture_replaces_the_initials_wherever_these_are_shown() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    world
        .issue("open")
        .author("bob")
        .field("assigned_to_id", 3)
        .create();
    let note = serde_json::json!({ "issue": { "notes": "A note" } });
    let client = world.as_user("bob");
    client.put("/issues/1.json", note).assert_status(200);
    let paths = [
        ("/issues/1", 3),
        ("/issues/board", 1),
        ("/issues?c[]=author", 1),
        ("/users/3", 1),
        ("/users", 1),
        ("/users/3/edit", 1),
        ("/projects/open/settings/members", 1),
    ];
    let initials = "aria-hidden=\"true\">BT</span>";
    let before = paths.map(|(path, _)| {
        let page = admin.get(path).assert_status(200);
        page.body.matches(initials).count()
    });
    let bob = Browser::logged_in(&world, "bob");
    upload(&bob, "a.png", &plain(GREEN)).assert_status(303);
    let digest = digest(&world, "bob").unwrap();
    let picture = format!("src=\"/users/3/picture?v={digest}\" alt=\"\"");
    for ((path, least), count) in paths.into_iter().zip(before) {
        let page = admin.get(path).assert_status(200);
        assert!(count >= least, "{path} had {count} initials");
        assert_eq!(page.body.matches(&picture).count(), count, "{path}");
        assert!(!page.body.contains(initials), "{path}");
    }
    // In the header, for oneself.
    let account = bob.get("/my/account").assert_status(200);
    assert_eq!(account.body.matches(&picture).count(), 2);
}

#[test]
fn picture_is_cached_by_its_digest() {
    let world = World::new();
    let alice = Browser::logged_in(&world, "alice");
    upload(&alice, "a.png", &plain(RED)).assert_status(303);
    let first = digest(&world, "alice").unwrap();
    let current = format!("/users/2/picture?v={first}");
    let bob = Browser::logged_in(&world, "bob");
    let loaded = bob.get(&current).assert_status(200);
    let length = stored(&world, "alice").unwrap().len().to_string();
    for (name, value) in [
        ("content-type", "image/jpeg"),
        ("content-length", length.as_str()),
        ("x-content-type-options", "nosniff"),
        ("cache-control", "private, max-age=31536000, immutable"),
        ("etag", &format!("\"{first}\"")),
        (
            "content-disposition",
            "inline; filename=\"user-2.jpg\"; filename*=UTF-8''user-2.jpg",
        ),
        (
            "content-security-policy",
            "default-src 'none'; frame-ancestors 'none'; sandbox",
        ),
    ] {
        assert_eq!(loaded.header(name), value, "{name}");
    }
    assert!(!loaded.headers.contains_key("set-cookie"));
    let head = world
        .as_user("bob")
        .send(axum::http::Method::HEAD, &current, None, Vec::new())
        .assert_status(200);
    assert_eq!(
        (head.header("content-length"), head.body.as_str()),
        (length.as_str(), "")
    );
    let tag = format!("\"{first}\"");
    let again = bob.revalidate(&current, &tag).assert_status(304);
    assert!(again.body.is_empty() && again.header("etag") == tag);

    // The address of an earlier picture shows the current one, and is not kept.
    upload(&alice, "b.png", &plain(BLUE)).assert_status(303);
    let second = digest(&world, "alice").unwrap();
    assert_ne!(first, second);
    for path in [current.as_str(), "/users/2/picture"] {
        let loaded = bob.revalidate(path, &tag).assert_status(200);
        assert_eq!(
            loaded.header("cache-control"),
            "private, no-cache",
            "{path}"
        );
        assert_eq!(loaded.header("etag"), format!("\"{second}\""));
    }
}

#[test]
fn pages_do_not_read_pictures() {
    only_on_sqlite!("a value that cannot be read");
    let world = World::with_projects();
    world.issue("open").author("bob").create();
    let bob = Browser::logged_in(&world, "bob");
    upload(&bob, "a.png", &plain(RED)).assert_status(303);
    world.sql("UPDATE user_pictures SET content = 'no bytes'");
    for path in ["/issues/1", "/issues", "/users/3", "/my/account"] {
        bob.get(path).assert_contains("/users/3/picture?v=");
    }
    // A row that cannot be read is left out.
    bob.get("/users/3/picture").assert_status(404);
}

#[test]
fn picture_is_removed_by_its_user() {
    let world = World::new();
    let alice = Browser::logged_in(&world, "alice");
    let remove = "name=\"do\" value=\"remove\"";
    let empty = alice.get("/my/account").assert_status(200);
    assert!(!empty.body.contains(remove), "{empty:?}");
    upload(&alice, "a.png", &plain(RED)).assert_status(303);
    let page = alice.get("/my/account").assert_contains(remove);
    alice
        .submit_files(&page, "/my/picture", &[("do", "remove")], &[("", b"")])
        .assert_status(303);
    assert_eq!(
        (stored(&world, "alice"), digest(&world, "alice")),
        (None, None)
    );
    alice.get("/users/2/picture").assert_status(404);
}

#[test]
fn administrators_change_pictures_of_others_and_the_audit_log_has_it() {
    let world = World::new();
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get("/users/2/edit").assert_status(200);
    let png = plain(RED);
    let saved = admin
        .submit_files(&page, "/users/2/picture", &[], &[("a.png", &png)])
        .assert_status(303);
    assert_eq!(saved.location(), "/users/2/edit");
    assert!(stored(&world, "alice").is_some() && stored(&world, "admin").is_none());
    let digest = digest(&world, "alice").unwrap();
    let changes = "SELECT COUNT(*) FROM audit_events WHERE user_id = 1 AND record_id = 2 AND changes_json LIKE '%\"picture\"%'";
    let count = || world.database().rows(changes)[0].get::<i64>(0);
    assert_eq!(count(), 1);
    let log = admin.get("/admin/audit").assert_status(200);
    assert!(log.body.contains("picture"), "{log:?}");
    let page = admin.get("/users/2/edit").assert_contains(&digest);
    let broken = admin
        .submit_files(&page, "/users/2/picture", &[], &[("a.png", b"GIF89a")])
        .assert_status(422);
    broken
        .assert_contains("id=\"picture-error\"")
        .assert_contains("value=\"alice\"");
    let removed = [("do", "remove")];
    admin
        .submit(&page, "/users/2/picture", &removed)
        .assert_status(303);
    assert_eq!((stored(&world, "alice"), count()), (None, 2));
    // What was uploaded for nobody.
    admin
        .submit_files(&page, "/users/99/picture", &[], &[("a.png", &png)])
        .assert_status(404);
}

#[test]
fn picture_goes_with_its_user() {
    let world = World::new();
    let alice = Browser::logged_in(&world, "alice");
    upload(&alice, "a.png", &plain(RED)).assert_status(303);
    let count = || world.database().rows("SELECT * FROM user_pictures").len();
    assert_eq!(count(), 1);
    world
        .as_user("admin")
        .delete("/users/2.json")
        .assert_status(200);
    assert_eq!(count(), 0);
    Browser::logged_in(&world, "admin")
        .get("/users/2/picture")
        .assert_status(404);
}
