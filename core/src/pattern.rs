//! What a regular expression asks of the engine that runs it.

/// The traits of a pattern that not every engine has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traits<'p> {
    /// The first look-around: `(?=`, `(?!`, `(?<=` or `(?<!`.
    pub look_around: Option<&'p str>,
    /// The first back-reference: `\1`, `\k<name>`.
    pub back_reference: Option<&'p str>,
    /// The first shorthand for a class of characters: `\d`, `\p{L}`.
    pub shorthand: Option<&'p str>,
    /// Whether a class holds an unescaped `[`.
    pub open_bracket: bool,
    /// Whether it starts with `^` and ends with `$`.
    pub anchored: bool,
}

/// Looks through a pattern; inside `[…]` only shorthands mean something.
#[must_use]
pub fn traits(pattern: &str) -> Traits<'_> {
    let mut found = Traits::default();
    let mut in_class = false;
    let mut is_escaped_end = false;
    let mut characters = pattern.char_indices();
    while let Some((at, character)) = characters.next() {
        is_escaped_end = false;
        match character {
            '\\' => {
                let Some((behind, escaped)) = characters.next() else { break };
                is_escaped_end = true;
                let text = &pattern[at..behind + escaped.len_utf8()];
                match escaped {
                    'd' | 'D' | 'w' | 'W' | 's' | 'S' | 'p' | 'P' => found.shorthand = found.shorthand.or(Some(text)),
                    '1'..='9' | 'k' if !in_class => found.back_reference = found.back_reference.or(Some(text)),
                    _ => {}
                }
            }
            '[' if in_class => found.open_bracket = true,
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => {
                let starts = ["(?=", "(?!", "(?<=", "(?<!"];
                let start = starts.iter().find(|start| pattern[at..].starts_with(**start));
                found.look_around = found.look_around.or(start.map(|start| &pattern[at..at + start.len()]));
            }
            _ => {}
        }
    }
    found.anchored = pattern.starts_with('^') && pattern.ends_with('$') && !is_escaped_end;
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traits_are_told_from_text_that_looks_alike() {
        assert_eq!(traits(r"^(?=.{3})[a-z]+$").look_around, Some("(?="));
        assert_eq!(traits(r"(?<!a)b").look_around, Some("(?<!"));
        for plain in [r"\(?=x", "[(?=]", "(?<year>[0-9]{4})", "(?:a|b)"] {
            assert_eq!(traits(plain).look_around, None, "{plain}");
        }
        assert_eq!(traits(r"^\d{4}$").shorthand, Some(r"\d"));
        assert_eq!(traits(r"^[\w.]+$").shorthand, Some(r"\w"));
        assert_eq!(traits(r"^\\d$").shorthand, None);
        assert_eq!(traits(r"^(a)\1$").back_reference, Some(r"\1"));
        assert!(traits(r"^[a-z[\]]+$").open_bracket);
        assert!(!traits(r"^[a-z\[]+$").open_bracket);
        assert!(traits("^[0-9]+$").anchored);
        assert!(!traits(r"^a\$").anchored);
        assert!(!traits("[0-9]+").anchored);
        assert!(!traits("").anchored);
    }
}
