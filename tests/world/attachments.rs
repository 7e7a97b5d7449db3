//! Uploads and attachments.

use crate::{World, user};
use axum::http::Method;
use quarry::actions::ActionError;
use quarry::actions::content::attachments::{NewUpload, attach as hang};
use quarry::domain::access::viewer::Viewer;
use quarry::domain::content::attachment::{Attachment, ContainerType};
use quarry::domain::index_feed::kind::Kind;

/// Uploads a file and returns its token.
pub fn upload(world: &World, login: &str, name: &str, content: &str) -> String {
    let kind = Some("application/octet-stream");
    let response = world.as_user(login).send(
        Method::POST,
        &format!("/uploads.json?filename={name}"),
        kind,
        content.into(),
    );
    response.assert_status(201).json()["upload"]["token"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// Attaches uploads to a record.
pub fn attaching(
    world: &World,
    login: &str,
    container_type: impl Into<ContainerType>,
    id: i64,
    uploads: Vec<NewUpload>,
) -> Result<Vec<Attachment>, ActionError> {
    let container_type = container_type.into();
    let user = user(login);
    world.app.store.write(move |db| {
        let viewer = Viewer::new(db.catalogue(), Some(user));
        hang(db, &viewer, container_type, id, &uploads)
    })
}

/// Attaches an upload to a record and returns the id of the attachment.
pub fn attach(
    world: &World,
    login: &str,
    container_type: impl Into<ContainerType>,
    id: i64,
    token: &str,
) -> i64 {
    let upload = NewUpload {
        token: token.to_owned(),
        ..NewUpload::default()
    };
    attaching(world, login, container_type, id, vec![upload]).unwrap()[0]
        .id
        .0
}

/// Uploads a file and attaches it to a record.
pub fn file(
    world: &World,
    login: &str,
    container_type: impl Into<ContainerType>,
    id: i64,
    name: &str,
    content: &str,
) -> i64 {
    attach(
        world,
        login,
        container_type,
        id,
        &upload(world, login, name, content),
    )
}

/// Attaches a file to the issue 1 or 2, as alice.
pub fn bytes_file(world: &World, issue: i64, name: &str, bytes: Vec<u8>) -> i64 {
    let path = format!("/uploads.json?filename={name}");
    let upload = world
        .as_user("alice")
        .send(Method::POST, &path, Some("application/octet-stream"), bytes)
        .assert_status(201);
    attach(
        world,
        "alice",
        Kind::Issue,
        issue,
        upload.json_path("/upload/token").as_str().unwrap(),
    )
}

/// Returns a valid bitmap of this width and height in 64 bytes: run-length encoded, with the end
/// right at the start.
pub fn tiny_bitmap(length: u32) -> Vec<u8> {
    let file_size = 64_u32;
    let start_of_pixels = 62_u32;
    let header_size = 40_u32;
    let compression_and_no_size = [1_u32, 0, 0, 0, 2, 2];
    let mut bytes = b"BM".to_vec();
    bytes.extend(
        [file_size, 0, start_of_pixels, header_size, length, length]
            .iter()
            .flat_map(|number| number.to_le_bytes()),
    );
    bytes.extend([1_u16, 8].iter().flat_map(|number| number.to_le_bytes()));
    bytes.extend(
        compression_and_no_size
            .iter()
            .flat_map(|number| number.to_le_bytes()),
    );
    bytes.extend([0; 8]);
    bytes.extend([0, 1]);
    bytes
}
