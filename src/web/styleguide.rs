//! `GET /styleguide` in debug builds: every component in every state.

use super::components::avatar::Person;
use super::components::pager::Pager;
use super::components::tabs::Tab;
use super::components::time::Moment;
use super::frame::{Flash, Frame};
use crate::render::render;
use askama::Template;
use quarry_http::{Error, Reply, RequestContext};
use quarry_store::Read;

#[derive(Template)]
#[template(path = "styleguide/styleguide.html")]
struct Styleguide {
    frame: Frame,
    icons: Vec<&'static str>,
    people: Vec<Person>,
    moment: Moment,
    pager: Pager,
    tabs: Vec<Tab>,
    options: Vec<Choice>,
}

struct Choice {
    value: &'static str,
    label: &'static str,
    is_selected: bool,
}

/// Shows the components.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
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
        options: vec![
            Choice {
                value: "1",
                label: "Normal",
                is_selected: false,
            },
            Choice {
                value: "2",
                label: "High",
                is_selected: true,
            },
        ],
        frame,
    };
    render(&page.frame, &page)
}

fn person((name, tint): (&str, i64)) -> Person {
    Person {
        name: name.to_owned(),
        initials: name
            .split(' ')
            .filter_map(|word| word.chars().next())
            .collect(),
        tint,
        path: Some("/styleguide".to_owned()),
    }
}
