//! `GET /attachments/thumbnail/:id`, `GET /attachments/thumbnail/:id/:size` (compatibility 11.4)

use super::world;
use image::{DynamicImage, ImageFormat};
use quarry::domain::index_feed::kind::Kind;
use quarry_world::attachments::{bytes_file, file, tiny_bitmap};
use quarry_world::browser::Browser;
use quarry_world::{Response, World};
use std::io::Cursor;

fn noise(x: u32, y: u32) -> [u8; 4] {
    (x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(2_246_822_519)).to_le_bytes()
}

/// Attaches an image of this size, with noise that compresses badly, to the issue 1 or 2.
pub fn image_file(
    world: &World,
    issue: i64,
    name: &str,
    format: ImageFormat,
    (width, height): (u32, u32),
) -> i64 {
    let pixels = image::RgbImage::from_fn(width, height, |x, y| {
        image::Rgb([noise(x, y)[1], noise(x, y)[2], noise(x, y)[3]])
    });
    let mut bytes = Vec::new();
    DynamicImage::from(pixels)
        .write_to(&mut Cursor::new(&mut bytes), format)
        .unwrap();
    bytes_file(world, issue, name, bytes)
}

/// Asserts that the response is a PNG of this size. Both must be less than 128 modulo 256.
#[track_caller]
fn assert_png(response: &Response, (width, height): (u32, u32)) {
    assert_eq!(
        (response.status, response.content_type()),
        (200, "image/png"),
        "{:.200}",
        response.body
    );
    assert!(
        response
            .header("content-disposition")
            .starts_with("inline; filename=\""),
        "{:?}",
        response.headers
    );
    let size: String = [width, height]
        .iter()
        .flat_map(|length| length.to_be_bytes())
        .map(char::from)
        .collect();
    let header = response.body.split_once("IHDR").unwrap().1;
    assert!(
        header.starts_with(&size),
        "{:?} is not {width} × {height}",
        &header[..12]
    );
}

fn get_thumbnail(world: &World, id: i64, rest: &str) -> Response {
    world
        .as_user("carol")
        .get(&format!("/attachments/thumbnail/{id}{rest}"))
        .assert_status(200)
}

#[test]
fn images_are_scaled_down_to_the_size() {
    let world = world();
    let named = image_file(&world, 1, "b%20%C3%A9.png", ImageFormat::Png, (10, 10));
    let named = world
        .as_user("carol")
        .get(&format!("/attachments/thumbnail/{named}"))
        .assert_status(200);
    named.assert_header(
        "content-disposition",
        "inline; filename=\"b _.png\"; filename*=UTF-8''b%20%C3%A9.png",
    );
    let formats = [
        ImageFormat::Png,
        ImageFormat::Jpeg,
        ImageFormat::Gif,
        ImageFormat::Bmp,
        ImageFormat::WebP,
    ];
    for (format, name) in formats
        .into_iter()
        .zip(["a.png", "a.JPG", "a.gif", "a.bmp", "a.webp"])
    {
        let id = image_file(&world, 1, name, format, (400, 200));
        assert_png(&get_thumbnail(&world, id, ""), (100, 50));
        assert_png(&get_thumbnail(&world, id, "?size=51"), (100, 50));
        assert_png(&get_thumbnail(&world, id, "/20"), (50, 25));
        assert_png(&get_thumbnail(&world, id, "/x"), (100, 50));
    }
}

#[test]
fn small_images_are_not_scaled_up_and_large_sizes_end_at_800() {
    let world = world();
    let small = image_file(&world, 1, "small.png", ImageFormat::Png, (30, 20));
    assert_png(
        &world
            .as_user("carol")
            .get(&format!("/attachments/thumbnail/{small}/400")),
        (30, 20),
    );
    let wide = image_file(&world, 1, "wide.png", ImageFormat::Png, (1600, 160));
    assert_png(
        &world
            .as_user("carol")
            .get(&format!("/attachments/thumbnail/{wide}/5000")),
        (800, 80),
    );
}

#[test]
fn photographs_are_turned_upright() {
    let world = world();
    let mut jpeg = Vec::new();
    DynamicImage::new_rgb8(100, 50)
        .write_to(&mut Cursor::new(&mut jpeg), ImageFormat::Jpeg)
        .unwrap();
    // After the start of the image: EXIF metadata with the orientation 6, which is a quarter turn.
    let exif = b"\xff\xe1\x00\x22Exif\0\0II\x2a\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0";
    jpeg.splice(2..2, exif.iter().copied());
    let id = bytes_file(&world, 1, "turned.jpg", jpeg);
    assert_png(
        &world
            .as_user("carol")
            .get(&format!("/attachments/thumbnail/{id}/100")),
        (50, 100),
    );
}

#[test]
fn files_that_cannot_be_scaled_are_not_found() {
    let world = world();
    let text = file(&world, "alice", Kind::Issue, 1, "notes.txt", "no image");
    let broken = file(&world, "alice", Kind::Issue, 1, "broken.png", "no image");
    let width = 60_000_u32.to_be_bytes();
    let height = 60_000_u32.to_be_bytes();
    let bomb = [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice(),
        &width,
        &height,
        b"\x08\x02\0\0\0\0\0\0\0",
    ]
    .concat();
    let bomb = bytes_file(&world, 1, "bomb.png", bomb);
    for id in [text, broken, bomb, 999] {
        world
            .as_user("alice")
            .get(&format!("/attachments/thumbnail/{id}"))
            .assert_status(404);
        world
            .as_user("alice")
            .get(&format!("/attachments/thumbnail/{id}/100"))
            .assert_status(404);
    }
}

#[test]
fn small_files_with_too_many_pixels_are_not_found() {
    let world = world();
    let [permitted, too_large] =
        [1_000, 8_000].map(|length| bytes_file(&world, 1, "empty.bmp", tiny_bitmap(length)));
    assert_png(
        &world
            .as_user("alice")
            .get(&format!("/attachments/thumbnail/{permitted}")),
        (100, 100),
    );
    world
        .as_user("alice")
        .get(&format!("/attachments/thumbnail/{too_large}"))
        .assert_status(404);
}

fn thumbnail_path(id: i64) -> String {
    format!("/attachments/thumbnail/{id}/50")
}

#[test]
fn thumbnail_is_visible_with_its_record_and_cached_by_its_tag() {
    let world = world();
    let open = image_file(&world, 1, "a.png", ImageFormat::Png, (60, 60));
    let secret = image_file(&world, 2, "b.png", ImageFormat::Png, (60, 60));
    world
        .as_user("carol")
        .get(&thumbnail_path(secret))
        .assert_status(404);
    world
        .anonymous()
        .get(&thumbnail_path(open))
        .assert_status(401);
    let first = world
        .as_user("carol")
        .get(&thumbnail_path(open))
        .assert_status(200);
    assert_eq!(first.header("cache-control"), "private, no-cache");
    let tag = first.header("etag").to_owned();
    let again = world
        .as_user("carol")
        .with("If-None-Match", &tag)
        .get(&thumbnail_path(open));
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    world
        .as_user("carol")
        .with("If-None-Match", &tag)
        .get(&format!("/attachments/thumbnail/{open}/100"))
        .assert_status(200);
}

#[test]
fn pages_show_small_images_as_they_are_and_thumbnails_of_large_ones() {
    let world = world();
    let small = image_file(&world, 1, "small.png", ImageFormat::Png, (30, 20));
    let large = image_file(&world, 1, "large.bmp", ImageFormat::Bmp, (900, 900));
    let carol = Browser::logged_in(&world, "carol");
    let page = carol.get("/issues/1").assert_status(200).body;
    assert!(
        page.contains(&format!(
            "<img src=\"/attachments/download/{small}/small.png\""
        )),
        "{page}"
    );
    assert!(
        page.contains(&format!("<img src=\"/attachments/thumbnail/{large}/450\"")),
        "{page}"
    );
    carol
        .get(&format!("/attachments/{small}"))
        .assert_contains(&format!(
            "<img src=\"/attachments/download/{small}/small.png\""
        ));
    carol
        .get(&format!("/attachments/{large}"))
        .assert_contains(&format!("<img src=\"/attachments/thumbnail/{large}/800\""));
    carol
        .get(&format!("/attachments/thumbnail/{large}/450"))
        .assert_status(200);
}
