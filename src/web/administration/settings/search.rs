//! `GET /settings?q=…`: the settings whose name or help has all words, of every tab.

use super::tabs::{TABS, path};
use super::units;
use crate::components::list_page::{Cell, Link, ListPage};
use crate::frame::Frame;
use crate::prelude::*;

/// Lists the settings that match.
pub fn results(request: &RequestContext, db: &Read<'_>, words: &str) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let words = words.to_lowercase();
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut rows = Vec::new();
    for tab in &TABS {
        for (setting, label, hint) in tab.settings {
            let text = format!("{} {label} {hint} {}", tab.label, setting.name()).to_lowercase();
            if !words.iter().all(|word| text.contains(word)) {
                continue;
            }
            let value = units::format(*setting, catalogue.setting(*setting));
            let target = format!("{}#{}", path(tab), setting.name());
            rows.push(vec![
                Cell::Record(Link::new(*label, target), vec![tab.label.to_owned()]),
                Cell::Text(value),
                Cell::Text((*hint).to_owned()),
            ]);
        }
    }
    let frame =
        Frame::for_administration(request, db, "Matching settings").below("Settings", "/settings");
    ListPage::new(frame, &["Setting", "Value", "What it does"], rows)
        .with_empty(
            "No setting matches.",
            "Try another word, such as password, size or public.",
        )
        .with_button("All settings", "/settings")
        .render()
}
