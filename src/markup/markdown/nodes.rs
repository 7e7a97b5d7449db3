//! Properties of single nodes of a parsed document.

use crate::limits::MAX_NESTING;
use comrak::Node;
use comrak::nodes::{NodeCodeBlock, NodeTable, NodeValue, TableAlignment};

/// Whether the paragraph ends a footnote, so that the link back follows it.
pub(super) fn ends_footnote(node: Node<'_>) -> bool {
    node.next_sibling().is_none()
        && node
            .parent()
            .is_some_and(|parent| matches!(parent.data().value, NodeValue::FootnoteDefinition(_)))
}

/// Returns the plain text in a node.
pub(super) fn text_of(node: Node<'_>) -> String {
    let mut text = String::new();
    for part in node.descendants().take(1000 * MAX_NESTING) {
        match &part.data().value {
            NodeValue::Text(literal) => text.push_str(literal),
            NodeValue::Code(code) => text.push_str(&code.literal),
            NodeValue::SoftBreak | NodeValue::LineBreak => text.push(' '),
            _ => {}
        }
    }
    text
}

/// Returns the first word of the info string: ```` ```rust ````.
pub(super) fn language(block: &NodeCodeBlock) -> &str {
    block
        .info
        .split([' ', ',', '{', '\t'])
        .next()
        .unwrap_or_default()
}

/// Returns the class of the cells of a column.
pub(super) fn alignment(table: &NodeTable, column: usize) -> Option<&'static str> {
    match table.alignments.get(column)? {
        TableAlignment::None => None,
        TableAlignment::Left => Some("align-left"),
        TableAlignment::Center => Some("align-center"),
        TableAlignment::Right => Some("align-right"),
    }
}

/// Whether the paragraph is an item of a list without blank lines.
pub(super) fn is_tight(node: Node<'_>) -> bool {
    let list = node.parent().and_then(|item| item.parent());
    list.is_some_and(|list| matches!(list.data().value, NodeValue::List(list) if list.tight))
}
