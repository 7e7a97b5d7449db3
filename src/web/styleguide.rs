//! `GET /styleguide` in debug builds: every component in every state.

use super::components::avatar::Person;
use super::components::badge::Stage;
use super::components::form_field::{FieldKind, FormField, choice};
use super::components::pager::Pager;
use super::components::tabs::Tab;
use super::components::time::Moment;
use super::frame::{Flash, Frame};
use crate::frame::render::render;
use crate::prelude::*;

/// Returns the route.
pub fn routes() -> Routes {
    Routes::new().route("/styleguide", get(read_handler(show)))
}

#[derive(Template)]
#[template(path = "styleguide/styleguide.html")]
struct Styleguide {
    frame: Frame,
    icons: Vec<&'static str>,
    people: Vec<Person>,
    moment: Moment,
    pager: Pager,
    tabs: Vec<Tab>,
    fields: Vec<FormField>,
    stages: [(&'static str, Stage); 5],
}

/// Shows the components.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let mut frame = Frame::new(request, db, "Style guide")
        .below("Documentation", "/styleguide")
        .below("Components", "/styleguide");
    frame.flash = Some(Flash::notice("A flash message: the project was saved."));
    let names = [
        ("Alice Manager", 0),
        ("Bob Developer", 1),
        ("Carol Reporter", 2),
        ("Dave Tester", 3),
        ("Erin Locked", 4),
    ];
    let page = Styleguide {
        icons: include_str!("icons.svg")
            .split("<symbol id=\"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .collect(),
        people: names.into_iter().map(person).collect(),
        moment: Moment::new(db.now()),
        pager: Pager::new(90, 10, 200, |page| format!("?page={page}")),
        tabs: vec![
            Tab::new("All", "#", true).with_count(72),
            Tab::new("Issues", "#", false).with_count(46),
            Tab::new("Wiki", "#", false),
        ],
        fields: fields(),
        stages: [
            ("New", Stage::First),
            ("In progress", Stage::Second),
            ("Resolved", Stage::Third),
            ("Feedback", Stage::Last),
            ("Closed", Stage::Closed),
        ],
        frame,
    };
    render(&page.frame, &page)
}

fn fields() -> Vec<FormField> {
    let choices = || [choice(1, "Normal"), choice(2, "High")];
    let field =
        |kind, name: &str, label: &str, value: &str| FormField::new(kind, name, label, value);
    let number = FieldKind::Number { min: 1, max: 100 };
    vec![
        field(FieldKind::Line, "subject", "Subject", "Memory leak")
            .with_hint("At most 255 characters."),
        FormField {
            error: Some("Mail is not valid".to_owned()),
            ..field(FieldKind::Email, "mail", "Mail", "alice@")
        },
        field(FieldKind::Select, "priority", "Priority", "2").with_choices(choices()),
        field(FieldKind::Radios, "kind", "Kind", "2").with_choices(choices()),
        field(FieldKind::LongText, "notes", "Comment", "Text")
            .with_hint("Markdown; #12 links an issue."),
        field(number, "pages", "Results per page", "10").with_hint("From 1 to 100."),
        FormField {
            error: Some("Choose fewer days".to_owned()),
            ..field(FieldKind::Checkboxes, "days[]", "Days without work", "2")
                .with_choices(choices())
        },
        field(FieldKind::Switch, "rest", "Enable REST web service", "1")
            .with_hint("Pages work either way."),
    ]
}

fn person((name, tint): (&str, i64)) -> Person {
    Person {
        picture: None,
        name: name.to_owned(),
        initials: name
            .split(' ')
            .filter_map(|word| word.chars().next())
            .collect(),
        tint,
        path: Some("/styleguide".to_owned()),
    }
}
