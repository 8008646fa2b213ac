//! Where tools are declared: every idiom against fixtures that say what the answer is.
//!
//! A fixture is a small repository. `«tool»` stands in front of the name whose place is the answer, and
//! `«tool.argument»` in front of an argument's; the marks are taken out before the text is read.

#![allow(clippy::disallowed_methods, reason = "the tests read a folder of fixtures")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mcp_lint_core::document::Position;
use mcp_lint_core::locate::{Home, Question, Ranking, Search, Thing, settle};
use mcp_lint_core::location::FoundBy;
use mcp_lint_core::site::Kind;

/// A place as a test writes it: file, line, column.
type Place = (String, u32, u32);

/// A repository without its marks, and what they said: by tool and pointer.
#[derive(Default)]
struct Fixture {
    files: BTreeMap<String, String>,
    answers: BTreeMap<(String, String), Place>,
}

impl Fixture {
    fn add(&mut self, path: &str, marked: &str) {
        let mut text = String::new();
        let mut rest = marked;
        while let Some((before, behind)) = rest.split_once('«') {
            text.push_str(before);
            let (mark, behind) = behind.split_once('»').expect("a mark that ends");
            let (tool, argument) = mark.split_once('.').unwrap_or((mark, ""));
            let Position { line, column } = end_of(&text);
            self.answers.insert((tool.to_owned(), pointer(argument)), (path.to_owned(), line, column));
            rest = behind;
        }
        text.push_str(rest);
        self.files.insert(path.to_owned(), text);
    }

    fn of(files: &[(&str, &str)]) -> Self {
        let mut fixture = Self::default();
        files.iter().for_each(|(path, text)| fixture.add(path, text));
        fixture
    }

    fn tools(&self) -> Vec<&str> {
        let mut tools: Vec<&str> = self.answers.keys().map(|(tool, _)| tool.as_str()).collect();
        tools.dedup();
        tools
    }

    /// What is found for everything that is marked.
    fn located(&self) -> BTreeMap<(String, String), Option<Place>> {
        let home = Home::Folders(vec![String::new()]);
        let questions: Vec<(&str, &str)> =
            self.answers.keys().map(|(tool, pointer)| (tool.as_str(), pointer.as_str())).collect();
        locate(&self.files, &questions, home)
    }
}

/// Line and column behind a text.
fn end_of(text: &str) -> Position {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let line = text.rsplit('\n').next().unwrap_or_default();
    Position { line: text.matches('\n').count() as u32 + 1, column: line.encode_utf16().count() as u32 + 1 }
}

/// `a.b` as a pointer into a schema.
fn pointer(argument: &str) -> String {
    if argument.is_empty() {
        return String::new();
    }
    let names = argument.split('.').map(|name| format!("/properties/{name}"));
    format!("/inputSchema{}/type", names.collect::<String>())
}

fn locate(
    files: &BTreeMap<String, String>,
    questions: &[(&str, &str)],
    home: Home,
) -> BTreeMap<(String, String), Option<Place>> {
    let things = questions.iter().map(|(tool, _)| Thing { server: 0, kind: Kind::Tool, name: (*tool).to_owned() });
    let mut answers: BTreeMap<(String, String), Option<Place>> =
        questions.iter().map(|(tool, pointer)| (((*tool).to_owned(), (*pointer).to_owned()), None)).collect();
    let Some(search) = Search::new(things.collect(), vec![home]) else { return answers };
    let mut ranking = Ranking::default();
    // Backwards: the order of the files must not matter.
    for (path, text) in files.iter().rev().filter(|(path, _)| Search::wants(path)) {
        ranking.add(search.find(path, text));
    }
    for candidate in ranking.choose(&search) {
        let tool = search.things()[candidate.thing()].name.clone();
        let pointers: Vec<&str> =
            questions.iter().filter(|(name, _)| *name == tool).map(|(_, pointer)| *pointer).collect();
        let question = [Question { candidate: &candidate, pointers: pointers.clone() }];
        let places = settle(&search, candidate.path(), &files[candidate.path()], &question);
        for (pointer, place) in pointers.into_iter().zip(places.into_iter().flatten()) {
            let place = place.map(|at| {
                assert_eq!(at.found_by, FoundBy::Definition);
                (at.path, at.start_line, at.start_column)
            });
            answers.insert((tool.clone(), pointer.to_owned()), place);
        }
    }
    answers
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/locate")
}

fn read(root: &Path, folder: &Path, fixture: &mut Fixture) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            read(root, &path, fixture);
        } else {
            let name = path.strip_prefix(root).expect("below the root").to_string_lossy().replace('\\', "/");
            fixture.add(&name, &std::fs::read_to_string(&path).expect("a text"));
        }
    }
}

#[test]
fn every_idiom_is_found_at_its_line() {
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(folder()).expect("the fixtures").map(|entry| entry.expect("an entry").path()).collect();
    folders.sort();
    assert!(folders.len() >= 25, "the fixtures are gone");
    let (mut places, mut wrong) = (0, Vec::new());
    for root in folders {
        let mut fixture = Fixture::default();
        read(&root, &root, &mut fixture);
        assert!(!fixture.tools().is_empty(), "{} marks nothing", root.display());
        let located = fixture.located();
        for (question, answer) in &fixture.answers {
            places += 1;
            if located[question].as_ref() != Some(answer) {
                let name = root.file_name().expect("a name").to_string_lossy();
                wrong.push(format!("{name} {question:?}: {:?}, not {answer:?}", located[question]));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {places} places missed:\n{}", wrong.len(), wrong.join("\n"));
}

/// What is found of one tool, or of an argument of it.
fn place_of(fixture: &Fixture, tool: &str, home: Home) -> Option<Place> {
    locate(&fixture.files, &[(tool, "")], home).into_values().next().flatten()
}

fn root() -> Home {
    Home::Folders(vec![String::new()])
}

#[test]
fn line_ends_tabs_and_marks_of_byte_order_do_not_shift_a_place() {
    let plain = "// 😀\n\tconst a = \"😀😀\"; server.tool(\"«smile»smile\", { «smile.ä»ä: z.string() }, run);\n";
    for text in
        [plain.to_owned(), plain.replace('\n', "\r\n"), format!("\u{feff}{plain}"), format!("\u{feff}server;{plain}")]
    {
        let fixture = Fixture::of(&[("src/a.ts", &text)]);
        for (question, place) in fixture.located() {
            assert_eq!(place.as_ref(), Some(&fixture.answers[&question]), "{text:?}");
        }
    }
}

#[test]
fn two_files_that_are_as_good_give_neither() {
    let one = "server.tool(\"get_order\", {}, run);";
    let fixture = Fixture::of(&[("packages/a/src/i.ts", one), ("packages/b/src/i.ts", one)]);
    assert_eq!(place_of(&fixture, "get_order", root()), None);
    assert_eq!(place_of(&fixture, "get_order", Home::Unknown), None);
    let found = place_of(&fixture, "get_order", Home::Folders(vec!["packages/b".to_owned()]));
    assert_eq!(found, Some(("packages/b/src/i.ts".to_owned(), 1, 14)));
}

#[test]
fn a_server_from_elsewhere_is_not_looked_for() {
    let fixture = Fixture::of(&[("src/i.ts", "server.tool(\"get_order\", {}, run);")]);
    assert_eq!(place_of(&fixture, "get_order", Home::Elsewhere), None);
}

#[test]
fn one_tool_that_happens_to_be_called_alike_proves_nothing() {
    let fixture = Fixture::of(&[("src/i.ts", "server.tool(\"get_order\", {}, run);")]);
    let questions = [("get_order", ""), ("list", ""), ("search", "")];
    assert!(locate(&fixture.files, &questions, Home::Unknown).values().all(Option::is_none));
    assert!(locate(&fixture.files, &questions, root()).values().any(Option::is_some));
}

#[test]
fn mentions_are_no_declarations() {
    let mentions = [
        ("a.ts", "client.callTool({ name: \"get_order\", arguments: { id: 1 } });"),
        ("a.ts", "// server.tool(\"get_order\", {}, run);"),
        ("a.ts", "/* server.tool(\n\"get_order\", {}, run); */"),
        ("a.ts", "const text = 'server.tool(\"get_order\", {}, run)';"),
        ("a.ts", "switch (name) { case \"get_order\": return 1; }"),
        ("a.ts", "expect(tools).toContain(\"get_order\");"),
        ("a.ts", "new McpServer({ name: \"get_order\", version: \"1.0.0\", description: \"x\" });"),
        ("a.ts", "server.registerPrompt(\"get_order\", {}, run);"),
        ("a.ts", "const s = { properties: { get_order: { type: \"string\", description: \"x\" } } };"),
        ("a.py", "@server.call_tool()\nasync def get_order(name): ..."),
        ("a.py", "\"\"\"\n@mcp.tool(name=\"get_order\")\n\"\"\""),
        ("a.py", "@mcp.tool(name=\"other\")\ndef get_order(): ..."),
        ("a.py", "# @mcp.tool()\ndef get_order(): ..."),
        ("a.rs", "fn get_order() {}"),
        ("openapi.json", "{\"parameters\": [{\"name\": \"get_order\", \"in\": \"query\", \"schema\": {}}]}"),
        ("package.json", "{\"name\": \"get_order\", \"description\": \"x\", \"inputSchema\": {}}"),
        ("report.json", "{\"tools\": {\"get_order\": {\"effect\": \"loses-list\"}}}"),
        ("package-lock.json", "{\"name\": \"get_order\", \"inputSchema\": {}}"),
        ("node_modules/x/a.ts", "server.tool(\"get_order\", {}, run);"),
        ("vendor/x/a.go", "mcp.NewTool(\"get_order\")"),
        ("README.md", "server.tool(\"get_order\", {}, run);"),
        ("tests/a.ts", "const GET_ORDER = \"get_order\";"),
    ];
    for (path, text) in mentions {
        let fixture = Fixture::of(&[(path, text)]);
        assert_eq!(place_of(&fixture, "get_order", root()), None, "{path}: {text}");
    }
}

#[test]
fn a_test_counts_only_where_nothing_else_declares() {
    let text = "server.tool(\"get_order\", {}, run);";
    let both = Fixture::of(&[("tests/a.ts", text), ("src/b.ts", text)]);
    assert_eq!(place_of(&both, "get_order", root()).map(|place| place.0), Some("src/b.ts".to_owned()));
    let alone = Fixture::of(&[("tests/a.ts", text)]);
    assert_eq!(place_of(&alone, "get_order", root()).map(|place| place.0), Some("tests/a.ts".to_owned()));
}

#[test]
fn hostile_names_and_texts_end() {
    let long = "a".repeat(10_000);
    let names: Vec<String> = (0..2_000).map(|nth| format!("tool_{nth}")).collect();
    let mut questions: Vec<(&str, &str)> =
        names.iter().map(|name| (name.as_str(), "/inputSchema/properties/x")).collect();
    questions.extend([("", ""), ("a", ""), ("(", ""), ("\"", "/inputSchema/properties//type"), (&long, "")]);
    let texts = [
        "(".repeat(1 << 17),
        "{\"a\":".repeat(20_000),
        format!("const a = \"{}", "\\\"".repeat(50_000)),
        "`${".repeat(40_000),
        names.iter().take(100).map(|name| format!("T{name} = \"{name}\"; ")).collect(),
        names.iter().take(100).map(|name| format!("tool(\"{name}\", {{ x: 1 }}, ")).collect(),
        names.iter().take(100).map(|name| format!("{{ name: \"{name}\", ")).collect(),
        format!("/{}", "😀".repeat(25_000)),
        "@mcp.tool()\n".repeat(8_000),
    ];
    for text in texts {
        for end in ["ts", "py", "rs", "yaml", "rb", "cs"] {
            let path = format!("src/a.{end}");
            let files = BTreeMap::from([(path, text.clone())]);
            let _ = locate(&files, &questions, Home::Unknown);
        }
    }
}
