//! Texts whose lines are wrapped for sending (`format=flowed`, RFC 3676).

/// Returns the text with its original lines. Quoted lines stay quoted.
pub fn unwrap(text: &str, deletes_spaces: bool) -> String {
    let mut unwrapped = String::with_capacity(text.len());
    // The depth of the quote that the next line may continue.
    let mut open: Option<usize> = None;
    for line in text.lines() {
        let depth = line.bytes().take_while(|byte| *byte == b'>').count();
        let rest = &line[depth..];
        let content = rest.strip_prefix(' ').unwrap_or(rest);
        let is_signature = content == "-- ";
        let continues = open == Some(depth) && !is_signature;
        if !continues {
            if open.is_some() {
                unwrapped.push('\n');
            }
            unwrapped.extend(std::iter::repeat_n('>', depth));
            if depth > 0 {
                unwrapped.push(' ');
            }
        }
        let is_wrapped = content.ends_with(' ') && !is_signature;
        unwrapped.push_str(match content.strip_suffix(' ') {
            Some(shorter) if is_wrapped && deletes_spaces => shorter,
            _ => content,
        });
        if is_wrapped {
            open = Some(depth);
        } else {
            unwrapped.push('\n');
            open = None;
        }
    }
    unwrapped
}
