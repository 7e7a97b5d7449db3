//! Static files: stylesheet, script and icons, compiled into the program.
//!
//! The address of a file has a hash of its content, so that browsers keep it for ever and load a
//! new one after an update.

use axum::http::header;
use axum::routing::get;
use quarry_http::Routes;
use std::sync::LazyLock;
use twox_hash::XxHash3_64;

const CSS: &str = "text/css; charset=utf-8";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";
const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// The stylesheet: the colours and layout, then each component.
const STYLE: &str = concat!(
    include_str!("base.css"),
    include_str!("components/header/header.css"),
    include_str!("components/menu/menu.css"),
    include_str!("components/project_bar/project_bar.css"),
    include_str!("components/sidebar/sidebar.css"),
    include_str!("components/breadcrumb/breadcrumb.css"),
    include_str!("components/icon/icon.css"),
    include_str!("components/button/button.css"),
    include_str!("components/badge/badge.css"),
    include_str!("components/avatar/avatar.css"),
    include_str!("components/notice/notice.css"),
    include_str!("components/error_summary/error_summary.css"),
    include_str!("components/card/card.css"),
    include_str!("components/table/table.css"),
    include_str!("components/list_page/list_page.css"),
    include_str!("components/side_nav/side_nav.css"),
    include_str!("components/tabs/tabs.css"),
    include_str!("components/chips/chips.css"),
    include_str!("components/pager/pager.css"),
    include_str!("components/field/field.css"),
    include_str!("components/form_field/form_field.css"),
    include_str!("components/picture_form/picture_form.css"),
    include_str!("components/editor/editor.css"),
    include_str!("components/dialog/dialog.css"),
    include_str!("components/facts/facts.css"),
    include_str!("components/timeline/timeline.css"),
    include_str!("components/prose/prose.css"),
    include_str!("components/code/code.css"),
    include_str!("components/diff/diff.css"),
    include_str!("components/attachments/attachments.css"),
    include_str!("components/meter/meter.css"),
    include_str!("components/empty/empty.css"),
    include_str!("components/bookmark/bookmark.css"),
    include_str!("components/reactions/reactions.css"),
    include_str!("components/copy/copy.css"),
    include_str!("components/choice/choice.css"),
    include_str!("components/search_form/search_form.css"),
    include_str!("issues/list/list.css"),
    include_str!("issues/issue_table.css"),
    include_str!("components/lines/lines.css"),
    include_str!("components/popover/popover.css"),
    include_str!("palette/palette.css"),
    include_str!("components/watch/watch.css"),
    include_str!("issues/show/show.css"),
    include_str!("issues/new.css"),
    include_str!("content/wiki/wiki.css"),
);

/// What pages with a layout of their own need on top of [`STYLE`]: their templates include
/// `views_style.html`.
const VIEWS_STYLE: &str = concat!(
    include_str!("components/matrix/matrix.css"),
    include_str!("components/chart/chart.css"),
    include_str!("search/search.css"),
    include_str!("home/home.css"),
    include_str!("issues/board/board.css"),
    include_str!("issues/dates/dated_view/dated_view.css"),
    include_str!("issues/dates/calendar/calendar.css"),
    include_str!("issues/dates/gantt/gantt.css"),
    include_str!("components/attention/attention.css"),
    include_str!("components/tiles/tiles.css"),
    include_str!("accounts/oauth/scopes.css"),
    include_str!("content/activity/activity.css"),
    include_str!("notices/inbox/inbox.css"),
    include_str!("projects/overview.css"),
    include_str!("projects/versions/versions.css"),
    include_str!("issues/time_entries/time_entries.css"),
);

/// The script: its parts in their order.
const SCRIPT: &str = concat!(
    include_str!("js/start.js"),
    include_str!("js/keys.js"),
    include_str!("js/listbox.js"),
    include_str!("js/suggest.js"),
    include_str!("js/menu.js"),
    include_str!("js/theme.js"),
    include_str!("js/time.js"),
    include_str!("js/unsaved.js"),
    include_str!("js/refresh.js"),
    include_str!("js/parts.js"),
    include_str!("js/choice.js"),
    include_str!("js/popover.js"),
    include_str!("js/palette.js"),
    include_str!("js/loader.js"),
    include_str!("js/drafts.js"),
    include_str!("js/project.js"),
    include_str!("js/issue_form.js"),
);

/// What lists and searches need on top of [`SCRIPT`], which loads it where there is one.
const LIST_SCRIPT: &str = concat!(
    include_str!("js/order.js"),
    include_str!("js/list.js"),
    include_str!("js/rows.js"),
    include_str!("js/search.js"),
    include_str!("js/copy.js"),
);

struct Asset {
    name: &'static str,
    content_type: &'static str,
    content: String,
    url: String,
}

/// What text areas for wiki markup need on top of [`SCRIPT`], which loads it when there is one.
const EDITOR_SCRIPT: &str = concat!(
    include_str!("js/complete.js"),
    include_str!("js/editor.js"),
    include_str!("js/paste.js"),
);

/// Keys for the markup of text areas, which are loaded when somebody begins to write.
const MARKUP_SCRIPT: &str = include_str!("js/markup.js");

/// The toolbar and the emoji of text areas, which are loaded when somebody uses them.
const TOOLBAR_SCRIPT: &str = include_str!("js/toolbar.js");

/// What ticks the check boxes of texts, where somebody may.
const TICKS_SCRIPT: &str = include_str!("js/ticks.js");

/// What moves the dates of issues in calendars and Gantt charts.
const DATES_SCRIPT: &str = include_str!("js/dates.js");

/// What boards need on top of [`SCRIPT`]; no other page loads it.
const BOARD_SCRIPT: &str = include_str!("js/board.js");

/// What the inbox needs on top of [`SCRIPT`].
const INBOX_SCRIPT: &str = include_str!("js/inbox.js");

/// What the list of the palette needs on top of [`SCRIPT`]; it is loaded when it is opened.
const COMMANDS_SCRIPT: &str = include_str!("js/commands.js");

static ASSETS: LazyLock<[Asset; 15]> = LazyLock::new(|| {
    [
        asset("style.css", CSS, minified_style(STYLE)),
        asset("views.css", CSS, minified_style(VIEWS_STYLE)),
        asset("quarry.js", JAVASCRIPT, minified_script(SCRIPT)),
        asset("list.js", JAVASCRIPT, minified_script(LIST_SCRIPT)),
        asset("editor.js", JAVASCRIPT, minified_script(EDITOR_SCRIPT)),
        asset("markup.js", JAVASCRIPT, minified_script(MARKUP_SCRIPT)),
        asset("toolbar.js", JAVASCRIPT, minified_script(TOOLBAR_SCRIPT)),
        asset("ticks.js", JAVASCRIPT, minified_script(TICKS_SCRIPT)),
        asset("dates.js", JAVASCRIPT, minified_script(DATES_SCRIPT)),
        asset("board.js", JAVASCRIPT, minified_script(BOARD_SCRIPT)),
        asset("inbox.js", JAVASCRIPT, minified_script(INBOX_SCRIPT)),
        asset("commands.js", JAVASCRIPT, minified_script(COMMANDS_SCRIPT)),
        asset("icons.svg", SVG, include_str!("icons.svg").to_owned()),
        asset("favicon.svg", SVG, include_str!("favicon.svg").to_owned()),
        asset("app-icon.svg", SVG, include_str!("app-icon.svg").to_owned()),
    ]
});

/// Returns a script without comments, indentation, line breaks after punctuation, and spaces around
/// the operators and braces that no text of the script contains. No text goes over several lines.
/// Where only single quotes surround texts, the spaces around other punctuation go, too.
fn minified_script(script: &str) -> String {
    const OPERATORS: [&str; 9] = ["=>", "===", "!==", "&&", "||", "=", "?", ":", "+"];
    const BRACES: [(&str, &str); 3] = [("{ ", "{"), (" }", "}"), (") {", "){")];
    const PUNCTUATION: [(&str, &str); 4] = [(", ", ","), ("; ", ";"), (") ", ")"), (" (", "(")];
    const OTHER_QUOTES: [char; 4] = ['"', '`', '/', '\\'];
    let lines = script.lines().map(str::trim_start);
    let mut minified = String::new();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with("//")) {
        let mut line = line.to_owned();
        while let Some((before, rest)) = line.split_once(" /*") {
            let after = rest.split_once("*/").map_or("", |(_, after)| after);
            line = format!("{before}{after}");
        }
        for operator in OPERATORS {
            line = line.replace(&format!(" {operator} "), operator);
        }
        for (from, to) in BRACES {
            line = line.replace(from, to);
        }
        if !line.contains(OTHER_QUOTES) {
            let mut segments: Vec<String> = line.split('\'').map(str::to_owned).collect();
            for segment in segments.iter_mut().step_by(2) {
                for (from, to) in PUNCTUATION {
                    *segment = segment.replace(from, to);
                }
            }
            line = segments.join("'");
        }
        minified.push_str(&line);
        if !line.ends_with([';', '{', ',', '(', '[']) {
            minified.push('\n');
        }
    }
    minified
}

/// Returns a style sheet without comments, line breaks, and spaces around punctuation that no text of
/// it contains.
fn minified_style(style: &str) -> String {
    const PUNCTUATION: [(&str, &str); 7] = [
        (" {", "{"),
        ("{ ", "{"),
        ("; ", ";"),
        (" }", "}"),
        (", ", ","),
        (";}", "}"),
        ("} ", "}"),
    ];
    let mut comments = style.split("/*");
    let mut minified = comments.next().unwrap_or_default().to_owned();
    for comment in comments {
        minified.push_str(comment.split_once("*/").map_or("", |(_, after)| after));
    }
    let lines = minified.lines().map(str::trim);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    minified = lines.join(" ");
    for (from, to) in PUNCTUATION {
        minified = minified.replace(from, to);
    }
    minified
}

fn asset(name: &'static str, content_type: &'static str, content: String) -> Asset {
    let (stem, extension) = name.split_once('.').unwrap_or((name, ""));
    let hash = XxHash3_64::oneshot(content.as_bytes());
    Asset {
        name,
        content_type,
        content,
        url: format!("/static/{stem}.{hash:016x}.{extension}"),
    }
}

/// Returns the address of a static file; empty for an unknown name.
pub fn url(name: &str) -> &'static str {
    ASSETS
        .iter()
        .find(|asset| asset.name == name)
        .map_or("", |asset| &asset.url)
}

/// Returns the routes of all static files, and of the icon that browsers ask for on their own.
pub fn routes() -> Routes {
    ASSETS.iter().fold(
        Routes::new().route(
            "/favicon.ico",
            get((
                [
                    (header::CONTENT_TYPE, SVG),
                    (header::CACHE_CONTROL, "public, max-age=86400"),
                ],
                include_str!("favicon.svg"),
            )),
        ),
        |routes, asset| {
            let headers = [
                (header::CONTENT_TYPE, asset.content_type),
                (header::CACHE_CONTROL, IMMUTABLE),
            ];
            routes.route(&asset.url, get((headers, asset.content.as_str())))
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn url_has_the_hash_of_the_content() {
        assert_ne!(
            asset("a.css", CSS, "a".to_owned()).url,
            asset("a.css", CSS, "b".to_owned()).url
        );
        assert!(
            url("style.css").starts_with("/static/style.") && url("style.css").ends_with(".css")
        );
        assert_eq!(url("unknown.css"), "");
    }

    #[test]
    fn style_is_minified_without_a_change_of_meaning() {
        let style = "/* A */\n:root { --a: light-dark(#fff, #000);\n  --b: 1px }\n@media (max-width: 480px) { a, b > c { color: var(--a); margin: 0 4px } }\n\n/* B */ td::before { content: attr(data-label) \": \" }\n";
        let expected = ":root{--a: light-dark(#fff,#000);--b: 1px}@media (max-width: 480px){a,b > c{color: var(--a);margin: 0 4px}}td::before{content: attr(data-label) \": \"}";
        assert_eq!(minified_style(style).trim(), expected);
        let blocks = |style: &str| (style.matches('{').count(), style.matches(':').count());
        let comments = without_comments(STYLE);
        assert_eq!(blocks(&minified_style(STYLE)), blocks(&comments));
    }

    /// Returns a style sheet without its comments.
    fn without_comments(style: &str) -> String {
        let parts = style.split("/*").enumerate().map(|(index, part)| {
            let after = part.split_once("*/").map(|(_, after)| after);
            if index == 0 {
                part
            } else {
                after.unwrap_or_default()
            }
        });
        parts.collect()
    }

    #[test]
    fn script_is_small_and_has_every_part() {
        // With what a page loads besides.
        let script = minified_script(SCRIPT).len();
        for page in [LIST_SCRIPT, EDITOR_SCRIPT, BOARD_SCRIPT, INBOX_SCRIPT] {
            let delivered = script + minified_script(page).len();
            assert!(delivered <= 40 * 1024, "{delivered} bytes");
        }
        // Each line can stand alone: no text goes over several lines.
        for line in SCRIPT
            .lines()
            .chain(BOARD_SCRIPT.lines())
            .chain(LIST_SCRIPT.lines())
            .chain(EDITOR_SCRIPT.lines())
            .filter(|line| !line.trim_start().starts_with("//"))
        {
            assert!(line.matches('`').count() % 2 == 0, "{line}");
            assert!(!line.contains(" // "), "{line}");
        }
        for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/js")).unwrap() {
            let path = entry.unwrap().path();
            let part = std::fs::read_to_string(&path).unwrap();
            let is_delivered = SCRIPT.contains(&part)
                || LIST_SCRIPT.contains(&part)
                || EDITOR_SCRIPT.contains(&part)
                || [
                    BOARD_SCRIPT,
                    COMMANDS_SCRIPT,
                    INBOX_SCRIPT,
                    MARKUP_SCRIPT,
                    TOOLBAR_SCRIPT,
                    TICKS_SCRIPT,
                    DATES_SCRIPT,
                ]
                .contains(&part.as_str());
            assert!(is_delivered, "{} is missing", path.display());
        }
    }

    #[test]
    fn every_component_with_css_is_in_the_stylesheet() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("components");
        for entry in std::fs::read_dir(folder)
            .unwrap()
            .map(Result::unwrap)
            .filter(|entry| entry.path().is_dir())
        {
            for file in std::fs::read_dir(entry.path())
                .unwrap()
                .map(|file| file.unwrap().path())
            {
                if file.extension().is_some_and(|extension| extension == "css") {
                    let css = std::fs::read_to_string(&file).unwrap();
                    let is_delivered = STYLE.contains(&css) || VIEWS_STYLE.contains(&css);
                    assert!(is_delivered, "{} is missing", file.display());
                }
            }
        }
    }
}
