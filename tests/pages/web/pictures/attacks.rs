//! What is uploaded as a picture and is none, and uploads by others.

use super::{GREEN, RED, digest, encode, pixels, plain, stored, upload};
use image::codecs::gif::GifEncoder;
use image::{Delay, Frame, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use quarry_world::World;
use quarry_world::browser::{Browser, csrf_token};

/// Returns the head of a PNG with this size, and nothing else.
fn png_head(width: u32, height: u32) -> Vec<u8> {
    let mut head = b"\x89PNG\r\n\x1a\n".to_vec();
    let data = [
        b"IHDR".as_slice(),
        &width.to_be_bytes(),
        &height.to_be_bytes(),
        b"\x08\x06\0\0\0",
    ]
    .concat();
    head.extend(13_u32.to_be_bytes());
    head.extend(&data);
    head.extend(crc32(&data).to_be_bytes());
    // An empty chunk of pixels.
    head.extend(0_u32.to_be_bytes());
    head.extend(b"IDAT");
    head.extend(crc32(b"IDAT").to_be_bytes());
    head
}

fn crc32(data: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in data {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xedb8_8320 & 0_u32.wrapping_sub(crc & 1));
        }
    }
    !crc
}

#[test]
fn file_that_is_no_picture_is_refused_at_the_field_and_changes_nothing() {
    let world = World::new();
    let alice = Browser::logged_in(&world, "alice");
    upload(&alice, "a.png", &plain(RED)).assert_status(303);
    let before = (digest(&world, "alice"), stored(&world, "alice"));
    let mut truncated = encode(
        RgbImage::from_fn(300, 300, |x, y| {
            Rgb([(x * y % 251) as u8, x as u8, y as u8])
        }),
        ImageFormat::Png,
    );
    truncated.truncate(truncated.len() / 2);
    let bitmap = encode(RgbImage::new(9, 9), ImageFormat::Bmp);
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
    let no_image = "Picture must be a PNG, JPEG, GIF or WebP image";
    let files: [(&str, &[u8], &str); 11] = [
        ("a.svg", svg, no_image),
        ("a.png", svg, no_image),
        ("a.jpg", b"<html><script>alert(1)</script></html>", no_image),
        ("a.gif", b"GIF89a", no_image),
        (
            "a.webp",
            b"RIFF\xff\xff\xff\xffWEBPVP8L\x05\0\0\0\x2f\xff\xff\xff\xff",
            "",
        ),
        ("empty.png", b"", no_image),
        ("a.bmp", &bitmap, no_image),
        ("half.png", &truncated, no_image),
        ("head.png", &png_head(8, 8), no_image),
        (
            "bomb.png",
            &png_head(65_535, 65_535),
            "Picture has too many pixels (maximum is 16 million",
        ),
        (
            "long.png",
            &png_head(60_000_000, 1),
            "Picture has too many pixels",
        ),
    ];
    for (name, content, message) in files {
        let refused = upload(&alice, name, content).assert_status(422);
        refused
            .assert_contains("id=\"picture-error\"")
            .assert_contains("aria-invalid=\"true\"")
            .assert_contains(message);
    }
    let page = alice.get("/my/account").assert_status(200);
    for (fields, files) in [
        (&[][..], &[][..]),
        (&[("picture", "a.png")], &[]),
        (&[], &[("", b"".as_slice())]),
    ] {
        alice
            .submit_files(&page, "/my/picture", fields, files)
            .assert_status(422)
            .assert_contains("Choose a file first");
    }
    assert_eq!((digest(&world, "alice"), stored(&world, "alice")), before);
}

#[test]
fn file_that_is_too_large_is_refused_and_not_kept() {
    let world = World::new();
    let alice = Browser::logged_in(&world, "alice");
    let mut large = plain(RED);
    for size in [10 * 1024 * 1024 + 1, 50 * 1024 * 1024] {
        large.resize(size, 0);
        upload(&alice, "large.png", &large)
            .assert_status(422)
            .assert_contains("large.png is too large (maximum is 10240 KiB)");
    }
    // Bytes after the image do no harm.
    large.truncate(10 * 1024 * 1024);
    upload(&alice, "large.png", &large).assert_status(303);
    // A limit on attachments is none on pictures.
    world.sql("DELETE FROM user_pictures");
    world.set(
        quarry::domain::administration::setting::Setting::AttachmentMaxSize,
        "1",
    );
    upload(&alice, "large.png", &large).assert_status(303);
    assert!(stored(&world, "alice").unwrap().len() < 8 * 1024);
    let files = walk(&world);
    assert_eq!(files, Vec::<String>::new(), "no upload is left");
}

/// Returns the names of the files with contents of attachments, and of temporary ones.
fn walk(world: &World) -> Vec<String> {
    let folder = world.app.store.folder().join("files");
    let mut names = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                names.push(path.display().to_string());
            }
        }
    }
    names
}

#[test]
fn nothing_of_an_image_that_is_something_else_too_is_served() {
    let world = World::new();
    let alice = Browser::logged_in(&world, "alice");
    let script = b"<script>alert(1)</script>";
    for format in [ImageFormat::Png, ImageFormat::Gif, ImageFormat::Jpeg] {
        let mut file = encode(RgbImage::from_pixel(99, 99, Rgb(RED)), format);
        file.extend(script);
        upload(&alice, "a.html", &file).assert_status(303);
        let content = stored(&world, "alice").unwrap();
        let mut windows = content.windows(script.len());
        assert!(windows.all(|window| window != script));
        let served = alice.get("/users/2/picture").assert_status(200);
        assert_eq!(served.content_type(), "image/jpeg");
    }
}

#[test]
fn first_of_thousands_of_frames_is_the_picture() {
    let world = World::new();
    let alice = Browser::logged_in(&world, "alice");
    let mut gif = Vec::new();
    let mut encoder = GifEncoder::new_with_speed(&mut gif, 30);
    for number in 0..3_000 {
        let [red, green, blue] = if number == 0 { GREEN } else { RED };
        let pixels = RgbaImage::from_pixel(64, 64, Rgba([red, green, blue, 255]));
        let frame = Frame::from_parts(pixels, 0, 0, Delay::from_numer_denom_ms(10, 1));
        encoder.encode_frame(frame).unwrap();
    }
    drop(encoder);
    upload(&alice, "a.gif", &gif).assert_status(303);
    super::assert_color(&pixels(&world, "alice"), (30, 30), GREEN);
}

#[test]
fn picture_needs_the_token_and_the_right_user() {
    let world = World::new();
    let png = plain(RED);
    let files = [("a.png", png.as_slice())];
    let bob = Browser::logged_in(&world, "bob");
    for path in ["/my/picture", "/users/3/picture", "/users/2/picture"] {
        for fields in [&[][..], &[("authenticity_token", "wrong")]] {
            bob.post_files(path, fields, &files).assert_status(403);
        }
    }
    // The token comes too late for the file.
    let page = bob.get("/my/account").assert_status(200);
    let token = csrf_token(&page);
    let body = format!(
        "--b\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"a.png\"\r\n\r\nx\r\n\
         --b\r\nContent-Disposition: form-data; name=\"authenticity_token\"\r\n\r\n{token}\r\n--b--\r\n"
    );
    bob.post_body(
        "/my/picture",
        "multipart/form-data; boundary=b",
        body.into_bytes(),
    )
    .assert_status(422);
    // Only an administrator changes another's, and nobody by the form of users their own.
    for id in [2, 3, 99] {
        let path = format!("/users/{id}/picture");
        bob.submit_files(&page, &path, &[], &files)
            .assert_status(403);
        bob.submit(&page, &path, &[("do", "remove")])
            .assert_status(403);
    }
    let anonymous = Browser::new(&world);
    let login = anonymous.get("/login").assert_status(200);
    for path in ["/my/picture", "/users/2/picture"] {
        let refused = anonymous.submit_files(&login, path, &[], &files);
        assert!([401, 403].contains(&refused.status), "{refused:?}");
    }
    for login in ["alice", "bob"] {
        assert_eq!(stored(&world, login), None, "{login}");
    }
}

#[test]
fn pictures_that_are_uploaded_at_once_leave_one_of_them() {
    let world = World::new();
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get("/my/account").assert_status(200);
    let contents: Vec<Vec<u8>> = (0..6).map(|shade| plain([shade * 40, 0, 0])).collect();
    std::thread::scope(|scope| {
        for content in &contents {
            let page = &page;
            let world = &world;
            scope.spawn(move || {
                let alice = Browser::logged_in(world, "alice");
                let own = alice.get("/my/account").assert_status(200);
                assert_ne!(csrf_token(&own), csrf_token(page));
                alice
                    .submit_files(&own, "/my/picture", &[], &[("a.png", content.as_slice())])
                    .assert_status(303);
            });
        }
    });
    let last = digest(&world, "alice").unwrap();
    let served = alice
        .get(&format!("/users/2/picture?v={last}"))
        .assert_status(200);
    assert!(served.header("cache-control").contains("immutable"));
    assert_eq!(served.header("etag"), format!("\"{last}\""));
    assert_eq!(
        world.database().rows("SELECT * FROM user_pictures").len(),
        1
    );
}
