//! Parses a source file far enough for the rules: its paths, string literals and modules.

/// Layers in the package at the root. Every other one is a package of its own.
const ROOT_LAYERS: &[&str] = &["cli", "jobs", "telemetry"];

/// A source file.
pub struct Source {
    /// Its path below the package, such as `src/store/issues.rs`.
    pub path: String,
    /// The content.
    pub text: String,
}

/// A path that a file names, such as `quarry_store::issues`.
pub struct Named {
    /// The segments: `crate`, the layer, and what follows. `super` and `self` are resolved.
    pub parts: Vec<String>,
    /// The line.
    pub line: usize,
    /// Whether it is in a test module.
    pub in_test: bool,
    /// Whether it is in a `use` declaration.
    pub in_use: bool,
    /// Whether that declaration is public.
    pub is_reexport: bool,
}

/// The parts of a file that the rules check.
#[derive(Default)]
pub struct Outline {
    /// Every path with at least two parts, and every imported one.
    pub paths: Vec<Named>,
    /// Every string literal with its line.
    pub texts: Vec<(String, usize)>,
    /// Names of modules, and whether they are for tests, and the file named for them.
    pub modules: Vec<(String, bool, Option<String>)>,
    /// Number of occurrences of each word outside `use` declarations.
    pub words: std::collections::BTreeMap<String, usize>,
    /// Lines with bindings such as `let (a, b) = (x, y);`.
    pub bundled_bindings: Vec<usize>,
}

#[derive(Clone, PartialEq)]
enum Token {
    Word(String),
    Text(String),
    Sign(char),
}

impl Source {
    /// Returns the layer and the segments of the module path in it: `src/a/b.rs` and
    /// `src/a/b/mod.rs` are `a`, `b`; `src/a/lib.rs`, the root of the crate of a layer, is `a`.
    pub fn module(&self) -> Vec<String> {
        let path = self.path.trim_start_matches("src/").trim_end_matches(".rs");
        let path = path.trim_end_matches("/mod").trim_end_matches("/lib");
        if ["lib", "main"].contains(&path) {
            Vec::new()
        } else {
            path.split('/').map(str::to_owned).collect()
        }
    }

    /// Parses the file.
    pub fn outline(&self) -> Outline {
        let tokens = tokens(&self.text);
        let mut outline = Outline {
            bundled_bindings: bundled_bindings(&tokens),
            ..Outline::default()
        };
        let mut inside: Vec<(String, bool, usize)> = Vec::new();
        let mut depth = 0;
        let mut test = false;
        let mut file = None;
        let mut at = 0;
        while at < tokens.len() {
            let (token, line) = &tokens[at];
            let word = |offset: usize| match tokens.get(at + offset) {
                Some((Token::Word(word), _)) => Some(word.as_str()),
                _ => None,
            };
            let sign = |offset: usize| match tokens.get(at + offset) {
                Some((Token::Sign(sign), _)) => *sign,
                _ => ' ',
            };
            let mut here = self.module();
            here.extend(inside.iter().map(|(name, _, _)| name.clone()));
            let in_test = inside.iter().any(|(_, test, _)| *test);
            match token {
                Token::Sign('#') if sign(1) == '[' || (sign(1) == '!' && sign(2) == '[') => {
                    let end = closing(&tokens, at + 1 + usize::from(sign(1) == '!'), ('[', ']'));
                    let words: Vec<&str> = tokens[at..end].iter().filter_map(as_word).collect();
                    test |= words == ["cfg", "test"];
                    if words == ["path"] {
                        file = tokens[at..end].iter().find_map(|(token, _)| {
                            if let Token::Text(text) = token {
                                Some(text.clone())
                            } else {
                                None
                            }
                        });
                    }
                    at = end + 1;
                    continue;
                }
                Token::Word(mod_word)
                    if mod_word == "mod" && word(1).is_some() && ['{', ';'].contains(&sign(2)) =>
                {
                    let name = word(1).unwrap_or_default().to_owned();
                    outline.modules.push((name.clone(), test, file.take()));
                    if sign(2) == '{' {
                        inside.push((name, test, depth));
                        depth += 1;
                    }
                    test = false;
                    at += 3;
                    continue;
                }
                // `impl Trait + use<>` imports nothing.
                Token::Word(use_word) if use_word == "use" && sign(1) != '<' => {
                    // `pub use` or `pub(crate) use`.
                    let is_reexport = at > 0
                        && (tokens[at - 1].0 == Token::Sign(')')
                            || tokens[at - 1].0 == Token::Word("pub".to_owned()));
                    let mut trees = Vec::new();
                    at = tree(&tokens, at + 1, &[], &mut trees);
                    outline.paths.extend(trees.into_iter().map(|parts| Named {
                        parts: resolve(parts, &here),
                        line: *line,
                        in_test,
                        in_use: true,
                        is_reexport,
                    }));
                    test = false;
                    continue;
                }
                // `pub(in crate::store)` imports nothing.
                Token::Word(in_word)
                    if in_word == "in"
                        && at > 1
                        && tokens[at - 1].0 == Token::Sign('(')
                        && tokens[at - 2].0 == Token::Word("pub".to_owned()) =>
                {
                    at += (0..tokens.len())
                        .find(|offset| sign(*offset) == ')')
                        .unwrap_or(1);
                    continue;
                }
                Token::Word(first) => {
                    *outline.words.entry(first.clone()).or_default() += 1;
                    let mut parts = vec![first.clone()];
                    let mut end = at + 1;
                    while let (
                        Some((Token::Sign(':'), _)),
                        Some((Token::Sign(':'), _)),
                        Some((Token::Word(next), _)),
                    ) = (tokens.get(end), tokens.get(end + 1), tokens.get(end + 2))
                    {
                        parts.push(next.clone());
                        end += 3;
                    }
                    if parts.len() > 1 {
                        outline.paths.push(Named {
                            parts: resolve(parts, &here),
                            line: *line,
                            in_test,
                            in_use: false,
                            is_reexport: false,
                        });
                    }
                    test &= ["pub", "crate", "super"].contains(&first.as_str());
                    at = end;
                    continue;
                }
                Token::Text(text) => outline.texts.push((text.clone(), *line)),
                Token::Sign('{') => depth += 1,
                Token::Sign('}') => {
                    depth -= 1;
                    inside.pop_if(|(_, _, begun)| *begun == depth);
                }
                Token::Sign(_) => {}
            }
            at += 1;
        }
        outline
    }
}

fn as_word((token, _): &(Token, usize)) -> Option<&str> {
    if let Token::Word(word) = token {
        Some(word)
    } else {
        None
    }
}

/// Returns the index of the bracket that closes the one at `open`.
fn closing(tokens: &[(Token, usize)], open: usize, brackets: (char, char)) -> usize {
    let mut depth = 0usize;
    for (at, (token, _)) in tokens.iter().enumerate().skip(open) {
        match token {
            Token::Sign(sign) if *sign == brackets.0 => depth += 1,
            Token::Sign(sign) if *sign == brackets.1 => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    tokens.len() - 1
}

fn is_sign(tokens: &[(Token, usize)], at: usize, wanted: char) -> bool {
    tokens
        .get(at)
        .is_some_and(|(token, _)| *token == Token::Sign(wanted))
}

/// Returns the lines of statements that bind several values with a pattern and a tuple.
fn bundled_bindings(tokens: &[(Token, usize)]) -> Vec<usize> {
    let mut lines = Vec::new();
    for (at, (token, line)) in tokens.iter().enumerate() {
        let starts_statement = at == 0
            || ['{', '}', ';']
                .iter()
                .any(|sign| is_sign(tokens, at - 1, *sign));
        if !starts_statement
            || *token != Token::Word("let".to_owned())
            || !is_sign(tokens, at + 1, '(')
        {
            continue;
        }
        let pattern_end = closing(tokens, at + 1, ('(', ')'));
        if !is_sign(tokens, pattern_end + 1, '=') || !is_sign(tokens, pattern_end + 2, '(') {
            continue;
        }
        let value_end = closing(tokens, pattern_end + 2, ('(', ')'));
        if is_sign(tokens, value_end + 1, ';') {
            lines.push(*line);
        }
    }
    lines
}

/// Parses a `use` tree, or a part of it in braces; returns the index after it.
fn tree(
    tokens: &[(Token, usize)],
    mut at: usize,
    before: &[String],
    found: &mut Vec<Vec<String>>,
) -> usize {
    let mut parts = before.to_vec();
    while let Some((token, _)) = tokens.get(at) {
        at += 1;
        match token {
            Token::Word(word) if word == "as" => at += 1,
            Token::Word(word) => parts.push(word.clone()),
            Token::Sign('{') => {
                loop {
                    at = tree(tokens, at, &parts, found);
                    match tokens.get(at - 1) {
                        Some((Token::Sign(','), _)) => {}
                        _ => break,
                    }
                }
                parts.clear();
            }
            Token::Sign(',' | '}' | ';') => break,
            _ => {}
        }
    }
    if parts.len() > before.len() {
        found.push(parts);
    }
    at
}

/// Resolves leading `self` and `super`.
fn resolve(parts: Vec<String>, here: &[String]) -> Vec<String> {
    let climbs = parts
        .iter()
        .take_while(|part| *part == "super" || *part == "self")
        .count();
    if climbs == 0 {
        return from_root(parts, here);
    }
    let ups = parts[..climbs]
        .iter()
        .filter(|part| *part == "super")
        .count();
    let kept = here.len().saturating_sub(ups);
    std::iter::once("crate".to_owned())
        .chain(here[..kept].iter().cloned())
        .chain(parts.into_iter().skip(climbs))
        .collect()
}

/// Returns a path with `crate` and the layer in front: `crate::sql::Sql` in `store`, and
/// `quarry_store::sql::Sql` elsewhere, are `crate::store::sql::Sql`. The layers of the package at
/// the root share one crate.
fn from_root(parts: Vec<String>, here: &[String]) -> Vec<String> {
    let layer = match parts[0].strip_prefix("quarry_") {
        Some(layer) => Some(layer.to_owned()),
        None if parts[0] == "crate" => here
            .first()
            .filter(|layer| !ROOT_LAYERS.contains(&layer.as_str()))
            .cloned(),
        None => return parts,
    };
    std::iter::once("crate".to_owned())
        .chain(layer)
        .chain(parts.into_iter().skip(1))
        .collect()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Splits the source into words, string literals and punctuation with their lines, without
/// comments.
fn tokens(text: &str) -> Vec<(Token, usize)> {
    let chars: Vec<char> = text.chars().collect();
    let peek = |at: usize| chars.get(at).copied().unwrap_or('\0');
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut line = 1;
    while at < chars.len() {
        let begun = at;
        match chars[at] {
            '/' if peek(at + 1) == '/' => {
                while at < chars.len() && chars[at] != '\n' {
                    at += 1;
                }
            }
            '/' if peek(at + 1) == '*' => {
                let mut depth = 0;
                loop {
                    match (peek(at), peek(at + 1)) {
                        ('/', '*') => (depth, at) = (depth + 1, at + 2),
                        ('*', '/') => (depth, at) = (depth - 1, at + 2),
                        _ => at += 1,
                    }
                    if depth == 0 || at >= chars.len() {
                        break;
                    }
                }
            }
            '"' => {
                at = plain_text_end(&chars, at);
                tokens.push((Token::Text(chars[begun + 1..at - 1].iter().collect()), line));
            }
            '\'' if peek(at + 1) == '\\' => {
                at += 3;
                while at < chars.len() && chars[at] != '\'' {
                    at += 1;
                }
                at += 1;
            }
            '\'' if peek(at + 2) == '\'' => at += 3,
            c if is_word(c) => {
                while is_word(peek(at)) {
                    at += 1;
                }
                let word: String = chars[begun..at].iter().collect();
                let hashes = (at..).take_while(|at| peek(*at) == '#').count();
                if ["r", "br", "cr"].contains(&word.as_str()) && peek(at + hashes) == '"' {
                    let content = at + hashes + 1;
                    at = (content..chars.len())
                        .find(|at| {
                            peek(*at) == '"' && (1..=hashes).all(|offset| peek(at + offset) == '#')
                        })
                        .unwrap_or(chars.len());
                    tokens.push((Token::Text(chars[content..at].iter().collect()), line));
                    at += 1 + hashes;
                } else if !(["b", "c"].contains(&word.as_str()) && ['"', '\''].contains(&peek(at)))
                {
                    tokens.push((Token::Word(word), line));
                }
            }
            c => {
                if !c.is_whitespace() {
                    tokens.push((Token::Sign(c), line));
                }
                at += 1;
            }
        }
        line += chars[begun..at.min(chars.len())]
            .iter()
            .filter(|c| **c == '\n')
            .count();
    }
    tokens
}

fn plain_text_end(chars: &[char], begun: usize) -> usize {
    let mut at = begun + 1;
    while at < chars.len() && chars[at] != '"' {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(chars.len())
}
