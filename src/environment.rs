//! What of our own environment may reach a server, and what may not even stay in this process.

use std::ffi::{OsStr, OsString};

/// Variables of a continuous integration runner that hold tokens, or name files that steer later steps.
const RUNNER_NAMES: &[&str] = &[
    "CI_JOB_JWT",
    "CI_JOB_TOKEN",
    "CI_REGISTRY_PASSWORD",
    "GH_ENTERPRISE_TOKEN",
    "GH_TOKEN",
    "GITHUB_ENTERPRISE_TOKEN",
    "GITHUB_ENV",
    "GITHUB_OUTPUT",
    "GITHUB_PATH",
    "GITHUB_STATE",
    "GITHUB_STEP_SUMMARY",
    "GITHUB_TOKEN",
    "SYSTEM_ACCESSTOKEN",
];

/// The same by how a name starts.
const RUNNER_PREFIXES: &[&str] = &["ACTIONS_", "CI_JOB_JWT_", "INPUT_"];

/// What a server of a configuration file gets beside what its entry names: enough to find programs,
/// caches, proxies and certificates.
const PASSED_NAMES: &[&str] = &[
    "ALL_PROXY",
    "APPDATA",
    "BUN_INSTALL",
    "CARGO_HOME",
    "COMSPEC",
    "CURL_CA_BUNDLE",
    "DENO_DIR",
    "DOTNET_CLI_HOME",
    "DOTNET_ROOT",
    "GEM_HOME",
    "GEM_PATH",
    "GOCACHE",
    "GOMODCACHE",
    "GOPATH",
    "GOROOT",
    "HOME",
    "HOMEDRIVE",
    "HOMEPATH",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "JAVA_HOME",
    "LANG",
    "LANGUAGE",
    "LOCALAPPDATA",
    "LOGNAME",
    "NODE_EXTRA_CA_CERTS",
    "NO_PROXY",
    "NPM_CONFIG_CACHE",
    "NUGET_PACKAGES",
    "NVM_DIR",
    "PATH",
    "PATHEXT",
    "PIP_CACHE_DIR",
    "PIP_CERT",
    "PNPM_HOME",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PYENV_ROOT",
    "REQUESTS_CA_BUNDLE",
    "RUSTUP_HOME",
    "SHELL",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TERM",
    "TMP",
    "TMPDIR",
    "TZ",
    "USER",
    "USERPROFILE",
    "UV_CACHE_DIR",
    "UV_PYTHON_INSTALL_DIR",
    "UV_TOOL_DIR",
    "VIRTUAL_ENV",
    "VOLTA_HOME",
    "WINDIR",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
];

/// Whether a variable belongs to a runner: no server and no process that starts one may see it.
pub(crate) fn is_runner_variable(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    RUNNER_NAMES.contains(&name) || RUNNER_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// Whether a variable may pass to a server of a configuration file.
fn is_passed(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    let upper = name.to_ascii_uppercase();
    upper.starts_with("LC_") || PASSED_NAMES.contains(&upper.as_str())
}

/// The environment for a server of a configuration file, before its entry adds to it.
pub(crate) fn cleared() -> Vec<(OsString, OsString)> {
    std::env::vars_os().filter(|(name, _)| is_passed(name)).collect()
}

/// The environment for a command given by hand: the caller's, without what belongs to a runner.
pub(crate) fn inherited() -> Vec<(OsString, OsString)> {
    std::env::vars_os().filter(|(name, _)| !is_runner_variable(name)).collect()
}

/// Starts this program again without the runner's variables, if there are any. Clearing them in place
/// would leave them in `/proc`, where every process of the same user can read them.
///
/// # Errors
/// When the program cannot be started again.
pub(crate) fn shed_runner_variables() -> std::io::Result<()> {
    let found: Vec<OsString> =
        std::env::vars_os().map(|(name, _)| name).filter(|name| is_runner_variable(name)).collect();
    if found.is_empty() { Ok(()) } else { start_again_without(&found) }
}

#[cfg(unix)]
fn start_again_without(names: &[OsString]) -> std::io::Result<()> {
    use std::os::unix::process::CommandExt;

    let mut command = std::process::Command::new(std::env::current_exe()?);
    command.args(std::env::args_os().skip(1));
    names.iter().for_each(|name| {
        command.env_remove(name);
    });
    Err(command.exec())
}

/// Without `exec` the variables only stay away from the servers, which [`inherited`] sees to.
#[cfg(not(unix))]
fn start_again_without(_names: &[OsString]) -> std::io::Result<()> {
    Ok(())
}

/// Keeps the environment and memory of this process from other processes of the same user: what a server may
/// not inherit it should not find in `/proc` either.
#[cfg(target_os = "linux")]
pub(crate) fn close_proc() {
    use rustix::process::{DumpableBehavior, set_dumpable_behavior};

    if let Err(error) = set_dumpable_behavior(DumpableBehavior::NotDumpable) {
        tracing::warn!("servers of the same user can read our environment: {error}");
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn close_proc() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runners_variables_are_told_from_the_callers() {
        for name in ["GITHUB_TOKEN", "ACTIONS_RUNTIME_TOKEN", "INPUT_TOKEN", "GITHUB_STEP_SUMMARY"] {
            assert!(is_runner_variable(OsStr::new(name)), "{name}");
            assert!(!is_passed(OsStr::new(name)), "{name}");
        }
        for name in ["GITHUB_PERSONAL_ACCESS_TOKEN", "GITHUB_REPOSITORY", "API_KEY", "MCP_LINT_INPUT_KEY"] {
            assert!(!is_runner_variable(OsStr::new(name)), "{name}");
        }
        assert!(is_passed(OsStr::new("http_proxy")) && is_passed(OsStr::new("LC_ALL")));
    }
}
