//! The event that a workflow runs for: which repository, which commit, and whether the token can write.
//!
//! Names of variables and members are GitHub's: "Variables reference" and "Webhook events and payloads".

use serde_json::Value;

/// A GitHub repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Repository {
    pub(crate) owner: String,
    pub(crate) name: String,
}

/// What a run is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) repository: Repository,
    /// The commit that checks are shown on: the head of a pull request, never its throw-away merge commit.
    pub(crate) head_sha: String,
    /// The commit that was checked out, which code scanning files results under.
    pub(crate) commit_sha: String,
    /// The ref of that commit: `refs/heads/...` or `refs/pull/N/merge`.
    pub(crate) git_ref: String,
    pub(crate) subject: Subject,
    pub(crate) default_branch: Option<String>,
    pub(crate) is_private: bool,
    /// Id and attempt of the workflow run, where there is one.
    pub(crate) run: Option<String>,
}

/// What was changed, as far as it decides what may be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// A branch was pushed to.
    Push { branch: String },
    /// A pull request, with the commit it is based on; from a fork the token can only read.
    PullRequest { base_sha: String, is_fork: bool },
    /// Anything else: a merge queue, a schedule, a run by hand, a run after another workflow.
    Other,
}

/// Reads the event from the runner's variables and its event file.
///
/// # Errors
/// When a variable or member is missing or is not what GitHub sends; says which.
pub(crate) fn read(variable: &dyn Fn(&str) -> Option<String>, payload: &Value) -> Result<Event, String> {
    let needed =
        |name: &str| variable(name).filter(|text| !text.is_empty()).ok_or_else(|| format!("{name} is not set"));
    let repository = repository(&needed("GITHUB_REPOSITORY")?)?;
    let commit_sha = sha("GITHUB_SHA", &needed("GITHUB_SHA")?)?;
    let git_ref = needed("GITHUB_REF")?;
    let name = needed("GITHUB_EVENT_NAME")?;
    let full_name = format!("{}/{}", repository.owner, repository.name);
    let text = |pointer: &str| payload.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
    let needed_member = |pointer: &str| {
        text(pointer).ok_or_else(|| format!("the event has no {}", pointer.trim_start_matches('/').replace('/', ".")))
    };
    let (head_sha, subject) = match name.as_str() {
        "pull_request" | "pull_request_target" | "pull_request_review" => {
            let head = sha("the pull request's head", &needed_member("/pull_request/head/sha")?)?;
            let base_sha = sha("the pull request's base", &needed_member("/pull_request/base/sha")?)?;
            // A fork that was deleted has no repository any more.
            let from = text("/pull_request/head/repo/full_name");
            let is_fork = from.as_deref() != Some(full_name.as_str()) && name != "pull_request_target";
            (head, Subject::PullRequest { base_sha, is_fork })
        }
        "workflow_run" => (sha("the run's head", &needed_member("/workflow_run/head_sha")?)?, Subject::Other),
        "push" => match git_ref.strip_prefix("refs/heads/") {
            Some(branch) => (commit_sha.clone(), Subject::Push { branch: branch.to_owned() }),
            None => (commit_sha.clone(), Subject::Other),
        },
        _ => (commit_sha.clone(), Subject::Other),
    };
    let run =
        variable("GITHUB_RUN_ID").map(|id| format!("{id}-{}", variable("GITHUB_RUN_ATTEMPT").unwrap_or_default()));
    Ok(Event {
        repository,
        head_sha,
        commit_sha,
        git_ref,
        subject,
        default_branch: text("/repository/default_branch"),
        is_private: payload.pointer("/repository/private").and_then(Value::as_bool).unwrap_or(true),
        run,
    })
}

impl Event {
    /// Whether the token of this run can only read, whatever the workflow asks for.
    pub(crate) fn is_from_fork(&self) -> bool {
        matches!(self.subject, Subject::PullRequest { is_fork: true, .. })
    }

    /// The default branch, if this is a push to it.
    pub(crate) fn pushed_default_branch(&self) -> Option<&str> {
        match &self.subject {
            Subject::Push { branch } if self.default_branch.as_ref() == Some(branch) => Some(branch),
            _ => None,
        }
    }
}

fn repository(text: &str) -> Result<Repository, String> {
    let is_name = |part: &str| {
        !part.is_empty()
            && part != "."
            && part != ".."
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
    };
    match text.split_once('/') {
        Some((owner, name)) if is_name(owner) && is_name(name) => {
            Ok(Repository { owner: owner.to_owned(), name: name.to_owned() })
        }
        _ => Err(format!("GITHUB_REPOSITORY is {text:?}, expected owner/name")),
    }
}

/// SHA-1 has 40 hexadecimal digits, SHA-256 has 64.
fn sha(what: &str, text: &str) -> Result<String, String> {
    if matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(text.to_ascii_lowercase());
    }
    Err(format!("{what} is {text:?}, expected a commit"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const CHECKED_OUT: &str = "1111111111111111111111111111111111111111";
    const HEAD: &str = "2222222222222222222222222222222222222222";
    const BASE: &str = "3333333333333333333333333333333333333333";

    fn event(name: &str, git_ref: &str, payload: Value) -> Result<Event, String> {
        let variable = |variable: &str| {
            let text = match variable {
                "GITHUB_REPOSITORY" => "org/parcels",
                "GITHUB_SHA" => CHECKED_OUT,
                "GITHUB_REF" => git_ref,
                "GITHUB_EVENT_NAME" => name,
                "GITHUB_RUN_ID" => "77",
                "GITHUB_RUN_ATTEMPT" => "2",
                _ => return None,
            };
            Some(text.to_owned())
        };
        read(&variable, &payload)
    }

    fn pull_request(head: Value) -> Value {
        json!({
            "repository": { "full_name": "org/parcels", "private": false, "default_branch": "main" },
            "pull_request": { "head": { "sha": HEAD, "repo": head }, "base": { "sha": BASE } }
        })
    }

    #[test]
    fn a_pull_request_is_shown_on_its_head() {
        let own = event("pull_request", "refs/pull/5/merge", pull_request(json!({ "full_name": "org/parcels" })));
        let own = own.expect("an event");
        assert_eq!((own.head_sha.as_str(), own.commit_sha.as_str()), (HEAD, CHECKED_OUT));
        assert_eq!(own.subject, Subject::PullRequest { base_sha: BASE.to_owned(), is_fork: false });
        assert_eq!(own.run.as_deref(), Some("77-2"));
        assert!(!own.is_private && !own.is_from_fork() && own.pushed_default_branch().is_none());
    }

    #[test]
    fn forks_are_told_by_where_the_head_is_even_when_they_are_gone() {
        for head in [json!({ "full_name": "stranger/parcels" }), Value::Null] {
            let fork = event("pull_request", "refs/pull/5/merge", pull_request(head.clone())).expect("an event");
            assert!(fork.is_from_fork(), "{head}");
            let privileged = event("pull_request_target", "refs/heads/main", pull_request(head)).expect("an event");
            assert!(!privileged.is_from_fork());
            assert_eq!(privileged.head_sha, HEAD);
        }
    }

    #[test]
    fn a_push_is_shown_on_what_was_pushed() {
        let payload = json!({ "repository": { "private": true, "default_branch": "main" } });
        let push = event("push", "refs/heads/main", payload.clone()).expect("an event");
        assert_eq!((push.head_sha.as_str(), push.pushed_default_branch()), (CHECKED_OUT, Some("main")));
        assert!(push.is_private);
        for (name, git_ref) in [
            ("push", "refs/heads/topic"),
            ("push", "refs/tags/main"),
            ("schedule", "refs/heads/main"),
            ("workflow_dispatch", "refs/heads/main"),
            ("merge_group", "refs/heads/gh-readonly-queue/main/pr-5"),
        ] {
            let other = event(name, git_ref, payload.clone()).expect("an event");
            assert_eq!(
                (other.head_sha.as_str(), other.pushed_default_branch()),
                (CHECKED_OUT, None),
                "{name} {git_ref}"
            );
        }
    }

    #[test]
    fn a_run_after_another_is_shown_on_the_others_commit() {
        let payload = json!({
            "repository": { "private": false, "default_branch": "main" },
            "workflow_run": { "head_sha": HEAD, "head_repository": { "full_name": "stranger/parcels" } }
        });
        let after = event("workflow_run", "refs/heads/main", payload).expect("an event");
        assert_eq!((after.head_sha.as_str(), after.is_from_fork()), (HEAD, false));
    }

    #[test]
    fn what_github_would_not_send_is_refused() {
        let odd = json!({ "pull_request": { "head": { "sha": "../../x" }, "base": { "sha": BASE } } });
        for (payload, part) in [(json!({}), "pull_request.head.sha"), (odd, "expected a commit")] {
            let error = event("pull_request", "refs/pull/5/merge", payload).expect_err("no event");
            assert!(error.contains(part), "{error}");
        }
        for name in ["org", "org/a/b", "org/..", "org/a b", "/a"] {
            assert!(repository(name).is_err(), "{name}");
        }
    }
}
