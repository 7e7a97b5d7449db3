//! Every page of the list: barriers, narrow screens, errors, foreign requests, hostile texts.

use super::driver::{Chromium, start};
use super::{axe, serve};
use crate::web::hostile::hostile_world;
use crate::web::pages::{self, Access, Page};
use quarry_world::World;
use quarry_world::complete_world::complete_world;
use serde_json::json;

/// Pages that are shown before the login.
fn shown_to_strangers() -> impl Iterator<Item = &'static Page> {
    pages::all().filter(|page| {
        page.access == Access::Open
            && ![
                "/login/code",
                "/login/password",
                "/login/two_factor",
                "/setup",
            ]
            .contains(&page.route)
    })
}

/// Pages that are shown to administrators.
fn shown_to_admin() -> impl Iterator<Item = &'static Page> {
    pages::all().filter(|page| !page.redirects)
}

/// Number of tests that share the pages: each has a browser, which loads one page at a time.
const PARTS: usize = 3;

#[test]
fn pages_have_no_barriers_no_errors_and_fit_narrow_screens() {
    inspect_part(0);
}

#[test]
fn pages_have_no_barriers_no_errors_and_fit_narrow_screens_second_part() {
    inspect_part(1);
}

#[test]
fn pages_have_no_barriers_no_errors_and_fit_narrow_screens_third_part() {
    inspect_part(2);
}

/// Inspects every third page.
fn inspect_part(part: usize) {
    let served = serve(complete_world());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    let axe = axe::source();
    let mut problems = Vec::new();
    for page in shown_to_strangers().skip(part).step_by(PARTS) {
        problems.extend(inspect(&chromium, page.path, axe));
    }
    chromium.log_in("admin", "adminadmin");
    let mut count = 0;
    for page in shown_to_admin().skip(part).step_by(PARTS) {
        problems.extend(inspect(&chromium, page.path, axe));
        count += 1;
    }
    if part == 0 {
        problems.extend(inspect(&chromium, "/nothing-here", axe));
    }
    assert!(
        problems.is_empty(),
        "{} problems:\n{}",
        problems.len(),
        problems.join("\n")
    );
    assert!(count > 30);
}

/// Opens a page and returns its problems: in the light theme, in the dark one, and at 360 pixels.
/// Cells of its tables stand below the headers of their columns.
fn inspect(chromium: &Chromium, path: &str, axe: Option<&str>) -> Vec<String> {
    let mut problems = Vec::new();
    chromium.prefer_theme("light");
    chromium.open(path);
    problems.extend(misplaced_cells(chromium));
    if let Some(axe) = axe {
        problems.extend(axe::violations(chromium, axe, false));
        chromium.prefer_theme("dark");
        problems.extend(
            axe::violations(chromium, axe, true)
                .into_iter()
                .map(|found| format!("dark: {found}")),
        );
    }
    problems.extend(overflow(chromium, 1280));
    problems.extend(overflow(chromium, 360));
    chromium.resize(1280);
    problems.extend(chromium.faults(if path == "/nothing-here" {
        &["404"]
    } else {
        &[]
    }));
    problems
        .into_iter()
        .map(|problem| format!("{path}: {problem}"))
        .collect()
}

/// Returns what is wider than the window, which only tables and code that scroll by themselves may
/// be.
fn overflow(chromium: &Chromium, width: u32) -> Option<String> {
    chromium.resize(width);
    let script = "const root = document.documentElement, limit = root.clientWidth;
        if (root.scrollWidth <= limit) return null;
        const wide = [...document.body.querySelectorAll('*')].filter(element => element.getBoundingClientRect().right > limit + 1);
        return `wider than ${limit} by ${root.scrollWidth - limit}: ` + wide.slice(-2).map(element => element.outerHTML.slice(0, 160)).join(' | ');";
    chromium.script(script).as_str().map(str::to_owned)
}

/// Returns the cells that do not start where the header of their column starts, three of each
/// table. Cells that span columns start at the first of them; rows that are laid out otherwise, such
/// as those without a header, have none.
fn misplaced_cells(chromium: &Chromium) -> Vec<String> {
    let script = "
        const isShown = cell => cell.getClientRects().length;
        const left = cell => cell.getBoundingClientRect().left;
        // The cells of a section with the column in which each starts.
        const columns = section => {
            const taken = [];
            return [...section.rows].flatMap((row, y) => {
                let x = 0;
                return [...row.cells].map(cell => {
                    while (taken[y]?.[x]) x++;
                    const start = x;
                    // A rowspan of 0 reaches to the end of the section.
                    for (let dy = 0; dy < (cell.rowSpan || section.rows.length - y); dy++)
                        for (let dx = 0; dx < cell.colSpan; dx++) (taken[y + dy] ??= [])[start + dx] = true;
                    x += cell.colSpan;
                    return [start, cell];
                });
            });
        };
        return [...document.querySelectorAll('table')].filter(table => table.tHead).flatMap(table => {
            const headers = columns(table.tHead).filter(([, cell]) => isShown(cell));
            const lefts = [];
            for (const [x, cell] of headers) if (cell.colSpan === 1) lefts[x] = left(cell);
            const cells = [...table.tBodies, ...(table.tFoot ? [table.tFoot] : [])].flatMap(columns);
            const misplaced = cells.filter(([x, cell]) => isShown(cell) && lefts[x] !== undefined && Math.abs(left(cell) - lefts[x]) > 1);
            return misplaced.slice(0, 3).map(([x, cell]) => `a cell is ${Math.round(left(cell) - lefts[x])} pixels beside the header of column ${x + 1}: ${cell.outerHTML.slice(0, 160)}`);
        });";
    let cells = chromium.script(script);
    let cells = cells.as_array().into_iter().flatten();
    cells
        .filter_map(|cell| cell.as_str().map(str::to_owned))
        .collect()
}

#[test]
fn cell_beside_the_header_of_its_column_is_noticed() {
    let served = serve(World::new());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.open("/login");
    let show = |body: &str| {
        let table = "<thead><tr><th colspan=2>Two</th><th rowspan=2>Three</th></tr><tr><th>One</th><th>Two</th></tr></thead>";
        let table = json!(format!("<table>{table}<tbody>{body}</tbody></table>"));
        chromium.script(&format!(
            "document.querySelector('main').innerHTML = {table}"
        ));
        misplaced_cells(&chromium)
    };
    let row = "<tr><th rowspan=2>1</th><td>2</td><td>3</td></tr><tr><td colspan=2>2</td></tr>";
    assert_eq!(show(row), Vec::<String>::new());
    chromium.script(
        "document.adoptedStyleSheets = [new CSSStyleSheet()];
         document.adoptedStyleSheets[0].insertRule('.flex { display: inline-flex }')",
    );
    let misplaced = show(&row.replace("<td>", "<td class=flex>")).join("\n");
    assert!(
        misplaced.contains("beside the header of column 3"),
        "{misplaced}"
    );
}

#[test]
fn hostile_texts_do_nothing_and_fit_narrow_screens() {
    let served = serve(hostile_world(0));
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("admin", "adminadmin");
    let mut problems = Vec::new();
    for page in shown_to_admin() {
        chromium.resize(360);
        chromium.open(page.path);
        // What waits for a person: menus and folded sections.
        chromium.script(
            "document.querySelectorAll('details').forEach(details => { details.open = true; })",
        );
        problems.extend(
            overflow(&chromium, 360)
                .into_iter()
                .chain(chromium.faults(&["404"]))
                .map(|problem| format!("{}: {problem}", page.path)),
        );
    }
    // Suggestions put titles into the page.
    chromium.resize(1280);
    chromium.open("/projects");
    chromium.type_into("form.search-box input[name=q]", "script");
    chromium.wait_until(
        "titles are suggested",
        "document.querySelector('[role=option]')",
    );
    problems.extend(chromium.faults(&[]));
    assert!(
        problems.is_empty(),
        "{} problems:\n{}",
        problems.len(),
        problems.join("\n")
    );
}

#[test]
fn faults_of_a_page_are_noticed() {
    let served = serve(World::new());
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.open("/login");
    assert_eq!(chromium.faults(&[]), Vec::<String>::new());
    assert_eq!(overflow(&chromium, 360), None);
    chromium.script(
        "document.body.insertAdjacentHTML('beforeend', '<img src=\"https://evil.test/x\" onerror=\"1\"><p id=\"wide\">x</p>');
         document.getElementById('wide').style.width = '2000px';
         setTimeout(() => { console.error('an error'); alert('x'); document.title = 'done'; })",
    );
    chromium.wait_until(
        "the script has run",
        "document.title === 'done' && violations.length >= 2",
    );
    let faults = chromium.faults(&[]).join("\n");
    for expected in [
        "an error",
        "violates the content security policy: ",
        "img-src",
        "script-src-attr",
        "came to life: alert",
    ] {
        assert!(faults.contains(expected), "{expected} in {faults}");
    }
    assert!(overflow(&chromium, 360).is_some());
    if let Some(axe) = axe::source() {
        let found = axe::violations(&chromium, axe, false).join("\n");
        assert!(found.contains("critical image-alt"), "{found}");
    }
}
