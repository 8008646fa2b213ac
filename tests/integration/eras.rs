//! Revisions with a handshake, without one, and what is declared in either.

use std::net::TcpStream;

use serde_json::{Value, json};

use crate::harness::{Run, folder, folder_with, run};
use crate::http::{Asked, JSON, Server, answer, message, send};

fn check(server: &Server, words: &[&str]) -> Run {
    let folder = folder();
    run(folder.path(), &[&["check", &server.address(), "--json"], words].concat())
}

fn reply(asked: &Asked, stream: &mut TcpStream, status: &str, content: Value) {
    let mut message = json!({ "jsonrpc": "2.0", "id": asked.message["id"] });
    message.as_object_mut().expect("an object").extend(content.as_object().cloned().unwrap_or_default());
    send(stream, status, &[JSON], message.to_string().as_bytes());
}

fn version(asked: &Asked) -> &Value {
    &asked.message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"]
}

/// A server that knows 2026-07-28 and nothing else.
fn modern(asked: &Asked, stream: &mut TcpStream) {
    let refusal = json!({ "error": { "code": -32022, "message": "Unsupported protocol version", "data": {
        "supported": ["2026-07-28"], "requested": version(asked)
    } } });
    if asked.header("origin").is_some() {
        return send(stream, "403 Forbidden", &[], b"");
    }
    if version(asked) != "2026-07-28" {
        return reply(asked, stream, "400 Bad Request", refusal);
    }
    let mut result = message(asked)["result"].clone();
    if asked.is("server/discover") {
        result = json!({ "supportedVersions": ["2026-07-28"], "capabilities": { "tools": {} } });
    }
    let hints = json!({ "resultType": "complete", "ttlMs": 0, "cacheScope": "public" });
    result.as_object_mut().expect("an object").extend(hints.as_object().cloned().unwrap_or_default());
    reply(asked, stream, "200 OK", json!({ "result": result }));
}

#[test]
fn the_revision_that_is_offered_can_be_chosen() {
    let server = Server::start(answer);
    assert_eq!(check(&server, &["--protocol", "2024-11-05"]).code, Some(0));
    let asked = server.asked();
    assert_eq!(asked[0].message["params"]["protocolVersion"], "2024-11-05");
    assert!(!asked.iter().any(|asked| asked.is("server/discover")), "a launch of one kind is asked for");
}

#[test]
fn without_a_handshake_every_request_says_what_it_would_have_said() {
    let server = Server::start(modern);
    let run = check(&server, &["--protocol", "modern"]);
    assert_eq!((run.code, run.rules()), (Some(0), vec!["annotations-missing".to_owned()]), "{}", run.stdout);
    assert_eq!(run.report()["servers"][0]["protocol_version"], "2026-07-28");
    let asked = server.asked();
    let posts = || asked.iter().filter(|asked| asked.header("origin").is_none());
    assert!(!posts().any(|asked| asked.is("initialize") || asked.message.get("id").is_none()));
    for post in posts() {
        assert_eq!(post.header("mcp-protocol-version"), version(post).as_str());
        assert_eq!(post.header("mcp-method"), post.message["method"].as_str());
        assert!(post.message["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"].is_object());
    }
    assert!(posts().next().is_some_and(|first| first.is("server/discover")));
    assert!(posts().next_back().is_some_and(|last| version(last) == "2099-01-01"), "an unknown revision comes last");
}

#[test]
fn a_refused_handshake_leads_to_a_conversation_without_one() {
    let server = Server::start(modern);
    let run = check(&server, &[]);
    assert_eq!((run.code, run.rules()), (Some(0), vec!["annotations-missing".into(), "initialize-failed".into()]));
    let report = run.report();
    assert_eq!(report["servers"][0]["tools"], 1);
    let mut findings = report["findings"].as_array().into_iter().flatten();
    let refused = findings.find(|finding| finding["rule"] == "initialize-failed").expect("the refusal");
    assert_eq!(refused["level"], "warning", "valid MCP, which older clients do not speak");
}

#[test]
fn both_kinds_of_revision_are_seen() {
    let server = Server::start(
        |asked, stream| {
            if version(asked).is_null() { answer(asked, stream) } else { modern(asked, stream) }
        },
    );
    let run = check(&server, &[]);
    assert_eq!((run.code, run.rules()), (Some(0), vec!["annotations-missing".to_owned()]), "{}", run.stdout);
    let report = run.report();
    assert_eq!(report["servers"][0]["protocol_version"], "2025-11-25");
    assert_eq!(report["servers"][0]["also_speaks"], json!(["2026-07-28"]));
}

#[test]
fn tools_that_depend_on_the_client_are_named() {
    let server = Server::start(|asked, stream| {
        let mut message = message(asked);
        let declared = asked.message["params"]["capabilities"].as_object().is_some_and(|all| !all.is_empty());
        let is_able = declared || asked.header("mcp-session-id") == Some("able");
        if asked.is("tools/list") && is_able {
            let tools = message["result"]["tools"].as_array_mut().expect("tools");
            let mut other = tools[0].clone();
            other["name"] = json!("ask_recipient");
            other["description"] = json!("Asks the recipient at which hour the parcel may come.");
            tools.push(other);
        }
        if asked.message.get("id").is_none() || asked.header("origin").is_some() {
            return answer(asked, stream);
        }
        let session = if is_able { "mcp-session-id: able" } else { "mcp-session-id: plain" };
        send(stream, "200 OK", &[JSON, session], message.to_string().as_bytes());
    });
    let run = check(&server, &["--no-probe", "--capabilities", "roots,elicitation"]);
    let report = run.report();
    let found = report["findings"].as_array().into_iter().flatten();
    let found = found.filter(|finding| finding["rule"] == "listing-depends-on-client");
    let messages: Vec<&str> = found.filter_map(|finding| finding["message"].as_str()).collect();
    assert_eq!(
        messages,
        ["`ask_recipient` is listed only to clients that declare `elicitation` and `roots`."],
        "{}",
        run.stdout
    );
    assert_eq!(report["client_capabilities"], json!(["elicitation", "roots"]));
    let asked = server.asked();
    let mut greetings = asked.iter().filter(|asked| asked.is("initialize") && asked.header("origin").is_none());
    let plain = greetings.nth(1).expect("a second launch");
    assert_eq!(plain.message["params"]["capabilities"], json!({}));
}

#[test]
fn the_settings_choose_where_the_command_line_does_not() {
    let server = Server::start(modern);
    let settings = "protocol = \"modern\"\ncapabilities = [\"roots\"]\n";
    let folder = folder_with("mcp-lint.toml", settings);
    let run = run(folder.path(), &["check", &server.address(), "--json"]);
    assert_eq!(run.report()["client_capabilities"], json!(["roots"]), "{}", run.stderr);
    assert!(server.asked().first().is_some_and(|first| first.is("server/discover")));
    let folder = folder_with("mcp-lint.toml", "protocol = \"newest\"\n");
    let run = crate::harness::run(folder.path(), &["check", &server.address()]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("protocol") && run.stderr.contains("2024-11-05"), "{}", run.stderr);
}

#[test]
fn an_unknown_revision_or_capability_is_refused() {
    let folder = folder();
    for words in [["--protocol", "2025-01-01"], ["--capabilities", "telepathy"]] {
        let run = run(folder.path(), &[&["check", "http://127.0.0.1:9/mcp"][..], &words].concat());
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains(words[1]), "{}", run.stderr);
    }
}
