//! `/projects/:id/files`: the files of a project and of its versions, and the form that adds some.

use crate::access;
use crate::components::attachments::FileRow;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::choice;
use crate::components::form_page::{FileBox, FormPage};
use crate::components::pager::Pager;
use crate::components::watch::WatchButton;
use crate::content::received_files::ReceivedFiles;
use crate::frame::render::render;
use crate::frame::{Frame, ProjectTab, Width};
use crate::notices::inbox::{WhyLine, mark_opened};
use crate::prelude::*;
use crate::records::content_pages::save_with_files;
use quarry_actions::content::attachments::NewUpload;
use quarry_actions::content::files as actions;
use quarry_actions::content::files::NewProjectFile;
use quarry_domain::content::attachment::{Attachment, Container, ContainerType};
use quarry_domain::ids::VersionId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::notices::notice::Thread;
use quarry_domain::values::patch::Patch;
use quarry_domain::values::stable_sort::StableSort;
use quarry_http::Pagination;

/// Number of files on a page.
const LIMIT: i64 = 100;

/// The name of the object in forms, as in the API.
const OBJECT: &str = "file";

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route("/projects/{id}/files", get(read_handler(list)))
        .route(
            "/projects/{id}/files/new",
            get(read_handler(new)).post(write_handler(create)),
        )
}

#[derive(Template)]
#[template(path = "content/files/list.html")]
struct FileList {
    frame: Frame,
    total: i64,
    groups: Vec<Group>,
    pager: Pager,
    may_manage: bool,
    /// The address of the form that adds files, if the viewer may add some.
    new_path: Option<String>,
    why: Option<WhyLine>,
}

/// The files of the project itself, or those of a version.
struct Group {
    version: Option<GroupVersion>,
    files: Vec<ProjectFile>,
}

/// The version of a group, with the address of its page if the viewer may see that.
struct GroupVersion {
    name: String,
    path: Option<String>,
}

struct ProjectFile {
    row: FileRow,
    digest: String,
    downloads: i64,
}

/// `GET /projects/:id/files`: the files of a project, then those of its versions.
///
/// Lists the files.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let project = access::project(request, catalogue, Permission::ViewFiles)?;
    let pagination = Pagination::with_default_limit(&request.query, LIMIT);
    let (files, total) = pagination.slice(actions::list(db, viewer, project.id)?);
    let may_manage = viewer.may(Permission::ManageFiles, project.id);
    let mut groups: Vec<Group> = Vec::new();
    let mut last = None;
    for file in files {
        let version = version_of(&file);
        if groups.is_empty() || version != last {
            groups.push(Group {
                version: version.map(|id| GroupVersion::new(catalogue, viewer, id)),
                files: Vec::new(),
            });
            last = version;
        }
        if let Some(group) = groups.last_mut() {
            group.files.push(ProjectFile {
                row: FileRow::new(catalogue, &file),
                digest: file.digest,
                downloads: file.downloads,
            });
        }
    }
    let mut frame = frame(request, db, project, "Files").with_width(Width::Medium);
    let thread = Thread::new(Kind::Project, project.id.0);
    mark_opened(request, db, &mut frame, thread)?;
    let page = FileList {
        why: WhyLine::load(request, db, thread, None)?,
        frame,
        total,
        groups,
        pager: Pager::for_list(request, pagination.offset, pagination.limit, total),
        may_manage,
        new_path: may_manage.then(|| new_path(project)),
    };
    render(&page.frame, &page)
}

/// Returns the version that a file belongs to.
fn version_of(file: &Attachment) -> Option<VersionId> {
    match file.container {
        Some(Container {
            container_type: ContainerType::Version,
            id,
        }) => Some(VersionId(id)),
        _ => None,
    }
}

impl GroupVersion {
    fn new(catalogue: &Catalogue, viewer: &Viewer, id: VersionId) -> GroupVersion {
        let version = catalogue.versions.get(&id);
        let visible = version.filter(|version| viewer.may(Permission::ViewIssues, version.project));
        GroupVersion {
            name: version.map_or_else(String::new, |version| version.name.clone()),
            path: visible.map(|version| paths::version(version.id)),
        }
    }
}

fn list_path(project: &Project) -> String {
    format!("{}/files", paths::project(project))
}

fn new_path(project: &Project) -> String {
    format!("{}/new", list_path(project))
}

fn frame(request: &RequestContext, db: &Read<'_>, project: &Project, title: &str) -> Frame {
    let tab = Some(ProjectTab::Files);
    Frame::new(request, db, title).in_project(db, request.viewer(), project, tab)
}

/// `GET /projects/:id/files/new`: the form that adds files.
fn new(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    form(request, db, &ReceivedFiles::default())?.render()
}

fn form(
    request: &RequestContext,
    db: &Read<'_>,
    received: &ReceivedFiles,
) -> Result<FormPage, Error> {
    let catalogue = db.catalogue();
    let project = access::managed_project(request, catalogue, Permission::ManageFiles)?;
    let sent = match request.body.get(OBJECT) {
        Some(_) => &request.body,
        None => &request.query,
    };
    let form = FieldBuilder::new(OBJECT, sent);
    let versions = catalogue.versions.values();
    let mut versions: Vec<_> = versions
        .filter(|version| version.project == project.id)
        .collect();
    versions.stable_sort_by_key(|version| std::cmp::Reverse(version.id));
    let mut fields = Vec::new();
    if !versions.is_empty() {
        let versions = versions
            .iter()
            .map(|version| choice(version.id, &version.name));
        let all = [choice("", "None")].into_iter().chain(versions);
        fields.push(form.select("version_id", "Version", "", all));
    }
    fields.push(form.line("description", "Description", ""));
    let frame = frame(request, db, project, "Add files").below("Files", list_path(project));
    Ok(FormPage::new(frame, new_path(project), fields)
        .with_submit("Add")
        .with_cancel(list_path(project))
        .with_files(FileBox::new(request, db, received)))
}

/// `POST /projects/:id/files/new`: adds the files to the project or to one of its versions.
fn create(request: &RequestContext) -> Result<Reply, Error> {
    let permission = Permission::ManageFiles;
    let (project, path) = request.app.read(|db| -> Result<_, Error> {
        let project = access::managed_project(request, db.catalogue(), permission)?;
        Ok((project.id, list_path(project)))
    })?;
    save_with_files(
        request,
        |uploads| {
            let new = parse_files(request, uploads)?;
            request.write_in_project(project, move |db, viewer| {
                for file in &new {
                    actions::create(db, viewer, project, file)?;
                }
                Ok::<_, ActionError>(new.len())
            })
        },
        |count| {
            let message = match count {
                1 => "The file was added.".to_owned(),
                _ => format!("{count} files were added."),
            };
            Ok((path, message))
        },
        |db, errors, received| form(request, db, received)?.with_errors(errors).render(),
    )
}

/// Parses the form. Fails if it has no files.
fn parse_files(
    request: &RequestContext,
    uploads: Vec<NewUpload>,
) -> Result<Vec<NewProjectFile>, Error> {
    let mut body = BodyFields::from_body(request, OBJECT)?;
    let version: Patch<VersionId> = body.id("version_id", "Version");
    let description = body.text("description", "Description").value().cloned();
    body.check()?;
    if uploads.is_empty() {
        let mut errors = ValidationErrors::new();
        errors.add("token", "File", "cannot be blank");
        return Err(Error::Invalid(errors));
    }
    let files = uploads.into_iter().map(|upload| NewProjectFile {
        upload: NewUpload {
            description: description.clone(),
            ..upload
        },
        version: version.value().copied(),
    });
    Ok(files.collect())
}
