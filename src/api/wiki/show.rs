//! `GET /projects/:project_id/wiki`, `…/wiki/:title`, `…/wiki/:title/:version` (spec, "Wiki pages"; contract 5).

use super::address;
use super::view::{self, Around};
use crate::actions::wiki::{self, Found};
use crate::http::{Ask, Error, Reply};
use crate::store::Read;

/// The page with what it says now or said in a version; the first page of the wiki where no title is named. A title that the
/// page had once leads to its address.
pub fn show(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    if ask.place("title") == "date_index" || ask.place("version") == "history" {
        // There is no data at these addresses, only pages for people (contract 5).
        return Err(Error::Unspoken);
    }
    let project = address::project(ask, db.catalogue())?;
    let title = if ask.place("title").is_empty() { None } else { Some(address::title(ask)?) };
    let page = match wiki::find(db, ask.viewer(), project, title)? {
        Found::Here(page) => page,
        Found::Moved(page) => return Ok(Reply::redirect(address::moved(ask, db.catalogue(), &page))),
    };
    let version = wiki::find_version(db, ask.viewer(), &page, version(ask)?)?;
    let around = Around::load(ask, db, &page)?;
    Ok(Reply::object("wiki_page", move |w| view::alone(w, &page, version.as_ref(), &around)))
}

/// The version that is asked for, in the path or as a parameter; what is no number is none that there is.
fn version(ask: &Ask) -> Result<Option<i64>, Error> {
    let named = match ask.place("version") {
        "" => ask.parameter("version").filter(|text| !text.is_empty()),
        place => Some(place.into()),
    };
    named.map(|text| text.parse().map_err(|_| Error::NotFound)).transpose()
}
