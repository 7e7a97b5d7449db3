//! `/palette`: the commands that somebody can reach by typing: what a page offers, and where to go
//! from there.
//!
//! It is a page of its own, which the script shows in a dialog. `from` is the address of the page on
//! which it was opened, `q` what was typed. Invariant: it lists only what the viewer may see and do,
//! at most [`MAX_MATCHES`] in each group.

pub(crate) mod command;
mod destinations;
mod of_page;

use crate::frame::local_path::local_path;
use crate::frame::render::render;
use crate::frame::{Frame, Width};
use crate::issues::recent_issues;
use crate::prelude::*;
use command::{Command, Target, Words};
use quarry_domain::access::visibility;
use quarry_domain::values::stable_sort::StableSort;
use quarry_store::issues;

/// Maximum number of commands in a group that match what was typed.
const MAX_MATCHES: usize = 20;
/// Maximum number of commands in most groups when nothing was typed.
const MAX_UNTYPED: usize = 6;
/// The same for what the page offers.
const MAX_UNTYPED_OF_PAGE: usize = 10;
/// Maximum number of characters that are read.
const MAX_TYPED: usize = 200;

/// Returns the route.
pub fn routes() -> Routes {
    Routes::new().route("/palette", get(read_handler(show)))
}

#[derive(Template)]
#[template(path = "palette/palette.html")]
struct PalettePage {
    frame: Frame,
    typed: String,
    max_length: usize,
    /// The address of the page on which the palette was opened.
    from: String,
    groups: Vec<Group>,
}

/// Commands of one kind.
struct Group {
    title: String,
    commands: Vec<Command>,
}

/// Shows the commands that match what was typed.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let typed = request.query_param("q").unwrap_or_default();
    let typed: String = typed.trim().chars().take(MAX_TYPED).collect();
    let from = request.query_param("from").unwrap_or_default();
    let from = local_path(&from).unwrap_or("/").to_owned();
    let words = Words::new(&typed);
    let (max, max_of_page) = match words.is_empty() {
        true => (MAX_UNTYPED, MAX_UNTYPED_OF_PAGE),
        false => (MAX_MATCHES, MAX_MATCHES),
    };
    let page = of_page::load(request, db, &from)?;
    let mut groups = Vec::new();
    let mut add = |title: &str, max: usize, commands: Vec<Command>| {
        let matching = commands
            .into_iter()
            .filter(|command| words.are_in_command(command));
        let commands: Vec<Command> = matching.take(max).collect();
        if !commands.is_empty() {
            groups.push(Group {
                title: title.to_owned(),
                commands,
            });
        }
    };
    add("This page", max_of_page, page.commands);
    if let Some(project) = page.project {
        add(
            &project.name,
            MAX_MATCHES,
            of_page::project_commands(request, db, project),
        );
    }
    add("Recent issues", max, recent(request, db)?);
    add("Projects", max, destinations::projects(request, db, &words));
    add("Saved queries", max, destinations::queries(request, db)?);
    add(
        "Go to",
        MAX_MATCHES,
        destinations::pages(request, words.is_empty()),
    );
    put_exact_first(&mut groups, &typed);
    if let Some(command) = numbered(request, db, &typed)? {
        groups.insert(
            0,
            Group {
                title: "Issue".to_owned(),
                commands: vec![command],
            },
        );
    }
    groups.push(Group {
        title: "Search".to_owned(),
        commands: vec![search(page.project, &typed)],
    });
    let page = PalettePage {
        frame: Frame::new(request, db, "Commands").with_width(Width::Narrow),
        typed,
        max_length: MAX_TYPED,
        from,
        groups,
    };
    render(&page.frame, &page)
}

/// Puts a command whose label is what was typed before all others.
fn put_exact_first(groups: &mut [Group], typed: &str) {
    let typed = typed.trim().to_lowercase();
    let exact = |command: &Command| command.label.to_lowercase() == typed;
    let Some(at) = groups
        .iter()
        .position(|group| group.commands.iter().any(exact))
    else {
        return;
    };
    groups[..=at].rotate_right(1);
    groups[0]
        .commands
        .stable_sort_by_key(|command| !exact(command));
}

/// Returns the command that shows an issue.
fn issue_command(catalogue: &Catalogue, issue: &Issue) -> Command {
    let project = catalogue.projects.get(&issue.project);
    let project = project.map_or("", |project| &project.name);
    let label = format!("#{} {}", issue.id, issue.subject);
    Command::link("issue", label, paths::issue(issue.id)).with_details(project)
}

/// Returns the issues that the viewer has looked at last, as far as they are still visible.
fn recent(request: &RequestContext, db: &Read<'_>) -> Result<Vec<Command>, Error> {
    let ids = recent_issues::ids(request);
    issues::preload(db, ids.iter().copied())?;
    let mut commands = Vec::new();
    for id in ids {
        let issue = issues::find(db, visibility::issues(request.viewer()), id)?;
        commands.extend(issue.map(|issue| issue_command(db.catalogue(), &issue)));
    }
    Ok(commands)
}

/// Returns the issue whose number was typed, with or without `#`.
fn numbered(
    request: &RequestContext,
    db: &Read<'_>,
    typed: &str,
) -> Result<Option<Command>, Error> {
    let number = typed.strip_prefix('#').unwrap_or(typed);
    let Ok(id) = number.parse().map(IssueId) else {
        return Ok(None);
    };
    let issue = issues::find(db, visibility::issues(request.viewer()), id)?;
    Ok(issue.map(|issue| issue_command(db.catalogue(), &issue)))
}

/// Returns the command that searches for what was typed, in the project or everywhere.
fn search(project: Option<&Project>, typed: &str) -> Command {
    let label = match typed {
        "" => "Search".to_owned(),
        typed => format!("Search for “{typed}”"),
    };
    let project_path = project.map(paths::project).unwrap_or_default();
    let query = match typed {
        "" => String::new(),
        typed => format!("?q={}", paths::encode(typed)),
    };
    let place = project.map_or("everything", |project| &project.name);
    Command::link("search", label, format!("{project_path}/search{query}")).with_details(place)
}
