//! What GitHub's runner takes for a command in a step's output: both of its syntaxes, read as it reads them.

use std::collections::BTreeMap;

/// Names that a runner acts on; a line with another name is text.
const REGISTERED: &[&str] = &[
    "add-mask",
    "add-matcher",
    "add-path",
    "debug",
    "echo",
    "endgroup",
    "error",
    "group",
    "internal-set-repo-path",
    "notice",
    "remove-matcher",
    "save-state",
    "set-env",
    "set-output",
    "stop-commands",
    "warning",
];

/// A command as the runner understands it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Command {
    pub(crate) name: String,
    pub(crate) properties: BTreeMap<String, String>,
    pub(crate) data: String,
}

/// Every command in an output. A runner reads line by line; .NET ends a line at CR as well as at LF. Azure's
/// `##vso[` is a command to its own runner alone, and is counted so that nothing can hide behind it.
pub(crate) fn commands(output: &str) -> Vec<Command> {
    output.split(['\n', '\r']).filter_map(|line| of_two_colons(line).or_else(|| of_brackets(line))).collect()
}

/// The commands that a runner acts on: from `stop-commands` to the word that it gives there are none.
pub(crate) fn heard(output: &str) -> Vec<Command> {
    let mut word: Option<String> = None;
    let mut heard = Vec::new();
    for line in output.split(['\n', '\r']) {
        if let Some(ending) = &word {
            let resumes = line.trim().eq_ignore_ascii_case(&format!("::{ending}::"));
            word = word.filter(|_| !resumes);
            continue;
        }
        for command in commands(line) {
            if command.name.eq_ignore_ascii_case("stop-commands") {
                word = Some(command.data.clone());
            }
            heard.push(command);
        }
    }
    heard
}

/// `::name key=value,key=value::data`, behind nothing but blanks.
fn of_two_colons(line: &str) -> Option<Command> {
    let (head, data) = line.trim_start().strip_prefix("::")?.split_once("::")?;
    command(head, ',', data, &[("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")])
}

/// `##[name key=value;key=value]data`, anywhere in a line.
fn of_brackets(line: &str) -> Option<Command> {
    let start = ["##[", "##vso["].iter().find_map(|start| line.split_once(start))?;
    let (head, data) = start.1.split_once(']')?;
    let head = head.strip_prefix("task.").map_or(head, |_| "error");
    command(head, ';', data, &[("%3B", ";"), ("%0D", "\r"), ("%0A", "\n"), ("%5D", "]"), ("%25", "%")])
}

fn command(head: &str, separator: char, data: &str, escapes: &[(&str, &str)]) -> Option<Command> {
    let (name, rest) = head.split_once(' ').unwrap_or((head, ""));
    if !REGISTERED.iter().any(|known| known.eq_ignore_ascii_case(name)) {
        return None;
    }
    let pairs = rest.trim().split(separator).filter_map(|pair| pair.split_once('='));
    let properties = pairs.map(|(key, value)| (key.to_owned(), unescaped(value, escapes))).collect();
    // A colon and a comma are only escaped in properties.
    let in_data: Vec<(&str, &str)> =
        escapes.iter().copied().filter(|(code, _)| !["%3A", "%2C"].contains(code)).collect();
    Some(Command { name: name.to_owned(), properties, data: unescaped(data, &in_data) })
}

fn unescaped(text: &str, escapes: &[(&str, &str)]) -> String {
    escapes.iter().fold(text.to_owned(), |text, (code, sign)| text.replace(code, sign))
}

#[test]
fn commands_are_told_from_text() {
    let log = "fine\n  ::error::x\nmid ::error::x\na ##[set-output name=a]b\n## [x]\r::add-mask::y\n::no-such::z\n::error\n##[x";
    let names: Vec<(String, String)> = commands(log).into_iter().map(|command| (command.name, command.data)).collect();
    let expected = [("error", "x"), ("set-output", "b"), ("add-mask", "y")];
    assert_eq!(names, expected.map(|(name, data)| (name.to_owned(), data.to_owned())));
}

#[test]
fn properties_and_data_are_unescaped() {
    let [read] = &commands("::error file=a%2Cb%3Ac.json,line=3,title=50%25::x%0Ay: 100%25, %3A\n")[..] else {
        panic!("one command")
    };
    let properties: Vec<(&str, &str)> =
        read.properties.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    assert_eq!(properties, [("file", "a,b:c.json"), ("line", "3"), ("title", "50%")]);
    assert_eq!(read.data, "x\ny: 100%, %3A");
}

#[test]
fn a_runner_that_was_told_to_stop_hears_nothing() {
    let log = "::error::a\n::stop-commands::Word\n::error::b\n::stop-commands::x\n::x::\n ::word::\n::error::c\n";
    let data: Vec<String> = heard(log).into_iter().map(|command| command.data).collect();
    assert_eq!(data, ["a", "Word", "c"]);
}
