//! Texts of users in both notations.

use quarry::markup::sections::SplitText;
use quarry::markup::{NoLinks, RenderOptions, TextFormat, references, render, strip};
use scraper::{Html, Selector};
use std::time::Duration;

/// A text in Markdown becomes safe HTML.
pub fn run_markdown(data: &[u8]) {
    run(data, TextFormat::Markdown);
}

/// A text in Textile becomes safe HTML.
pub fn run_textile(data: &[u8]) {
    run(data, TextFormat::Textile);
}

fn run(data: &[u8], format: TextFormat) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let options = RenderOptions {
        // Rendering falls back to plain text after a time limit, which a slow machine may reach.
        timeout: Duration::from_secs(60),
        ..RenderOptions::default()
    };
    let html = render(text, format, &NoLinks, &options).to_string();
    assert_is_safe(&html);
    strip::strip(text);
    references(text).for_each(drop);
    for number in 0..3 {
        if let Some(split) = SplitText::at(text, format, number) {
            split.with_section("replaced");
        }
    }
}

/// Panics if an element or an attribute can run a script.
fn assert_is_safe(html: &str) {
    let document = Html::parse_fragment(html);
    let all = Selector::parse("*").unwrap();
    for element in document.select(&all) {
        let element = element.value();
        let name = element.name();
        assert!(
            ![
                "script", "style", "iframe", "object", "embed", "form", "base", "meta", "link"
            ]
            .contains(&name),
            "{name}: {html}"
        );
        for (attribute, value) in element.attrs() {
            assert!(!attribute.starts_with("on"), "{attribute}: {html}");
            let scheme: String = value
                .chars()
                .filter(|c| !c.is_whitespace() && !c.is_control())
                .take(11)
                .collect();
            let runs = ["href", "src"].contains(&attribute)
                && ["javascript:", "vbscript:", "data:text/h"]
                    .contains(&scheme.to_ascii_lowercase().as_str());
            assert!(!runs, "{value}: {html}");
        }
    }
}
