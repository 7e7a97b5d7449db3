//! The list of the pages of issues and of spent time, as [`super::pages`] has the others.

use super::pages::Access::{Creator, Editor, Everybody, Permitted, User, Writer};
use super::pages::{Page, page, redirect};

/// Pages of issues and of spent time, in the same form.
pub const ISSUE_PAGES: &[Page] = &[
    page(
        "/issue_categories/{id}/delete",
        "/issue_categories/1/delete",
        Writer,
    ),
    page(
        "/issue_categories/{id}/edit",
        "/issue_categories/1/edit",
        Writer,
    ),
    page(
        "/issue_templates/{id}/delete",
        "/issue_templates/1/delete",
        Writer,
    ),
    page(
        "/issue_templates/{id}/edit",
        "/issue_templates/1/edit",
        Writer,
    ),
    page("/issues", "/issues?status_id=*", Everybody),
    page("/issues/board", "/issues/board", Everybody),
    page(
        "/issues/board",
        "/issues/board?columns=assigned_to&lanes=tracker",
        Everybody,
    ),
    page(
        "/projects/{id}/issues/board/limits",
        "/projects/secret/issues/board/limits",
        Writer,
    ),
    page(
        "/projects/{id}/issues/board",
        "/projects/secret/issues/board",
        Permitted,
    ),
    page(
        "/issues/{id}/move_card",
        "/issues/1/move_card?lanes=assigned_to",
        Permitted,
    ),
    page(
        "/issues",
        "/issues?subject=~pump&sort=subject&limit=1",
        Everybody,
    ),
    page(
        "/issues",
        "/issues?edit_filter=assigned_to_id&group_by=priority",
        Everybody,
    ),
    page(
        "/issues/calendar",
        "/issues/calendar?status_id=*&year=2026&month=11",
        Everybody,
    ),
    page(
        "/issues/gantt",
        "/issues/gantt?status_id=*&year=2026&month=10&months=6",
        Everybody,
    ),
    page("/issues/{id}", "/issues/1", Permitted),
    page("/issues/{id}", "/issues/3", Permitted),
    page("/issues/{id}", "/issues/1?quote=note-1", Permitted),
    page(
        "/issues/{id}/attachments/{file}/delete",
        "/issues/1/attachments/1/delete",
        Permitted,
    ),
    page("/issues/{id}/copy", "/issues/1/copy", Permitted),
    page("/issues/{id}/delete", "/issues/1/delete", Permitted),
    redirect("/issues/{id}/edit", "/issues/1/edit", Permitted),
    page("/issues/bulk_copy", "/issues/bulk_copy?ids=1,2", Permitted),
    page(
        "/issues/{id}/edit",
        "/issues/1/edit?field=description",
        Permitted,
    ),
    page("/issues/{id}/edit", "/issues/1/edit?field=cf_4", Permitted),
    page(
        "/issues/{id}/move",
        "/issues/1/move?issue%5Bproject_id%5D=2",
        Permitted,
    ),
    page(
        "/issues/{id}/relations/new",
        "/issues/1/relations/new",
        Permitted,
    ),
    page(
        "/issues/{id}/time_entries/new",
        "/issues/1/time_entries/new",
        Permitted,
    ),
    page(
        "/issues/{id}/watchers/new",
        "/issues/1/watchers/new",
        Permitted,
    ),
    page(
        "/issues/bulk_delete",
        "/issues/bulk_delete?ids=1,2",
        Permitted,
    ),
    page("/issues/bulk_edit", "/issues/bulk_edit?ids=1,2", Permitted),
    page(
        "/issues/bulk_edit/result",
        "/issues/bulk_edit/result?ids=1&at=1",
        User,
    ),
    page("/issues/new", "/issues/new", User),
    page("/issues/{id}/mail", "/issues/1/mail", Permitted),
    page("/journals/{id}/delete", "/journals/1/delete", Permitted),
    page("/journals/{id}/mail", "/journals/1/mail", Permitted),
    page("/journals/{id}/edit", "/journals/1/edit", Permitted),
    page(
        "/projects/{id}/issues",
        "/projects/secret/issues?status_id=*",
        Permitted,
    ),
    page(
        "/projects/{id}/issues/calendar",
        "/projects/secret/issues/calendar?status_id=*&year=2026&month=11",
        Permitted,
    ),
    page(
        "/projects/{id}/issues/gantt",
        "/projects/secret/issues/gantt?status_id=*&year=2026&month=10",
        Permitted,
    ),
    page(
        "/projects/{id}/issues/new",
        "/projects/secret/issues/new",
        Writer,
    ),
    page("/time_entries", "/time_entries", Everybody),
    page(
        "/time_entries",
        "/time_entries?user_id=2&from=2026-11-01&sort=hours&f[]=comments&op[comments]=~&v[comments][]=x",
        Everybody,
    ),
    page("/time_entries", "/time_entries?limit=1", Everybody),
    page(
        "/time_entries/{id}/delete",
        "/time_entries/1/delete",
        Editor,
    ),
    page("/time_entries/{id}/edit", "/time_entries/1/edit", Editor),
    page("/time_entries/new", "/time_entries/new", Creator),
    page("/time_entries/week", "/time_entries/week", Creator),
    page("/time_entries/report", "/time_entries/report", Everybody),
    page(
        "/time_entries/report",
        "/time_entries/report?criteria[]=user&criteria[]=version&criteria[]=issue&columns=day",
        Everybody,
    ),
    page(
        "/projects/{id}/time_entries",
        "/projects/secret/time_entries",
        Permitted,
    ),
    page(
        "/projects/{id}/time_entries/new",
        "/projects/secret/time_entries/new",
        Writer,
    ),
    page(
        "/projects/{id}/time_entries/report",
        "/projects/secret/time_entries/report?criteria[]=category&criteria[]=activity",
        Permitted,
    ),
];
