//! The blocks of My page.

use crate::prelude::*;
use quarry_domain::accounts::my_page::{Arrangement, Block};
use quarry_domain::query::saved::{QueryKind, SavedQuery};
use quarry_domain::validation::ValidationError;
use quarry_store::StoreError;
use quarry_store::accounts::users;
use quarry_store::lists::queries;

/// Returns the blocks of the viewer in their order, each with its saved query. Queries that the viewer
/// may no longer use are left out.
pub fn list(
    db: &Read<'_>,
    viewer: &Viewer,
) -> Result<Vec<(Block, Option<SavedQuery>)>, StoreError> {
    let stored = match viewer.user {
        Some(user) => users::my_page(db, user)?,
        None => None,
    };
    let mut blocks = Vec::new();
    for block in stored.unwrap_or_else(|| Block::DEFAULT.to_vec()) {
        match block {
            Block::Query(id) => {
                let query = queries::find(db, QueryKind::Issues, id)?;
                let query = query.filter(|query| query.is_listed_for(viewer));
                blocks.extend(query.map(|query| (block, Some(query))));
            }
            block => blocks.push((block, None)),
        }
    }
    Ok(blocks)
}

/// Returns the saved queries that the viewer can add.
pub fn queries(db: &Read<'_>, viewer: &Viewer) -> Result<Vec<SavedQuery>, StoreError> {
    let mut queries = queries::list(db, QueryKind::Issues, viewer.user)?;
    queries.retain(|query| query.is_listed_for(viewer));
    Ok(queries)
}

/// Changes the blocks of the viewer.
///
/// # Errors
/// `Forbidden` for anonymous; `NotFound` for a query that the viewer may not use; `Invalid` for too
/// many blocks.
pub fn arrange(
    db: &mut Write<'_>,
    viewer: &Viewer,
    arrangement: Arrangement,
) -> Result<(), ActionError> {
    let user = viewer.user.ok_or(ActionError::Forbidden)?;
    if let Arrangement::Add(Block::Query(id)) = arrangement {
        queries::find(db, QueryKind::Issues, id)?
            .filter(|query| query.is_listed_for(viewer))
            .ok_or(ActionError::NotFound)?;
    }
    let shown = list(db, viewer)?;
    let shown: Vec<Block> = shown.into_iter().map(|(block, _)| block).collect();
    // A query that cannot be used for the moment keeps its place.
    let stored = users::my_page(db, user)?.unwrap_or_default();
    let is_hidden = |block: &Block| !shown.contains(block);
    let hidden: Vec<(usize, Block)> = stored
        .into_iter()
        .enumerate()
        .filter(|(_, block)| is_hidden(block))
        .collect();
    let blocks = arrangement.apply_to(shown).map(|mut blocks| {
        for (place, block) in hidden {
            if !blocks.contains(&block) {
                blocks.insert(place.min(blocks.len()), block);
            }
        }
        blocks
    });
    if blocks
        .as_ref()
        .is_some_and(|blocks| blocks.len() > Block::MAX)
    {
        let message = format!("can have at most {} blocks", Block::MAX);
        let error = ValidationError::new("block", "My page", &message);
        return Err(ActionError::Invalid(error.into()));
    }
    users::update_my_page(db, user, blocks.as_deref())?;
    Ok(())
}
