//! Positions in ordered lists, such as those of trackers and statuses.

/// Moves an item of a list to a position, counted from 1; to the end if the position is beyond it. A new item is inserted.
pub fn move_to<T: Copy + PartialEq>(order: &mut Vec<T>, item: T, position: i64) {
    order.retain(|other| *other != item);
    let index = usize::try_from(position.saturating_sub(1)).unwrap_or(0).min(order.len());
    order.insert(index, item);
}

#[cfg(test)]
mod tests {
    use super::move_to;

    #[test]
    fn item_moves_to_the_position_and_the_others_keep_their_order() {
        let moved = |item, position| {
            let mut order = vec![1, 2, 3];
            move_to(&mut order, item, position);
            order
        };
        assert_eq!(moved(3, 1), [3, 1, 2]);
        assert_eq!(moved(1, 3), [2, 3, 1]);
        assert_eq!((moved(1, 99), moved(2, -5)), (vec![2, 3, 1], vec![2, 1, 3]));
        assert_eq!(moved(4, 2), [1, 4, 2, 3]);
    }
}
