//! Variables in configuration files, replaced as the file's own client replaces them.

use mcp_lint_core::config::Variables;

/// A text with its variables replaced.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Expanded {
    /// The text; variables without a value stay as they are written.
    pub(crate) text: String,
    /// Variables without a value and a default.
    pub(crate) unset: Vec<Missing>,
    /// Values that came from the environment.
    pub(crate) filled: Vec<String>,
}

/// A variable without a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Missing {
    /// As it is written.
    pub(crate) written: String,
    /// The environment variable that would fill it.
    pub(crate) from: String,
}

/// Where values come from.
pub(crate) struct Values<'a> {
    /// Environment variables.
    pub(crate) environment: &'a dyn Fn(&str) -> Option<String>,
    /// The folder the file belongs to, absolute.
    pub(crate) workspace: &'a str,
}

/// Replaces the variables that a client knows.
pub(crate) fn expand(text: &str, known: Variables, values: &Values<'_>) -> Expanded {
    let mut expanded = Expanded::default();
    let mut rest = text;
    // Looking for a brace that is not there must not become quadratic.
    let last = text.rfind('}').map_or(0, |at| text.len() - at);
    while let Some((before, behind)) = rest.split_once('$') {
        expanded.text.push_str(before);
        let may_end = behind.len() >= last && last > 0;
        rest = match behind.strip_prefix('{').filter(|_| may_end).and_then(|inner| inner.split_once('}')) {
            Some((name, tail)) => {
                replace(name, &format!("${{{name}}}"), known, values, &mut expanded);
                tail
            }
            None => bare(behind, known, values, &mut expanded),
        };
    }
    expanded.text.push_str(rest);
    expanded
}

/// `$NAME`; gives what stands behind it.
fn bare<'t>(behind: &'t str, known: Variables, values: &Values<'_>, expanded: &mut Expanded) -> &'t str {
    let is_name = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let end = behind.find(|character| !is_name(character)).unwrap_or(behind.len());
    let (name, tail) = behind.split_at(end);
    if !known.bare || name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
        expanded.text.push('$');
        return behind;
    }
    fill((values.environment)(name), name, &format!("${name}"), expanded);
    tail
}

fn replace(name: &str, written: &str, known: Variables, values: &Values<'_>, expanded: &mut Expanded) {
    let (prefix, rest) = name.split_once(':').unwrap_or(("", name));
    match (prefix, rest) {
        ("env", variable) if known.env => fill((values.environment)(variable), variable, written, expanded),
        ("input", id) if known.inputs => {
            let variable = input_variable(id);
            fill((values.environment)(&variable), &variable, written, expanded);
        }
        ("", "workspaceFolder") if known.workspace => expanded.text.push_str(values.workspace),
        ("", "workspaceFolderBasename") if known.workspace => {
            expanded.text.push_str(values.workspace.rsplit(['/', '\\']).next().unwrap_or_default());
        }
        ("", "userHome") if known.workspace => fill((values.environment)("HOME"), "HOME", written, expanded),
        ("", "pathSeparator" | "/") if known.workspace => expanded.text.push(std::path::MAIN_SEPARATOR),
        _ if known.braces => with_default(name, written, values, expanded),
        _ => expanded.text.push_str(written),
    }
}

/// `${NAME}` and `${NAME:-default}`.
fn with_default(name: &str, written: &str, values: &Values<'_>, expanded: &mut Expanded) {
    let (variable, default) = match name.split_once(":-") {
        Some((variable, default)) => (variable, Some(default)),
        None => (name, None),
    };
    let value = (values.environment)(variable).filter(|value| default.is_none() || !value.is_empty());
    match (value, default) {
        (None, Some(default)) => expanded.text.push_str(default),
        (value, _) => fill(value, variable, written, expanded),
    }
}

fn fill(value: Option<String>, variable: &str, written: &str, expanded: &mut Expanded) {
    match value {
        Some(value) => {
            expanded.text.push_str(&value);
            expanded.filled.push(value);
        }
        None => {
            expanded.text.push_str(written);
            expanded.unset.push(Missing { written: written.to_owned(), from: variable.to_owned() });
        }
    }
}

/// The environment variable that answers a prompt of VS Code's `inputs`.
fn input_variable(id: &str) -> String {
    let upper = |character: char| if character.is_ascii_alphanumeric() { character.to_ascii_uppercase() } else { '_' };
    format!("MCP_LINT_INPUT_{}", id.chars().map(upper).collect::<String>())
}

/// The variables of a `.env` file: `NAME=value` lines, comments, `export` and quotes.
pub(crate) fn env_file(text: &str) -> Vec<(String, String)> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let pairs = lines.filter_map(|line| line.strip_prefix("export ").unwrap_or(line).split_once('='));
    pairs.map(|(name, value)| (name.trim().to_owned(), unquoted(value.trim()))).collect()
}

fn unquoted(value: &str) -> String {
    let quoted =
        |quote: char| value.strip_prefix(quote).and_then(|inner| inner.split_once(quote)).map(|(inner, _)| inner);
    if let Some(literal) = quoted('\'') {
        return literal.to_owned();
    }
    if let Some(escaped) = quoted('"') {
        return escaped.replace("\\n", "\n");
    }
    value.split_once(" #").map_or(value, |(value, _)| value).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Variables = Variables { braces: true, bare: true, env: true, workspace: true, inputs: true };

    fn expanded(text: &str, known: Variables) -> Expanded {
        let environment = |name: &str| match name {
            "KEY" => Some("s3cret".to_owned()),
            "EMPTY" => Some(String::new()),
            "MCP_LINT_INPUT_API_KEY" => Some("typed".to_owned()),
            _ => None,
        };
        expand(text, known, &Values { environment: &environment, workspace: "/srv/parcels" })
    }

    #[test]
    fn each_form_is_replaced_where_the_client_knows_it() {
        for (text, result) in [
            ("${KEY}", "s3cret"),
            ("a${KEY}b$KEY/c", "as3cretbs3cret/c"),
            ("${MISSING:-fallback}", "fallback"),
            ("${EMPTY:-fallback}", "fallback"),
            ("${MISSING:-}", ""),
            ("${env:KEY}", "s3cret"),
            ("${input:api-key}", "typed"),
            ("${workspaceFolder}/dist", "/srv/parcels/dist"),
            ("${workspaceFolderBasename}", "parcels"),
            ("100$ and $1 and ${", "100$ and $1 and ${"),
        ] {
            assert_eq!(expanded(text, ALL).text, result, "{text}");
        }
    }

    #[test]
    fn braces_that_never_close_take_no_more_than_linear_time() {
        let text = "${".repeat(1_000_000);
        assert_eq!(expanded(&text, ALL).text, text);
    }

    #[test]
    fn whatever_is_written_each_piece_is_replaced_or_left() {
        let pieces =
            ["$", "{", "}", "${", "KEY", "${KEY}", ":-", "env:", "input:", "é", " ", "${EMPTY:-", "workspaceFolder"];
        let known = [ALL, Variables::default(), Variables { env: true, ..Variables::default() }];
        let mut seed = 1_u64;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..8 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                text.push_str(pieces[usize::try_from(seed >> 33).expect("31 bits") % pieces.len()]);
            }
            for known in known {
                let expanded = expanded(&text, known);
                assert!(expanded.unset.iter().all(|unset| expanded.text.contains(&unset.written)), "{text}");
                assert!(expanded.filled.iter().all(|value| expanded.text.contains(value)), "{text}");
                assert!(known.braces || known.env || expanded.text == text, "{text}");
            }
            let pairs = env_file(&text);
            assert!(pairs.iter().all(|(name, _)| text.contains(name.as_str())), "{text}");
        }
    }

    #[test]
    fn other_forms_stay_as_they_are() {
        let vscode = Variables { env: true, ..Variables::default() };
        assert_eq!(
            expanded("${KEY} $KEY ${input:x}", vscode),
            Expanded { text: "${KEY} $KEY ${input:x}".into(), ..Expanded::default() }
        );
    }

    #[test]
    fn a_missing_value_is_named_and_left() {
        let missing = Missing { written: "${env:NOPE}".into(), from: "NOPE".into() };
        assert_eq!(
            expanded("${env:NOPE}", ALL),
            Expanded { text: "${env:NOPE}".into(), unset: vec![missing], filled: vec![] }
        );
        assert_eq!(expanded("${input:my id}", ALL).unset[0].from, "MCP_LINT_INPUT_MY_ID");
    }

    #[test]
    fn env_files_are_read() {
        let text = "# keys\nA=1\nexport B = two words # note\nC=\"x # y\"\nD='$A'\nbroken\n";
        let pairs = env_file(text);
        let expected = [("A", "1"), ("B", "two words"), ("C", "x # y"), ("D", "$A")];
        assert_eq!(pairs, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }
}
