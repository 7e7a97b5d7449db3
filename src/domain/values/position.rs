//! Positions in ordered lists, such as those of trackers and statuses.

/// Moves an item of a list to a position, counted from 1; to the end if the position is beyond it.
/// A new item is inserted.
pub fn move_to<T: Copy + PartialEq>(order: &mut Vec<T>, item: T, position: i64) {
    order.retain(|other| *other != item);
    let index = usize::try_from(position.saturating_sub(1))
        .unwrap_or(0)
        .min(order.len());
    order.insert(index, item);
}

/// Returns the position of an item in a list, counted from 1. Stored positions may have gaps, after
/// imports and deletions.
pub fn position_in<T: PartialEq>(mut order: impl Iterator<Item = T>, item: T) -> Option<usize> {
    order.position(|other| other == item).map(|index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::{move_to, position_in};

    #[test]
    fn item_moves_to_the_position_and_the_others_keep_their_order() {
        assert_eq!(moved(3, 1), [3, 1, 2]);
        assert_eq!(moved(1, 3), [2, 3, 1]);
        assert_eq!((moved(1, 99), moved(2, -5)), (vec![2, 3, 1], vec![2, 1, 3]));
        assert_eq!(moved(4, 2), [1, 4, 2, 3]);
    }

    fn moved(item: i64, position: i64) -> Vec<i64> {
        let mut order = vec![1, 2, 3];
        move_to(&mut order, item, position);
        order
    }

    #[test]
    fn item_that_is_moved_to_its_position_stays() {
        let order = vec![7, 3, 9];
        for item in [7, 3, 9] {
            let position = position_in(order.iter().copied(), item).unwrap_or(0);
            let mut again = order.clone();
            move_to(&mut again, item, i64::try_from(position).unwrap_or(0));
            assert_eq!(again, order);
        }
        assert_eq!(position_in(order.into_iter(), 4), None);
    }
}
