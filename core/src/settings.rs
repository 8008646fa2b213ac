//! `mcp-lint.toml`: what a repository sets for itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::clients::Selection;
use crate::finding::{Finding, Level};
use crate::policy::{Limits, Policy, Preset};
use crate::rules;
use crate::text::closest;

/// The settings of a repository. Unknown keys are errors.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Settings {
    /// Clients to judge for, by id or family; left out, all but strict modes.
    pub clients: Vec<String>,
    /// Named set of levels.
    pub preset: Option<Preset>,
    /// Lowest level that makes the check fail.
    pub fail_on: Option<FailAt>,
    /// Longest wait in each phase of a conversation, in seconds.
    pub timeout: Option<f64>,
    /// Whether safe tools are called; true unless said otherwise.
    pub call: Option<bool>,
    /// Revision to speak: auto, legacy, modern, or a date.
    pub protocol: Option<String>,
    /// Client capabilities to declare.
    pub capabilities: Vec<Capability>,
    /// Levels by rule.
    pub rules: BTreeMap<String, Setting>,
    /// Bounds that rules judge by.
    pub limits: LimitSettings,
    /// Findings that are known and accepted.
    pub ignore: Vec<Ignore>,
    /// What differs for one server, by its name in the configuration.
    pub servers: BTreeMap<String, ServerSettings>,
}

/// Something that a client may be able to do for a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Capability {
    /// Asking the user.
    Elicitation,
    /// Naming the folders that it works in.
    Roots,
    /// Running a model.
    Sampling,
}

/// What differs for one server.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServerSettings {
    /// Why the server is not to be checked; left out, it is.
    pub skip: Option<String>,
    /// Longest wait in each phase of a conversation, in seconds.
    pub timeout: Option<f64>,
    /// Levels by rule.
    pub rules: BTreeMap<String, Setting>,
    /// Bounds that rules judge by.
    pub limits: LimitSettings,
}

/// Bounds that rules judge by; what is left out keeps its default.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LimitSettings {
    /// From how many tools on a listing is too long.
    pub max_tools: Option<usize>,
    /// How large the definitions may be together, in tokens of four bytes.
    pub listing_tokens: Option<usize>,
    /// How long a description may be, in characters.
    pub description_long: Option<usize>,
    /// How many findings of one rule on one server are listed singly.
    pub max_per_rule: Option<usize>,
}

/// A rule's level, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Setting {
    /// The rule does not run.
    Off,
    /// Its findings are notes.
    Note,
    /// Its findings are warnings.
    Warning,
    /// Its findings are errors.
    Error,
}

/// Lowest level that makes the check fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum FailAt {
    /// Errors.
    Error,
    /// Warnings and errors.
    Warning,
    /// Everything.
    Note,
    /// Nothing.
    Never,
}

/// Findings that are known and accepted.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ignore {
    /// The rule.
    pub rule: String,
    /// Only on this server.
    pub server: Option<String>,
    /// Only on this tool; a `*` at the end stands for anything.
    pub tool: Option<String>,
    /// Why it is accepted.
    pub reason: String,
}

impl Settings {
    /// Reads the text of a settings file.
    ///
    /// # Errors
    /// When it is no TOML, has a key nobody knows, names a rule or client that does not exist, or ignores
    /// something without a reason; says where, as the end of a sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        let settings: Self = toml::from_str(text).map_err(|error| error.to_string().trim().replace('\n', " "))?;
        settings.check()?;
        Ok(settings)
    }

    fn check(&self) -> Result<(), String> {
        let of_servers = self.servers.values().flat_map(|server| server.rules.keys());
        for rule in self.rules.keys().chain(of_servers).chain(self.ignore.iter().map(|ignore| &ignore.rule)) {
            if rules::find(rule).is_none() {
                return Err(unknown_rule(rule));
            }
        }
        if let Some(ignore) = self.ignore.iter().find(|ignore| ignore.reason.trim().is_empty()) {
            return Err(format!("the ignore of {} gives no reason", ignore.rule));
        }
        if let Some((name, _)) =
            self.servers.iter().find(|(_, server)| server.skip.as_deref().is_some_and(|why| why.trim().is_empty()))
        {
            return Err(format!("the skip of server {name:?} gives no reason"));
        }
        let times = self.servers.values().map(|server| server.timeout).chain([self.timeout]);
        if times.flatten().any(|seconds| !(0.001..=86_400.0).contains(&seconds)) {
            return Err("a timeout is a number of seconds from 0.001 to 86400".to_owned());
        }
        Selection::named(&self.clients).map(drop).map_err(|name| format!("there is no client {name:?}"))
    }

    /// Applies the settings to a policy: everything but the choice of clients and preset, which come first.
    pub fn apply(&self, policy: &mut Policy) {
        apply(&self.rules, &self.limits, policy);
    }

    /// The policy for one server.
    #[must_use]
    pub fn policy_for(&self, server: &str, policy: &Policy) -> Policy {
        let mut own = policy.clone();
        if let Some(settings) = self.servers.get(server) {
            apply(&settings.rules, &settings.limits, &mut own);
        }
        own
    }

    /// The first entry that accepts a finding.
    #[must_use]
    pub fn ignored_by(&self, finding: &Finding) -> Option<usize> {
        self.ignore.iter().position(|ignore| ignore.matches(finding))
    }
}

fn apply(levels: &BTreeMap<String, Setting>, limits: &LimitSettings, policy: &mut Policy) {
    policy.levels.extend(levels.iter().map(|(rule, setting)| (rule.clone(), setting.level())));
    let Limits { max_tools, listing_tokens, description_long, max_per_rule } = &mut policy.limits;
    for (limit, setting) in [
        (max_tools, limits.max_tools),
        (listing_tokens, limits.listing_tokens),
        (description_long, limits.description_long),
        (max_per_rule, limits.max_per_rule),
    ] {
        *limit = setting.unwrap_or(*limit);
    }
}

fn unknown_rule(rule: &str) -> String {
    match closest(rule, rules::ALL.iter().map(|rule| rule.id)) {
        Some(near) => format!("there is no rule {rule:?}; did you mean {near}?"),
        None => format!("there is no rule {rule:?}"),
    }
}

impl Setting {
    fn level(self) -> Option<Level> {
        match self {
            Self::Off => None,
            Self::Note => Some(Level::Note),
            Self::Warning => Some(Level::Warning),
            Self::Error => Some(Level::Error),
        }
    }
}

impl Ignore {
    fn matches(&self, finding: &Finding) -> bool {
        let is_named = |pattern: &Option<String>, name: &str| match pattern.as_deref() {
            None => true,
            Some(pattern) => pattern.strip_suffix('*').map_or(pattern == name, |start| name.starts_with(start)),
        };
        self.rule == finding.rule
            && is_named(&self.server, finding.server.as_deref().unwrap_or_default())
            && is_named(&self.tool, &finding.entity)
    }

    /// The entry in words.
    #[must_use]
    pub fn words(&self) -> String {
        let server = self.server.as_ref().map(|server| format!(" on server {server}"));
        let tool = self.tool.as_ref().map(|tool| format!(" on tool {tool}"));
        format!("{}{}{}", self.rule, server.unwrap_or_default(), tool.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_named() {
        for (text, said) in [
            ("colour = 1", "unknown field `colour`"),
            ("[rules]\nname-invalit = \"off\"", "did you mean name-invalid"),
            ("[rules]\nname-invalid = \"fatal\"", "fatal"),
            ("clients = [\"netscape\"]", "no client \"netscape\""),
            ("[[ignore]]\nrule = \"name-invalid\"", "reason"),
            ("[[ignore]]\nrule = \"name-invalid\"\nreason = \" \"", "no reason"),
            ("timeout = 0.0", "seconds"),
            ("[servers.a]\nskip = \"\"", "no reason"),
            ("= 1", "TOML parse error at line 1"),
        ] {
            let error = Settings::parse(text).expect_err(text);
            assert!(error.contains(said), "{text}: {error}");
        }
    }

    #[test]
    fn a_server_differs_from_the_rest() {
        let text = "preset = \"spec\"\n[rules]\ndescription-long = \"off\"\n[limits]\nmax-tools = 60\n\
                    [servers.github.rules]\ndescription-long = \"error\"\n[servers.github.limits]\nmax-tools = 90\n";
        let settings = Settings::parse(text).expect("settings");
        let mut policy = Policy::default();
        settings.apply(&mut policy);
        assert_eq!((policy.levels["description-long"], policy.limits.max_tools), (None, 60));
        let own = settings.policy_for("github", &policy);
        assert_eq!((own.levels["description-long"], own.limits.max_tools), (Some(Level::Error), 90));
        assert_eq!(settings.policy_for("other", &policy).limits.max_tools, 60);
    }
}
