//! Markdown: CommonMark with tables, strikethrough, task lists, footnotes, bare addresses and wiki
//! links.

mod html_roles;
mod nodes;

use super::limits::Interrupted;
use super::reference_parser;
use super::writer::{HtmlWriter, Written};
use comrak::arena_tree::NodeEdge;
use comrak::nodes::{ListType, NodeValue, NodeWikiLink};
use comrak::{Arena, Node, Options};
use html_roles::{HtmlRoles, Role};
use nodes::{alignment, ends_footnote, is_tight, language, text_of};

/// Writes the HTML of a Markdown text.
pub(super) fn write(text: &str, writer: &mut HtmlWriter<'_>) -> Written {
    let arena = Arena::new();
    let parsed = comrak::try_parse_document(&arena, text, &parser_options(), &|| {
        writer.is_parsing_over()
    });
    let root = parsed.map_err(|_| Interrupted::TimedOut)?;
    let mut document = Document {
        roles: HtmlRoles::new(root),
        skipped: None,
        opened: Vec::new(),
        footnotes: 0,
        column: 0,
        line_starts: line_starts(text),
        writer,
    };
    for edge in root.traverse() {
        match edge {
            NodeEdge::Start(node) if document.skipped.is_none() => document.enter(node)?,
            NodeEdge::End(node) => document.leave(node)?,
            NodeEdge::Start(_) => {}
        }
    }
    Ok(())
}

fn line_starts(text: &str) -> Vec<usize> {
    let ends = text.match_indices('\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(ends).collect()
}

fn parser_options() -> Options<'static> {
    let mut options = Options::default();
    options.extension.strikethrough = true;
    options.extension.table = true;
    options.extension.autolink = true;
    options.extension.tasklist = true;
    options.extension.footnotes = true;
    options.extension.wikilinks_title_after_pipe = true;
    // Keeps `\#12` apart from `#12`.
    options.parse.escaped_char_spans = true;
    options
}

/// Walks over a document and writes its nodes.
struct Document<'a, 'w, 'c> {
    roles: HtmlRoles<'a>,
    /// A node whose descendants were written together with it, so that they are skipped.
    skipped: Option<Node<'a>>,
    /// For each node that was entered and not left yet: the number of elements that were open
    /// before it.
    opened: Vec<usize>,
    /// How many footnotes were written.
    footnotes: usize,
    /// The column of the next table cell.
    column: usize,
    /// The offset of each line of the text.
    line_starts: Vec<usize>,
    writer: &'w mut HtmlWriter<'c>,
}

impl<'a> Document<'a, '_, '_> {
    fn enter(&mut self, node: Node<'a>) -> Written {
        self.opened.push(self.writer.depth());
        let data = node.data();
        match &data.value {
            NodeValue::Paragraph => self.enter_paragraph(node),
            NodeValue::Heading(heading) => {
                let is_section = node
                    .parent()
                    .is_some_and(|parent| matches!(parent.data().value, NodeValue::Document));
                let line = data.sourcepos.start.line.saturating_sub(1);
                let start = self.line_starts.get(line).filter(|_| is_section);
                self.writer.open_heading(heading.level, start.copied())
            }
            NodeValue::BlockQuote | NodeValue::MultilineBlockQuote(_) => {
                self.open_block("blockquote", &[])
            }
            NodeValue::List(list) => match list.list_type {
                ListType::Bullet => self.open_block("ul", &[]),
                ListType::Ordered => {
                    let start = if list.start == 1 {
                        String::new()
                    } else {
                        list.start.to_string()
                    };
                    self.open_block("ol", &[("start", &start)])
                }
            },
            NodeValue::Item(_) => self.writer.open("li"),
            NodeValue::TaskItem(task) => {
                self.writer.open_with("li", &[("class", "task")])?;
                // Without a text there is nothing to do; the box of others is in their first paragraph.
                match (node.first_child(), task.symbol.is_some()) {
                    (None, true) => self.writer.text("[x]"),
                    (None, false) => self.writer.text("[ ]"),
                    (Some(_), _) => Ok(()),
                }
            }
            NodeValue::CodeBlock(block) => {
                self.writer.line_feed();
                self.writer.code_block(language(block), &block.literal)
            }
            NodeValue::ThematicBreak => {
                self.writer.line_feed();
                self.writer.void("hr", &[])
            }
            NodeValue::Table(_) => {
                self.open_block("div", &[("class", "table-scroll"), ("tabindex", "0")])?;
                self.writer.open("table")
            }
            NodeValue::TableRow(is_header) => self.enter_row(node, *is_header),
            NodeValue::TableCell => self.enter_cell(node),
            NodeValue::FootnoteDefinition(_) => self.enter_footnote(),
            NodeValue::FootnoteReference(reference) => {
                let number = reference.ix.to_string();
                let repeated = if reference.ref_num > 1 {
                    format!("{number}-{}", reference.ref_num)
                } else {
                    number.clone()
                };
                let id = self.writer.footnote_id("fnref", &repeated);
                let target = self.writer.footnote_id("fn", &number);
                self.writer.open_with("sup", &[("class", "footnote-ref")])?;
                self.writer.footnote_link(&target, &id, "", &number)?;
                self.writer.close();
                Ok(())
            }
            NodeValue::HtmlBlock(block) => self.html_block(node, &block.literal),
            NodeValue::HtmlInline(literal) => self.html_inline(node, literal),
            NodeValue::Text(text) => match node
                .parent()
                .map(|parent| matches!(parent.data().value, NodeValue::Escaped))
            {
                Some(true) => self.writer.literal(text),
                _ => self.writer.text(text),
            },
            NodeValue::SoftBreak | NodeValue::LineBreak => self.writer.line_break(),
            NodeValue::Code(code) => self.writer.element("code", &[], &code.literal),
            NodeValue::Emph => self.writer.open("em"),
            NodeValue::Strong => self.writer.open("strong"),
            NodeValue::Strikethrough => self.writer.open("del"),
            NodeValue::Link(link) => self.writer.open_link(&link.url, &link.title).map(drop),
            NodeValue::Image(link) => {
                self.skipped = Some(node);
                let alt = text_of(node);
                self.writer.image(&link.url, &alt, &link.title, "")
            }
            NodeValue::WikiLink(link) => {
                self.skipped = Some(node);
                self.wiki_link(link, &text_of(node))
            }
            _ => Ok(()),
        }
    }

    fn leave(&mut self, node: Node<'a>) -> Written {
        match self.skipped {
            Some(skipped) if !skipped.same_node(node) => return Ok(()),
            _ => self.skipped = None,
        }
        let before = self.opened.pop().unwrap_or_default();
        match &node.data().value {
            NodeValue::Heading(_) => self.writer.close_heading()?,
            // What a phrase tag opens stays open until its end tag.
            NodeValue::HtmlInline(_) | NodeValue::HtmlBlock(_) => return Ok(()),
            NodeValue::FootnoteDefinition(_) => {
                if !node
                    .last_child()
                    .is_some_and(|last| matches!(last.data().value, NodeValue::Paragraph))
                {
                    self.footnote_back_link()?;
                }
                self.writer.close_to(before);
            }
            NodeValue::Paragraph if ends_footnote(node) => {
                self.writer.literal(" ")?;
                self.footnote_back_link()?;
                self.writer.close_to(before);
            }
            _ => self.writer.close_to(before),
        }
        let value = &node.data().value;
        if value.block()
            && !matches!(value, NodeValue::TableCell)
            && !(matches!(value, NodeValue::Paragraph) && is_tight(node))
        {
            self.writer.line_feed();
        }
        if self.opened.len() == 1 {
            self.writer.end_block()
        } else {
            Ok(())
        }
    }

    fn open_block(&mut self, name: &'static str, attributes: &[(&str, &str)]) -> Written {
        self.writer.line_feed();
        self.writer.open_with(name, attributes)?;
        self.writer.line_feed();
        Ok(())
    }

    fn enter_paragraph(&mut self, node: Node<'a>) -> Written {
        if node
            .parent()
            .is_some_and(|parent| matches!(parent.data().value, NodeValue::Document))
            && node
                .first_child()
                .is_some_and(|child| child.next_sibling().is_none())
            && self.writer.contents_macro(&text_of(node))?
        {
            self.skipped = Some(node);
            return Ok(());
        }
        let task = node
            .parent()
            .filter(|_| node.previous_sibling().is_none())
            .and_then(|parent| match &parent.data().value {
                NodeValue::TaskItem(task) => Some(*task),
                _ => None,
            });
        if !is_tight(node) {
            self.writer.open("p")?;
        } else if node.previous_sibling().is_some() {
            self.writer.line_feed();
        }
        let Some(task) = task else { return Ok(()) };
        self.writer.open("label")?;
        let sign = task.symbol_sourcepos.start;
        let line = self.line_starts.get(sign.line.saturating_sub(1));
        let offset = line.map_or(0, |start| start + sign.column.saturating_sub(1));
        self.writer.task_box(task.symbol.is_some(), offset)?;
        self.writer.literal(" ")
    }

    fn enter_row(&mut self, node: Node<'a>, is_header: bool) -> Written {
        self.column = 0;
        if is_header {
            self.writer.open("thead")?;
        } else if node
            .previous_sibling()
            .is_some_and(|row| matches!(row.data().value, NodeValue::TableRow(true)))
        {
            self.writer.line_feed();
            self.writer.open("tbody")?;
            // The body is closed with the table, not with its first row.
            if let Some(row) = self.opened.last_mut() {
                *row += 1;
            }
        }
        self.writer.open("tr")
    }

    fn enter_cell(&mut self, node: Node<'a>) -> Written {
        let row = node.parent();
        let is_header =
            row.is_some_and(|row| matches!(row.data().value, NodeValue::TableRow(true)));
        let column = self.column;
        self.column += 1;
        let table = row.and_then(|row| row.parent());
        let alignment = table.and_then(|table| match &table.data().value {
            NodeValue::Table(table) => alignment(table, column),
            _ => None,
        });
        let class = alignment.unwrap_or_default();
        if is_header {
            self.writer
                .open_with("th", &[("scope", "col"), ("class", class)])
        } else {
            self.writer.open_with("td", &[("class", class)])
        }
    }

    fn enter_footnote(&mut self) -> Written {
        self.footnotes += 1;
        if self.footnotes == 1 {
            self.open_block("section", &[("class", "footnotes")])?;
            self.writer.open("ol")?;
            self.writer.line_feed();
        }
        let id = self.writer.footnote_id("fn", &self.footnotes.to_string());
        self.writer.open_with("li", &[("id", &id)])?;
        if let Some(opened) = self.opened.last_mut() {
            *opened = self.writer.depth() - 1;
        }
        Ok(())
    }

    fn footnote_back_link(&mut self) -> Written {
        let target = self
            .writer
            .footnote_id("fnref", &self.footnotes.to_string());
        self.writer.footnote_link(&target, "", "footnote-back", "↩")
    }

    fn html_block(&mut self, node: Node<'a>, literal: &str) -> Written {
        if let Some((language, code, _)) = super::inline_tags::preformatted(literal.trim_end()) {
            self.writer.line_feed();
            return self.writer.code_block(language, code);
        }
        match self.roles.role_of(node) {
            Some(Role::Hidden) => Ok(()),
            Some(Role::OpenDetails(summary)) => {
                let summary = summary.clone();
                self.open_block("details", &[])?;
                self.writer.element("summary", &[], &summary)?;
                self.writer.line_feed();
                Ok(())
            }
            Some(Role::CloseDetails) => {
                self.writer.close();
                self.writer.line_feed();
                Ok(())
            }
            _ => {
                self.writer.line_feed();
                self.writer.open("p")?;
                for (line, index) in literal.lines().zip(0..) {
                    if index > 0 {
                        self.writer.line_break()?;
                    }
                    self.writer.literal(line)?;
                }
                self.writer.close();
                self.writer.line_feed();
                Ok(())
            }
        }
    }

    fn html_inline(&mut self, node: Node<'a>, literal: &str) -> Written {
        match self.roles.role_of(node) {
            Some(Role::Open(name)) => self.writer.open(name),
            Some(Role::Close) => {
                self.writer.close();
                Ok(())
            }
            Some(Role::LineBreak) => self.writer.line_break(),
            Some(Role::Hidden) => Ok(()),
            _ => self.writer.literal(literal),
        }
    }

    fn wiki_link(&mut self, link: &NodeWikiLink, text: &str) -> Written {
        let has_text = text.trim() != link.url.trim();
        let typed = if has_text {
            format!("[[{}|{text}]]", link.url)
        } else {
            format!("[[{}]]", link.url)
        };
        match reference_parser::wiki_target(&link.url) {
            // `![[Page]]` is not a link.
            Some((reference, fragment)) if !link.embed => {
                let title = match reference.target {
                    super::reference::Target::WikiPage(title) if !title.is_empty() => title,
                    _ => link.url.trim(),
                };
                self.writer.reference(
                    &reference,
                    if has_text { text } else { title },
                    fragment,
                    &typed,
                )
            }
            _ => self.writer.literal(&typed),
        }
    }
}
