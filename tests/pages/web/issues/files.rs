//! Files in forms.

use quarry::domain::administration::setting::Setting;
use quarry_world::browser::{Browser, field};
use quarry_world::{Response, World};

fn attachments(world: &World, id: i64) -> Vec<(String, i64)> {
    let files = world
        .as_user("alice")
        .get(&format!("/issues/{id}.json?include=attachments"))
        .array("/issue/attachments");
    files
        .iter()
        .map(|file| {
            (
                file["filename"].as_str().unwrap().to_owned(),
                file["filesize"].as_i64().unwrap(),
            )
        })
        .collect()
}

fn open(world: &World) -> (i64, Browser<'_>, Response, String) {
    let id = world.issue("open").create();
    let browser = Browser::logged_in(world, "bob");
    let path = format!("/issues/{id}");
    let page = browser.get(&path).assert_status(200);
    (id, browser, page, path)
}

#[test]
fn files_are_attached_with_the_comment() {
    let world = World::with_projects();
    let (id, browser, page, path) = open(&world);
    let large = vec![b'\r'; 700_000];
    let files: [(&str, &[u8]); 4] = [
        ("a.txt", b"one"),
        ("", b""),
        ("../ä \".png", b"--frontie\r\n--"),
        ("large.bin", &large),
    ];
    browser
        .submit_files(&page, &path, &[("issue[notes]", "see files")], &files)
        .assert_status(303);
    let files = attachments(&world, id);
    let sizes: Vec<i64> = files.iter().map(|file| file.1).collect();
    assert_eq!(sizes, [3, 13, 700_000], "{files:?}");
    assert!(
        files[0].0 == "a.txt" && !files[1].0.contains('/'),
        "{files:?}"
    );
    browser
        .get(&path)
        .assert_status(200)
        .assert_contains("added <b>file</b>");
}

#[test]
fn file_that_is_too_large_keeps_the_comment_and_the_other_files() {
    let world = World::with_projects();
    world.set(Setting::AttachmentMaxSize, "10");
    let (id, browser, page, path) = open(&world);
    let large = vec![0; 2_000_000];
    let refused = browser.submit_files(
        &page,
        &path,
        &[("issue[notes]", "kept")],
        &[("small.txt", b"s"), ("big.bin", &large)],
    );
    let refused = refused.assert_status(422);
    assert!(
        refused
            .body
            .contains("big.bin is too large (maximum is 10 KiB)")
            && refused.body.contains("kept</textarea>"),
        "{refused:?}"
    );
    let token = field(&refused, "attachments[1][token]").unwrap();
    assert!(attachments(&world, id).is_empty());
    browser
        .submit_files(
            &refused,
            &path,
            &[("issue[notes]", "kept"), ("attachments[1][token]", &token)],
            &[],
        )
        .assert_status(303);
    assert_eq!(attachments(&world, id), [("small.txt".to_owned(), 1)]);
}

#[test]
fn files_need_the_token_before_them() {
    let world = World::with_projects();
    let (_, browser, _, path) = open(&world);
    let uploads = || {
        world
            .app
            .store
            .read(|db| {
                quarry::store::content::attachments::count_unattached(db, quarry_world::user("bob"))
            })
            .unwrap()
            .0
    };
    browser
        .post_files(&path, &[("issue[notes]", "x")], &[("a.txt", b"a")])
        .assert_status(403);
    browser
        .post_files(
            &path,
            &[("authenticity_token", "wrong")],
            &[("a.txt", b"a")],
        )
        .assert_status(403);
    assert_eq!(uploads(), 0);
}

#[test]
fn upload_of_somebody_else_cannot_be_attached() {
    let world = World::with_projects();
    let (id, browser, page, path) = open(&world);
    let alice = world
        .as_user("alice")
        .with("Content-Type", "application/octet-stream");
    let upload = alice
        .send(
            axum::http::Method::POST,
            "/uploads.json?filename=hers.txt",
            None,
            b"hers".to_vec(),
        )
        .assert_status(201);
    let token = upload
        .json_path("/upload/token")
        .as_str()
        .unwrap()
        .to_owned();
    let refused = browser
        .submit_files(&page, &path, &[("attachments[1][token]", &token)], &[])
        .assert_status(422);
    assert!(!refused.body.contains("hers.txt"), "{refused:?}");
    assert!(attachments(&world, id).is_empty());
}

#[test]
fn malformed_forms_are_refused() {
    let world = World::with_projects();
    let (_, browser, page, path) = open(&world);
    let token = quarry_world::browser::csrf_token(&page);
    let part = format!(
        "--frontier\r\nContent-Disposition: form-data; name=\"authenticity_token\"\r\n\r\n{token}\r\n"
    );
    let long_header = format!("{part}--frontier\r\nX: {}", "a".repeat(200_000));
    for body in [
        String::new(),
        "nonsense".to_owned(),
        part.clone(),
        format!("{part}--frontier\r\nContent-Dispo"),
        long_header,
    ] {
        browser
            .post_body(
                &path,
                "multipart/form-data; boundary=frontier",
                body.into_bytes(),
            )
            .assert_status(400);
    }
    let fields = format!(
        "{part}--frontier\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n{}\r\n--frontier--\r\n",
        "a".repeat(2_000_000)
    );
    browser
        .post_body(
            &path,
            "multipart/form-data; boundary=frontier",
            fields.into_bytes(),
        )
        .assert_status(413);
}

#[test]
fn empty_fields_count_against_the_limit() {
    let world = World::with_projects();
    let mut body = Vec::new();
    for number in 0..200 {
        let name = format!("{number}{}", "a".repeat(10_000));
        body.extend(
            format!("--frontier\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n\r\n")
                .bytes(),
        );
    }
    body.extend(b"--frontier--\r\n");
    // Nobody needs to be logged in to send them.
    Browser::new(&world)
        .post_body("/login", "multipart/form-data; boundary=frontier", body)
        .assert_status(413);
}

#[test]
fn files_beyond_the_quota_have_at_most_a_hundred_messages() {
    let world = World::with_projects();
    world.set(Setting::UnattachedUploadsMaxCount, "1");
    let (_, browser, page, path) = open(&world);
    let one = world
        .as_user("bob")
        .with("Content-Type", "application/octet-stream");
    one.send(
        axum::http::Method::POST,
        "/uploads.json?filename=a.txt",
        None,
        b"a".to_vec(),
    )
    .assert_status(201);
    let names: Vec<String> = (0..300).map(|number| format!("file{number}.txt")).collect();
    let files: Vec<(&str, &[u8])> = names
        .iter()
        .map(|name| (name.as_str(), b"x".as_slice()))
        .collect();
    let refused = browser
        .submit_files(&page, &path, &[("issue[notes]", "kept")], &files)
        .assert_status(422);
    assert_eq!(
        refused.body.matches("attached yet are too many").count(),
        100
    );
}
