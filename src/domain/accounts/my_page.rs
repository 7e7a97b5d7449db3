//! The blocks of My page, which a user can choose and order.

use crate::ids::QueryId;

/// A block of My page: a list of issues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Block {
    /// Issues of the user that should be done by now.
    Overdue,
    /// Issues of the user that are due soon.
    DueSoon,
    /// Issues that are assigned to the user.
    Assigned,
    /// Issues that the user reported.
    Reported,
    /// Issues that the user changed.
    Updated,
    /// Issues that the user watches.
    Watched,
    /// Issues that the user looked at last.
    Recent,
    /// The issues of a saved query.
    Query(QueryId),
}

/// The beginning of the name of a block with a saved query.
const QUERY: &str = "query-";

impl Block {
    /// The blocks that are no saved queries.
    pub const FIXED: [Block; 7] = [
        Block::Overdue,
        Block::DueSoon,
        Block::Assigned,
        Block::Reported,
        Block::Updated,
        Block::Watched,
        Block::Recent,
    ];

    /// The blocks of a user who has chosen none.
    pub const DEFAULT: [Block; 6] = [
        Block::Overdue,
        Block::DueSoon,
        Block::Assigned,
        Block::Reported,
        Block::Watched,
        Block::Recent,
    ];

    /// The maximum number of blocks.
    pub const MAX: usize = 12;

    /// Returns the name in addresses and forms. Those of Redmine's blocks are Redmine's.
    pub fn name(self) -> String {
        let name = match self {
            Block::Overdue => "issuesoverdue",
            Block::DueSoon => "issuesduesoon",
            Block::Assigned => "issuesassignedtome",
            Block::Reported => "issuesreportedbyme",
            Block::Updated => "issuesupdatedbyme",
            Block::Watched => "issueswatched",
            Block::Recent => "issuesrecent",
            Block::Query(id) => return format!("{QUERY}{id}"),
        };
        name.to_owned()
    }

    /// Returns the block of a name.
    pub fn from_name(name: &str) -> Option<Block> {
        if let Some(id) = name.strip_prefix(QUERY) {
            return id.parse().ok().map(QueryId).map(Block::Query);
        }
        Block::FIXED.into_iter().find(|block| block.name() == name)
    }
}

/// A change of the blocks of My page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// Adds a block at the end.
    Add(Block),
    /// Removes a block.
    Remove(Block),
    /// Moves a block to this position, from 1.
    Move(Block, usize),
    /// Restores the default blocks.
    Reset,
}

impl Arrangement {
    /// Returns the blocks after the change; `None` for those of a user who has chosen none.
    pub fn apply_to(self, mut blocks: Vec<Block>) -> Option<Vec<Block>> {
        match self {
            Arrangement::Add(block) if blocks.contains(&block) => {}
            Arrangement::Add(block) => blocks.push(block),
            Arrangement::Remove(block) => blocks.retain(|other| *other != block),
            Arrangement::Move(block, position) => {
                if let Some(index) = blocks.iter().position(|other| *other == block) {
                    blocks.remove(index);
                    blocks.insert(position.saturating_sub(1).min(blocks.len()), block);
                }
            }
            Arrangement::Reset => return None,
        }
        Some(blocks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_has_one_name() {
        let query = Block::Query(QueryId(7));
        for block in Block::FIXED.into_iter().chain([query]) {
            assert_eq!(Block::from_name(&block.name()), Some(block));
        }
        assert_eq!(Block::from_name("query-x"), None);
        assert_eq!(Block::from_name("calendar"), None);
    }

    #[test]
    fn arrangement_moves_one_block() {
        use Block::{Assigned, Recent, Reported};
        let blocks = vec![Assigned, Reported, Recent];
        let after = |arrangement: Arrangement| arrangement.apply_to(blocks.clone()).unwrap();
        let to_start = Arrangement::Move(Recent, 1);
        assert_eq!(after(to_start), [Recent, Assigned, Reported]);
        let past_end = Arrangement::Move(Assigned, 9);
        assert_eq!(after(past_end), [Reported, Recent, Assigned]);
        assert_eq!(after(Arrangement::Move(Block::Watched, 1)), blocks);
        assert_eq!(after(Arrangement::Add(Recent)), blocks);
        assert_eq!(after(Arrangement::Remove(Reported)), [Assigned, Recent]);
        assert_eq!(Arrangement::Reset.apply_to(blocks.clone()), None);
    }
}
