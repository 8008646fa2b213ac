//! The check run on the commit: created once, already completed, and filled with annotations by updates.
//!
//! GitHub lets only itself change the status of a check run that its Actions made, so the conclusion is given
//! when the run is created, and never again (changelog of 2025-02-12).

use serde_json::{Value, json};

use super::api::{Api, Refusal, Request};
use super::event::Event;

/// Most annotations that one request may hold (REST API, "Create a check run").
const MOST_AT_ONCE: usize = 50;

/// A check run to be made.
pub(crate) struct CheckRun {
    /// Distinct from the names of jobs, which GitHub keeps for itself.
    pub(crate) name: String,
    pub(crate) conclusion: &'static str,
    pub(crate) title: String,
    /// Markdown.
    pub(crate) summary: String,
    /// As the API takes them.
    pub(crate) annotations: Vec<Value>,
}

/// What was made of it.
pub(crate) struct Published {
    pub(crate) url: String,
    /// Annotations that could not be added, and why.
    pub(crate) missing: Option<(usize, Refusal)>,
}

impl CheckRun {
    /// Creates the check run and adds its annotations.
    ///
    /// # Errors
    /// When GitHub does not let it be created.
    pub(crate) async fn publish(&self, api: &Api, event: &Event) -> Result<Published, Refusal> {
        let route = format!("/repos/{}/{}/check-runs", event.repository.owner, event.repository.name);
        let mut batches = self.annotations.chunks(MOST_AT_ONCE);
        let first = batches.next().unwrap_or_default();
        let mut body = json!({
            "name": self.name,
            "head_sha": event.head_sha,
            "status": "completed",
            "conclusion": self.conclusion,
            "output": self.output(first),
        });
        if let Some(run) = &event.run {
            body["external_id"] = json!(run);
        }
        let made = async || self.find(api, event).await;
        let created = api.send_once(Request::Post(&body), &route, made).await?;
        let url = created.get("html_url").and_then(Value::as_str).unwrap_or_default().to_owned();
        let Some(id) = created.get("id").and_then(Value::as_u64) else {
            let missing = (self.annotations.len() - first.len(), no_id());
            return Ok(Published { url, missing: (missing.0 > 0).then_some(missing) });
        };
        let route = format!("{route}/{id}");
        let mut there = first.len();
        for batch in batches {
            let expected = there + batch.len();
            let body = json!({ "output": self.output(batch) });
            let added = async || count(api, &route).await.filter(|(_, count)| *count >= expected).map(|(run, _)| run);
            if let Err(refusal) = api.send_once(Request::Patch(&body), &route, added).await {
                return Ok(Published { url, missing: Some((self.annotations.len() - there, refusal)) });
            }
            there = expected;
        }
        Ok(Published { url, missing: None })
    }

    fn output(&self, annotations: &[Value]) -> Value {
        json!({ "title": self.title, "summary": self.summary, "annotations": annotations })
    }

    /// The check run of this name that this very run made, if an answer to its creation was lost.
    async fn find(&self, api: &Api, event: &Event) -> Option<Value> {
        let run = event.run.as_ref()?;
        let name: String =
            reqwest::Url::parse_with_params("https://x/", [("check_name", &self.name)]).ok()?.query()?.to_owned();
        let Event { repository, head_sha, .. } = event;
        let route = format!("/repos/{}/{}/commits/{head_sha}/check-runs?{name}", repository.owner, repository.name);
        let answer = api.send(Request::Get, &route).await.ok()?;
        let is_ours = |made: &&Value| made.get("external_id").and_then(Value::as_str) == Some(run);
        answer.get("check_runs")?.as_array()?.iter().find(is_ours).cloned()
    }
}

/// A check run as it is now, and how many annotations it has.
async fn count(api: &Api, route: &str) -> Option<(Value, usize)> {
    let run = api.send(Request::Get, route).await.ok()?;
    let count = run.pointer("/output/annotations_count")?.as_u64()?;
    Some((run, usize::try_from(count).ok()?))
}

fn no_id() -> Refusal {
    Refusal::Unanswered { request: "POST check-runs".to_owned(), what: "the answer names no check run".to_owned() }
}
