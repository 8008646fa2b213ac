//! A template of resources that is no URI template.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "resource-template-invalid",
    summary: "the template of resource addresses is none",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("resource_template_invalid.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    for template in server.templates() {
        let text = template.value.get("uriTemplate").and_then(Value::as_str);
        if let Some((text, fault)) = text.and_then(|text| Some((text, fault(text)?))) {
            let message = format!("\"{}\" is no URI template: {fault}.", excerpt(text, 80));
            out.report(template.site(&["uriTemplate"]), message);
        }
    }
}

/// What is wrong with a template, by RFC 6570.
fn fault(text: &str) -> Option<String> {
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let behind = rest[at..].strip_prefix('{').map(|inner| inner.split_once('}'));
        let Some(Some((expression, after))) = behind else {
            return Some(
                if rest[at..].starts_with('}') { "a `}` closes nothing" } else { "a `{` is never closed" }.to_owned(),
            );
        };
        if let Some(fault) = in_expression(expression) {
            return Some(fault);
        }
        rest = after;
    }
    text.chars().find(|letter| letter.is_control() || "\"<>\\^`| ".contains(*letter)).map(|letter| {
        if letter == ' ' { "it has a space".to_owned() } else { format!("it has `{}`", visible(&letter.to_string())) }
    })
}

/// `{operator name:3,other*}`: an operator, then names with modifiers.
fn in_expression(expression: &str) -> Option<String> {
    let names = expression.strip_prefix(['+', '#', '.', '/', ';', '?', '&']).unwrap_or(expression);
    names.split(',').find(|name| !is_variable(name)).map(|name| match name {
        "" => format!("`{{{}}}` names no variable", excerpt(expression, 40)),
        name => format!("`{}` is no name of a variable", excerpt(name, 40)),
    })
}

fn is_variable(text: &str) -> bool {
    let name = match text.split_once(':') {
        Some((name, length))
            if !length.starts_with('0') && length.parse::<u16>().is_ok_and(|length| length < 10_000) =>
        {
            name
        }
        Some(_) => return false,
        None => text.strip_suffix('*').unwrap_or(text),
    };
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'%');
    !name.is_empty() && name.split('.').all(|part| !part.is_empty() && part.bytes().all(is_letter))
}
