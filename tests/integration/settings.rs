//! mcp-lint.toml, --clients and --preset.

use serde_json::json;

use crate::harness::{Run, folder_with, run, write};

fn listing() -> String {
    json!([{
        "name": "parcels.track",
        "description": "Shows where a parcel is and when it will arrive.",
        "inputSchema": { "type": "object", "properties": { "number": { "type": "string" } }, "required": ["number"] },
        "annotations": { "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false },
    }])
    .to_string()
}

fn check(settings: &str, options: &[&str]) -> Run {
    let folder = folder_with("tools.json", &listing());
    if !settings.is_empty() {
        write(folder.path(), "mcp-lint.toml", settings);
    }
    run(folder.path(), &[&["check", "--file", "tools.json", "--json"], options].concat())
}

fn loud(run: &Run) -> Vec<String> {
    run.fired().into_iter().map(|(rule, level, ..)| format!("{level} {rule}")).collect()
}

#[test]
fn defaults() {
    let run = check("", &[]);
    assert_eq!(
        (run.code, loud(&run)),
        (Some(0), vec!["warning argument-description-missing".into(), "warning name-not-portable".into()])
    );
}

#[test]
fn naming_a_client_raises_what_it_refuses_and_silences_what_others_do() {
    let openai = check("", &["--clients", "mcp,openai"]);
    assert_eq!((openai.code, loud(&openai)[0].as_str()), (Some(1), "error name-not-portable"));
    let report = openai.report();
    let mut findings = report["findings"].as_array().expect("findings").iter();
    let refused = findings.find(|finding| finding["rule"] == "name-not-portable").expect("the finding");
    assert_eq!(refused["clients"].as_array().map(Vec::len), Some(1), "{refused}");
    let mcp = check("", &["--clients", "mcp"]);
    assert_eq!((mcp.code, loud(&mcp)), (Some(0), vec!["warning argument-description-missing".into()]));
}

#[test]
fn presets() {
    let spec = check("", &["--preset", "spec"]);
    assert_eq!((spec.code, loud(&spec)), (Some(0), vec!["warning argument-description-missing".into()]));
    let every = check("", &["--preset", "every-agent"]);
    assert_eq!((every.code, loud(&every)[0].as_str()), (Some(1), "error name-not-portable"));
}

#[test]
fn settings_are_read_and_the_command_line_wins() {
    let settings = "fail-on = \"warning\"\nclients = [\"mcp\"]\n[rules]\nargument-description-missing = \"note\"\n";
    let run = check(settings, &[]);
    assert_eq!((run.code, loud(&run)), (Some(0), vec![]));
    let named = check(settings, &["--clients", "claude"]);
    assert_eq!((named.code, loud(&named)), (Some(1), vec!["error name-not-portable".into()]));
    let strict = check("[rules]\nname-not-portable = \"off\"\n", &["--strict"]);
    assert_eq!((strict.code, loud(&strict)), (Some(1), vec!["warning argument-description-missing".into()]));
}

#[test]
fn ignores_need_a_finding_to_ignore() {
    let settings = "[[ignore]]\nrule = \"name-not-portable\"\ntool = \"parcels.*\"\nreason = \"documented name\"\n\
                    [[ignore]]\nrule = \"name-invalid\"\nreason = \"was renamed\"\n";
    let run = check(settings, &[]);
    assert_eq!(loud(&run), ["warning argument-description-missing"]);
    let report = run.report();
    assert_eq!((report["ignored"].clone(), report["unused_ignores"].clone()), (json!(1), json!(["name-invalid"])));
}

#[test]
fn unusable_settings_are_refused() {
    for (settings, said) in [
        ("colour = true", "colour"),
        ("[rules]\nname-invlid = \"off\"", "did you mean name-invalid"),
        ("[[ignore]]\nrule = \"name-invalid\"", "reason"),
    ] {
        let run = check(settings, &[]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{settings}");
        assert!(run.stderr.contains("mcp-lint.toml") && run.stderr.contains(said), "{}", run.stderr);
    }
    let run = check("", &["--clients", "cursro"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("did you mean cursor"), "{}", run.stderr);
}

#[test]
fn a_server_of_the_settings_is_skipped() {
    let folder =
        folder_with(".mcp.json", &json!({ "mcpServers": { "a": { "command": "no-such-program-here" } } }).to_string());
    write(folder.path(), "mcp-lint.toml", "[servers.a]\nskip = \"needs the office network\"\n");
    let run = run(folder.path(), &["check", "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.message("server-skipped").contains("needs the office network"), "{}", run.stdout);
}

#[test]
fn variables_stand_for_options_and_options_go_before_them() {
    let folder = folder_with("tools.json", &listing());
    let check = |variables: &[(&str, &str)], options: &[&str]| {
        let mut command = crate::harness::command(folder.path());
        command.args(["check", "--file", "tools.json", "--json"]).args(options).envs(variables.iter().copied());
        crate::harness::finished(command.output().expect("a run"))
    };
    assert_eq!(check(&[("MCP_LINT_FAIL_ON", "warning")], &[]).code, Some(1));
    assert_eq!(check(&[("MCP_LINT_FAIL_ON", "warning")], &["--fail-on", "error"]).code, Some(0));
    assert_eq!(check(&[("MCP_LINT_FAIL_ON", "error")], &["--strict"]).code, Some(1));
    assert_eq!(check(&[("MCP_LINT_CLIENTS", "mcp,openai")], &[]).code, Some(1));
    let empty = ["FAIL_ON", "PRESET", "JOBS", "TIMEOUT", "CLIENTS"].map(|name| format!("MCP_LINT_{name}"));
    let empty: Vec<(&str, &str)> = empty.iter().map(|name| (name.as_str(), "")).collect();
    assert_eq!(check(&empty, &[]).code, Some(0), "set to nothing is not set");
    let bad = check(&[("MCP_LINT_JOBS", "none")], &[]);
    assert_eq!(bad.code, Some(2));
    assert!(bad.stderr.contains("MCP_LINT_JOBS"), "{}", bad.stderr);
}
