//! Parses a query string or a form into a tree.
//!
//! As in Rails, `a[b]=1` is a map in a map, `a[]=1` appends to a list, and `a[][x]=1&a[][y]=2`
//! fills the last map of a list until a name repeats. The last of repeated parameters wins. A name
//! with unbalanced brackets is a plain name. Invariant: one name has one shape; anything else is an
//! error that names the parameter.

use super::bad_input::BadInput;
use super::tree::Input;

/// Maximum number of parameters.
const MAX_PARAMETERS: usize = 1_000;

/// Maximum number of brackets in one name.
const MAX_NESTING: usize = 16;

/// Parses a query string (without the `?`) into a map. Values are text; a name without `=` is null.
///
/// # Errors
/// [`BadInput::Parameter`] for an invalid percent escape, bytes that are not UTF-8, brackets deeper
/// than 16 or a name used in two shapes; [`BadInput::TooManyParameters`] past 1,000 pairs. The
/// caller bounds the length of the text.
pub fn from_query(query: &str) -> Result<Input, BadInput> {
    from_form(query.as_bytes())
}

/// Parses an `application/x-www-form-urlencoded` body, by the rules of [`from_query`].
///
/// # Errors
/// As [`from_query`].
pub fn from_form(body: &[u8]) -> Result<Input, BadInput> {
    let mut tree = Input::Map(Vec::new());
    let pairs = body
        .split(|&byte| byte == b'&')
        .filter(|pair| !pair.is_empty());
    for (at, pair) in pairs.enumerate() {
        if at == MAX_PARAMETERS {
            return Err(BadInput::TooManyParameters {
                limit: MAX_PARAMETERS,
            });
        }
        let (raw_name, raw_value) = match pair.iter().position(|&byte| byte == b'=') {
            Some(equals) => (&pair[..equals], Some(&pair[equals + 1..])),
            None => (pair, None),
        };
        let name = decode(raw_name).map_err(|problem| BadInput::in_parameter(raw_name, problem))?;
        if name.is_empty() {
            continue;
        }
        let bad = |problem| BadInput::in_parameter(name.as_bytes(), problem);
        let value = match raw_value {
            Some(raw) => Input::Text(decode(raw).map_err(bad)?),
            None => Input::Null,
        };
        let path = parse_path(&name);
        if path.len() > MAX_NESTING + 1 {
            return Err(bad("its brackets nest too deep"));
        }
        insert(&mut tree, &path, value).map_err(bad)?;
    }
    Ok(tree)
}

/// Decodes `+` to a space and `%41` to a byte.
fn decode(raw: &[u8]) -> Result<String, &'static str> {
    let mut bytes = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let [first, tail @ ..] = rest {
        rest = tail;
        match first {
            b'+' => bytes.push(b' '),
            b'%' => {
                let [high, low, tail @ ..] = rest else {
                    return Err("a `%` must be followed by two hexadecimal digits");
                };
                let (Some(high), Some(low)) = (hex_value(*high), hex_value(*low)) else {
                    return Err("a `%` must be followed by two hexadecimal digits");
                };
                bytes.push(high << 4 | low);
                rest = tail;
            }
            other => bytes.push(*other),
        }
    }
    String::from_utf8(bytes).map_err(|_| "it is not valid UTF-8")
}

fn hex_value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

/// One step from a container to one of its values.
#[derive(Debug, Clone, Copy)]
enum Step<'a> {
    Key(&'a str),
    Append,
}

/// Parses the path in a name: `a[b][]` → a, b, append.
fn parse_path(name: &str) -> Vec<Step<'_>> {
    parse_brackets(name).unwrap_or_else(|| vec![Step::Key(name)])
}

fn parse_brackets(name: &str) -> Option<Vec<Step<'_>>> {
    let open = name.find('[').filter(|&at| at > 0)?;
    let mut path = vec![Step::Key(&name[..open])];
    let mut rest = &name[open..];
    while !rest.is_empty() {
        let (inner, tail) = rest.strip_prefix('[')?.split_once(']')?;
        if inner.contains('[') {
            return None;
        }
        path.push(if inner.is_empty() {
            Step::Append
        } else {
            Step::Key(inner)
        });
        rest = tail;
    }
    Some(path)
}

const CONFLICT: &str = "it is used in two shapes that contradict each other";

fn insert(slot: &mut Input, path: &[Step<'_>], leaf: Input) -> Result<(), &'static str> {
    let Some((step, rest)) = path.split_first() else {
        if matches!(slot, Input::Map(_) | Input::List(_)) {
            return Err(CONFLICT);
        }
        *slot = leaf;
        return Ok(());
    };
    match (step, slot) {
        (Step::Key(key), Input::Map(entries)) => {
            let at = entries.iter().position(|(name, _)| name == key);
            let at = at.unwrap_or_else(|| {
                entries.push(((*key).to_owned(), empty_container(rest)));
                entries.len() - 1
            });
            insert(&mut entries[at].1, rest, leaf)
        }
        (Step::Append, Input::List(items)) => {
            let continues_last = matches!(rest.first(), Some(Step::Key(_)))
                && items
                    .last()
                    .is_some_and(|last| last.is_map() && !contains(last, rest));
            if !continues_last {
                items.push(empty_container(rest));
            }
            match items.last_mut() {
                Some(last) => insert(last, rest, leaf),
                None => Ok(()),
            }
        }
        _ => Err(CONFLICT),
    }
}

/// Returns the container that the path is inserted into.
fn empty_container(path: &[Step<'_>]) -> Input {
    match path.first() {
        None => Input::Null,
        Some(Step::Key(_)) => Input::Map(Vec::new()),
        Some(Step::Append) => Input::List(Vec::new()),
    }
}

/// Whether a map has a value at a path of keys; never for a path that appends.
fn contains(map: &Input, path: &[Step<'_>]) -> bool {
    let end = path.iter().try_fold(map, |input, step| match step {
        Step::Key(key) => input.get(key),
        Step::Append => None,
    });
    end.is_some()
}
