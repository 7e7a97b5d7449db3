//! One lexer for languages that differ in their keywords, comments and quotes, and one for patches.

/// A language that the lexer knows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Language(&'static Syntax);

#[derive(Debug)]
struct Syntax {
    names: &'static [&'static str],
    /// Separated by spaces.
    keywords: &'static str,
    line_comments: &'static [&'static str],
    block_comment: Option<(&'static str, &'static str)>,
    quotes: &'static str,
    /// Whether keywords may be written in capitals.
    ignores_case: bool,
}

const C_COMMENT: Option<(&str, &str)> = Some(("/*", "*/"));

const SYNTAXES: &[Syntax] = &[
    Syntax {
        names: &["ruby", "rb", "erb"],
        keywords: "alias and begin break case class def do else elsif end ensure false for if in module next nil not or redo \
            rescue retry return self super then true undef unless until when while yield require",
        line_comments: &["#"],
        block_comment: Some(("=begin", "=end")),
        quotes: "'\"`",
        ignores_case: false,
    },
    Syntax {
        names: &["sql", "mysql", "postgresql", "pgsql", "plsql"],
        keywords: "add all alter and as asc begin between by case column commit constraint create cross default delete desc \
            distinct drop else end exists explain foreign from full grant group having if in index inner insert into \
            is join key left like limit not null offset on or order outer primary references returning right rollback \
            select set table then union unique update using values view when where with",
        line_comments: &["--"],
        block_comment: C_COMMENT,
        quotes: "'\"",
        ignores_case: true,
    },
    Syntax {
        names: &["c", "h", "cpp", "c++", "cc", "hpp", "cxx", "objc"],
        keywords: "auto bool break case catch char class const constexpr continue default delete do double else enum extern \
            false float for goto if inline int long namespace new nullptr override private protected public return \
            short signed sizeof static struct switch template this throw true try typedef typename union unsigned \
            using virtual void volatile while NULL",
        line_comments: &["//"],
        block_comment: C_COMMENT,
        quotes: "'\"",
        ignores_case: false,
    },
    Syntax {
        names: &[
            "java", "csharp", "cs", "c#", "kotlin", "kt", "scala", "swift", "groovy", "dart",
        ],
        keywords: "abstract as async await base bool boolean break byte case catch char class const continue decimal default \
            def do double else enum extends extension false final finally float for foreach fun func get guard if \
            implements import in instanceof int interface internal is let long namespace new nil null object override \
            package private protected protocol public readonly record return sealed set short static string struct \
            super switch this throw throws trait true try using val var virtual void when where while yield",
        line_comments: &["//"],
        block_comment: C_COMMENT,
        quotes: "'\"",
        ignores_case: false,
    },
    Syntax {
        names: &["go", "golang"],
        keywords: "break case chan const continue default defer else fallthrough false for func go goto if import interface \
            map nil package range return select struct switch true type var",
        line_comments: &["//"],
        block_comment: C_COMMENT,
        quotes: "'\"`",
        ignores_case: false,
    },
    Syntax {
        names: &["php", "perl", "pl"],
        keywords: "abstract and array as break case catch class const continue default do echo else elseif elsif extends \
            false final finally fn for foreach function global if implements include instanceof interface last my \
            namespace new next null or our package private protected public readonly require return static sub switch \
            this throw trait true try undef unless use var while yield",
        line_comments: &["//", "#"],
        block_comment: C_COMMENT,
        quotes: "'\"",
        ignores_case: false,
    },
    Syntax {
        names: &[
            "ini",
            "conf",
            "properties",
            "powershell",
            "ps1",
            "r",
            "lua",
            "make",
            "makefile",
            "nginx",
        ],
        keywords: "begin break catch do else elseif end false finally for foreach function if in local nil not or and param \
            process return switch then throw true try until while",
        line_comments: &["#", ";", "--"],
        block_comment: None,
        quotes: "'\"",
        ignores_case: true,
    },
    Syntax {
        names: &["diff", "patch"],
        keywords: "",
        line_comments: &[],
        block_comment: None,
        quotes: "",
        ignores_case: false,
    },
];

impl Language {
    /// Returns the language of this name.
    pub fn parse(name: &str) -> Option<Language> {
        let syntax = SYNTAXES.iter().find(|syntax| {
            syntax
                .names
                .iter()
                .any(|known| known.eq_ignore_ascii_case(name))
        });
        syntax.map(Language)
    }

    /// Returns the code as spans with their classes.
    pub fn spans(self, code: &str) -> Vec<(&'static str, &str)> {
        if self.0.names[0] == "diff" {
            code.split_inclusive('\n').flat_map(patch_line).collect()
        } else {
            self.0.spans(code)
        }
    }
}

impl Syntax {
    fn spans<'c>(&self, code: &'c str) -> Vec<(&'static str, &'c str)> {
        let mut spans = Vec::new();
        let mut plain = 0;
        let mut at = 0;
        while let Some(c) = code[at..].chars().next() {
            let rest = &code[at..];
            let (class, length) = self.token(rest, c);
            if !class.is_empty() {
                spans.extend((plain < at).then(|| ("", &code[plain..at])));
                spans.push((class, &rest[..length]));
                plain = at + length;
            }
            at += length;
        }
        spans.extend((plain < code.len()).then(|| ("", &code[plain..])));
        spans
    }

    /// Returns the class and length of the token at the start.
    fn token(&self, rest: &str, c: char) -> (&'static str, usize) {
        if self
            .line_comments
            .iter()
            .any(|start| rest.starts_with(start))
        {
            return ("hl-comment", rest.find('\n').unwrap_or(rest.len()));
        }
        if let Some((start, end)) = self.block_comment
            && rest.starts_with(start)
        {
            return (
                "hl-comment",
                rest[start.len()..]
                    .find(end)
                    .map_or(rest.len(), |at| start.len() + at + end.len()),
            );
        }
        if self.quotes.contains(c) {
            return ("hl-string", quoted(rest, c));
        }
        if c.is_ascii_digit() {
            let length = rest
                .bytes()
                .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'.' || *byte == b'_')
                .count();
            return ("hl-number", length);
        }
        if c.is_alphabetic() || c == '_' || c == '$' || c == '@' {
            let length = rest
                .char_indices()
                .skip(1)
                .find(|(_, c)| !c.is_alphanumeric() && *c != '_')
                .map_or(rest.len(), |(at, _)| at);
            return (self.word_class(&rest[..length]), length);
        }
        ("", c.len_utf8())
    }

    fn word_class(&self, word: &str) -> &'static str {
        let mut keywords = self.keywords.split(' ');
        let is_keyword = if self.ignores_case {
            keywords.any(|keyword| keyword.eq_ignore_ascii_case(word))
        } else {
            keywords.any(|keyword| keyword == word)
        };
        if is_keyword {
            "hl-keyword"
        } else if word.starts_with(['$', '@']) && word.len() > 1 {
            "hl-variable"
        } else if !self.ignores_case && word.starts_with(char::is_uppercase) {
            "hl-type"
        } else {
            ""
        }
    }
}

/// Returns the length of the string at the start; one that does not end goes to the end of the
/// line.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' if quote != '`' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + quote.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// Returns the content of a line of a patch with its class, and the line end.
fn patch_line(line: &str) -> Vec<(&'static str, &str)> {
    let content = line.trim_end_matches('\n');
    let class = match content.as_bytes() {
        [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] | [b'@', b'@', ..] => "hl-meta",
        [b'd', b'i', b'f', b'f', ..] | [b'i', b'n', b'd', b'e', b'x', b' ', ..] => "hl-meta",
        [b'+', ..] => "hl-inserted",
        [b'-', ..] => "hl-deleted",
        _ => "",
    };
    [(class, content), ("", &line[content.len()..])]
        .into_iter()
        .filter(|(_, text)| !text.is_empty())
        .collect()
}
