//! `/my/page/blocks`: chooses and orders the blocks of My page.

use super::blocks;
use crate::access;
use crate::form::field;
use crate::frame::render::{redirect_with, render};
use crate::frame::{Flash, Frame, Width};
use crate::prelude::*;
use quarry_actions::accounts::my_page;
use quarry_domain::accounts::my_page::{Arrangement, Block};

const PATH: &str = "/my/page/blocks";

#[derive(Template)]
#[template(path = "accounts/my/arrange.html")]
struct ArrangePage {
    frame: Frame,
    /// The blocks in their order.
    chosen: Vec<Choice>,
    /// The blocks that can be added.
    others: Vec<Choice>,
    /// The saved queries that can be added.
    queries: Vec<Choice>,
    is_full: bool,
}

struct Choice {
    name: String,
    title: String,
}

/// `GET`: the blocks, and what can be added.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    request.require_user()?;
    let viewer = request.viewer();
    let chosen = my_page::list(db, viewer)?;
    let is_chosen = |block: Block| chosen.iter().any(|(other, _)| *other == block);
    let others = Block::FIXED.into_iter().filter(|block| !is_chosen(*block));
    let queries = my_page::queries(db, viewer)?.into_iter();
    let queries = queries.filter(|query| !is_chosen(Block::Query(query.id)));
    let page = ArrangePage {
        frame: Frame::new(request, db, "Blocks of My page")
            .with_width(Width::Narrow)
            .below("My page", "/my/page"),
        others: others
            .map(|block| choice(block, blocks::title(block, None)))
            .collect(),
        queries: queries
            .map(|query| choice(Block::Query(query.id), query.name))
            .collect(),
        is_full: chosen.len() >= Block::MAX,
        chosen: chosen
            .iter()
            .map(|(block, query)| choice(*block, blocks::title(*block, query.as_ref())))
            .collect(),
    };
    render(&page.frame, &page)
}

fn choice(block: Block, title: String) -> Choice {
    Choice {
        name: block.name(),
        title,
    }
}

/// `POST`: `add` or `remove` names a block, `reset` restores the default blocks.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let named = |name: &str| Block::from_name(&field(request, name));
    let arrangement = if let Some(block) = named("add") {
        Arrangement::Add(block)
    } else if let Some(block) = named("remove") {
        Arrangement::Remove(block)
    } else if field(request, "reset") == "1" {
        Arrangement::Reset
    } else {
        return Err(Error::invalid("add or remove must name a block of My page"));
    };
    save(request, arrangement)
}

/// `POST /my/page/blocks/:name`: moves a block to the position in `position`, from 1.
pub fn update_position(request: &RequestContext) -> Result<Reply, Error> {
    let block = Block::from_name(request.path_param("name"));
    let position = field(request, "position").parse().ok();
    let (Some(block), Some(position)) = (block, position) else {
        return Err(access::missing(request));
    };
    save(request, Arrangement::Move(block, position))
}

fn save(request: &RequestContext, arrangement: Arrangement) -> Result<Reply, Error> {
    request.require_user()?;
    let saved = request.write(move |db, viewer| my_page::arrange(db, viewer, arrangement));
    let flash = match access::found(request, saved) {
        Ok(()) => Flash::notice("My page was saved."),
        Err(Error::Invalid(errors)) => Flash::error(errors.messages().join(". ")),
        Err(error) => return Err(error),
    };
    Ok(redirect_with(request, PATH.to_owned(), &flash))
}
