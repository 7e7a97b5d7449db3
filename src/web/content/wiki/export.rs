//! `GET /projects/:id/wiki/:title.html` and `.txt`: a wiki page as a file.

use super::address::{self, Target, name, path};
use super::show::requested_version;
use crate::access;
use crate::prelude::*;
use crate::text::TextRenderer;
use axum::http::header;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quarry_domain::content::attachment::Attachment;
use quarry_domain::index_feed::kind::Kind;
use quarry_http::disposition;
use quarry_markup::{Address, SafeHtml};
use quarry_store::content::attachments;
use quarry_store::files::blobs;

/// Maximum size in bytes of an image in the document; a larger one stays on the service.
const MAX_IMAGE: i64 = 1024 * 1024;

/// Maximum size in bytes of all images in the document.
const MAX_IMAGES: i64 = 8 * 1024 * 1024;

#[derive(Template)]
#[template(path = "content/wiki/export.html")]
struct Document {
    name: String,
    project: String,
    address: String,
    version: i64,
    updated: String,
    text: SafeHtml,
}

/// Returns the current text of a page, or that of a version: a document with its images, or the
/// text as it was written. A former title redirects.
pub fn export(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let format = request.path_param("format");
    let (project, page) = match address::find(request, db)? {
        Target::Page(project, page) => (project, page),
        Target::Moved(project, page) => {
            let suffix = format!(".{}", paths::encode(format));
            return Ok(address::redirect(request, project, &page, &suffix));
        }
        Target::Missing(_) => return Err(access::missing(request)),
    };
    let stored = requested_version(request, db, &page)?;
    let version = stored
        .as_ref()
        .map_or(page.version, |stored| stored.version);
    let updated = stored
        .as_ref()
        .map(|stored| stored.updated_on.strftime("%Y-%m-%d %H:%M UTC").to_string());
    let text = stored.map(|stored| stored.text).unwrap_or_default();
    let (content_type, bytes) = match format {
        "txt" => ("text/plain; charset=utf-8", text.into_bytes()),
        "html" => {
            let files = attachments::list_by_container(db, Kind::WikiPage, &[page.id.0])?
                .remove(&page.id.0)
                .unwrap_or_default();
            let html = TextRenderer::new(request, db, project.id, &files)
                .of_page(&page.title, None)
                .render(&text, "")?;
            let document = Document {
                name: name(&page.title),
                project: project.name.clone(),
                address: format!("{}{}", request.base_url(), path(project, &page.title)),
                version,
                updated: updated.unwrap_or_default(),
                text: self_contained(request, db, &html, &files)?,
            };
            let html = document
                .render()
                .map_err(|error| Error::Internal(error.to_string()))?;
            ("text/html; charset=utf-8", html.into_bytes())
        }
        _ => return Err(access::missing(request)),
    };
    let filename = format!("{}.{format}", page.title);
    Ok(Reply::document(content_type, bytes).with_header(
        header::CONTENT_DISPOSITION,
        disposition("attachment", &filename),
    ))
}

/// Returns the HTML with the images of the page in it. Other addresses of this service are
/// absolute.
fn self_contained(
    request: &RequestContext,
    db: &Read<'_>,
    html: &SafeHtml,
    files: &[Attachment],
) -> Result<SafeHtml, Error> {
    let base = request.base_url();
    let base_path = &request.app.config.base_path;
    let mut left = MAX_IMAGES;
    let mut problem = None;
    let html = html.with_addresses(|address| {
        let (Address::Link(path) | Address::Image(path)) = address;
        // A person may have written the base path.
        let path = base_path.strip(path).unwrap_or(path);
        let path = path
            .strip_prefix('/')
            .filter(|path| !path.starts_with('/'))?;
        let file = match address {
            Address::Link(_) => None,
            Address::Image(_) => {
                image(files, path).filter(|file| file.filesize <= left.min(MAX_IMAGE))
            }
        };
        match file.map(|file| data_url(request, db, file)) {
            Some(Ok(Some(url))) => {
                left -= file.map_or(0, |file| file.filesize);
                Some(url)
            }
            Some(Err(error)) => {
                problem = Some(error);
                None
            }
            Some(Ok(None)) | None => Some(format!("{base}/{}", decoded(path))),
        }
    });
    problem.map_or(Ok(html), Err)
}

/// Returns the address in an attribute, which is encoded again afterwards.
fn decoded(path: &str) -> String {
    let entities = [
        ("&quot;", "\""),
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&#x27;", "'"),
    ];
    let entities = entities
        .iter()
        .chain(&[("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]);
    entities.fold(path.to_owned(), |path, (entity, c)| path.replace(entity, c))
}

/// Returns the image of the page with this path.
fn image<'f>(files: &'f [Attachment], path: &str) -> Option<&'f Attachment> {
    let id = path
        .strip_prefix("attachments/download/")?
        .split('/')
        .next()?;
    let id: i64 = id.parse().ok()?;
    files.iter().find(|file| file.id.0 == id && file.is_image())
}

/// Returns the content of an image as an address; `None` if it is missing.
fn data_url(
    request: &RequestContext,
    db: &Read<'_>,
    file: &Attachment,
) -> Result<Option<String>, Error> {
    let (Some(digest), Some(content_type)) = (&file.content, image_type(&file.filename)) else {
        return Ok(None);
    };
    let limit = usize::try_from(MAX_IMAGE).unwrap_or(0);
    let Some(bytes) = blobs::load(db, &request.app.store, digest, limit)? else {
        return Ok(None);
    };
    Ok(Some(format!(
        "data:{content_type};base64,{}",
        STANDARD.encode(bytes)
    )))
}

/// Returns the media type of an image by its name.
fn image_type(filename: &str) -> Option<&'static str> {
    let extension = filename.rsplit_once('.')?.1.to_ascii_lowercase();
    Some(match extension.as_str() {
        "png" => "image/png",
        "jpg" | "jpeg" | "jpe" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "bmp" => "image/bmp",
        _ => return None,
    })
}
