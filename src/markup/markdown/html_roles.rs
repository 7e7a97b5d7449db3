//! Which HTML in a Markdown text takes effect: phrase tags that are closed within the same phrase,
//! `<details>` with a summary, and comments. Because tags are paired here, the HTML that is written
//! is always balanced.

use crate::inline_tags;
use crate::inline_tags::Tag;
use comrak::Node;
use comrak::nodes::NodeValue;
use std::collections::HashMap;

/// Maximum number of open tags at a time.
const MAX_OPEN: usize = 16;

/// What a piece of HTML in the text does.
#[derive(Clone, Debug)]
pub(super) enum Role {
    /// Opens an element.
    Open(&'static str),
    /// Closes the element that was opened last.
    Close,
    /// Breaks the line.
    LineBreak,
    /// Opens a disclosure with this summary.
    OpenDetails(String),
    /// Closes a disclosure.
    CloseDetails,
    /// Is a comment.
    Hidden,
}

/// The roles of the HTML nodes of a document. HTML without a role is shown as text.
pub(super) struct HtmlRoles<'a> {
    roles: HashMap<*const (), Role>,
    document: std::marker::PhantomData<Node<'a>>,
}

impl<'a> HtmlRoles<'a> {
    /// Finds the roles in a document.
    pub fn new(root: Node<'a>) -> HtmlRoles<'a> {
        let mut roles = HtmlRoles {
            roles: HashMap::new(),
            document: std::marker::PhantomData,
        };
        for node in root.descendants() {
            roles.pair_children(node);
        }
        roles
    }

    /// Returns the role of a node.
    pub fn role_of(&self, node: Node<'a>) -> Option<&Role> {
        self.roles.get(&key(node))
    }

    fn pair_children(&mut self, parent: Node<'a>) {
        let mut phrases: Vec<(&'static str, Node<'a>)> = Vec::new();
        let mut details: Vec<(String, Node<'a>)> = Vec::new();
        for child in parent.children() {
            match &child.data().value {
                NodeValue::HtmlInline(literal) if inline_tags::is_comment(literal) => {
                    self.set(child, Role::Hidden)
                }
                NodeValue::HtmlInline(literal) => match inline_tags::parse(literal) {
                    Some((Tag::LineBreak, _)) => self.set(child, Role::LineBreak),
                    Some((Tag::Open(name), _)) if phrases.len() < MAX_OPEN => {
                        phrases.push((name, child))
                    }
                    Some((Tag::Close(name), _)) => {
                        if let Some(at) = phrases.iter().rposition(|(open, _)| *open == name) {
                            let start = phrases[at].1;
                            phrases.truncate(at);
                            self.set(start, Role::Open(name));
                            self.set(child, Role::Close);
                        }
                    }
                    _ => {}
                },
                NodeValue::HtmlBlock(block) if inline_tags::is_comment(&block.literal) => {
                    self.set(child, Role::Hidden)
                }
                NodeValue::HtmlBlock(block)
                    if block.literal.trim().eq_ignore_ascii_case("</details>") =>
                {
                    if let Some((summary, start)) = details.pop() {
                        self.set(start, Role::OpenDetails(summary));
                        self.set(child, Role::CloseDetails);
                    }
                }
                NodeValue::HtmlBlock(block) if details.len() < MAX_OPEN => {
                    details.extend(details_summary(&block.literal).map(|summary| (summary, child)));
                }
                _ => {}
            }
        }
    }

    fn set(&mut self, node: Node<'a>, role: Role) {
        self.roles.insert(key(node), role);
    }
}

fn key(node: Node<'_>) -> *const () {
    std::ptr::from_ref(node).cast()
}

/// Returns the summary in `<details><summary>Log</summary>`.
fn details_summary(literal: &str) -> Option<String> {
    let rest = literal.trim().strip_prefix("<details>")?.trim_start();
    let summary = rest.strip_prefix("<summary>")?.strip_suffix("</summary>")?;
    (!summary.contains('<')).then(|| summary.trim().to_owned())
}
