"""Runs an action's own steps as a runner does: the variables and files of a runner, the step's script in bash,
outputs from one step to the next. Steps that use another action are only written down.

    driver.py ACTION_FOLDER WORK EVENT_NAME EVENT_FILE [INPUT=VALUE...]

The log goes to stdout, what a workflow could read afterwards to WORK/result.json.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import uuid

import yaml

TOKEN = "s3cret-" + "token"
USER = os.getuid() or 1001
AS_USER = [] if os.getuid() else ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]


class Context:
    """Values that expressions name."""

    def __init__(self, inputs, event):
        self.inputs, self.event, self.steps = inputs, event, {}

    def value(self, expression):
        text = expression.replace("&&", " and ").replace("||", " or ")
        text = re.sub(r"!(?!=)", " not ", text)
        text = re.sub(r"'([^']*)'|\b(github|inputs|steps)((?:\.[\w-]+)+)", self._named, text)
        names = {"cancelled": lambda: False, "null": None, "true": True, "false": False}
        return eval(text, {"__builtins__": {}}, names)  # the action is ours

    def _named(self, match):
        if match[1] is not None:
            return repr(match[1])
        path = match[3].strip(".").split(".")
        top = {"inputs": self.inputs, "steps": self.steps,
               "github": {"event": self.event, "token": TOKEN, "repository": "org/parcels"}}[match[2]]
        for name in path:
            top = top.get(name) if isinstance(top, dict) else None
        # A string is never false to a runner, unless it is empty; and what is not there is an empty one.
        return repr(top)

    def text(self, template):
        def put(match):
            value = self.value(match[1].strip())
            return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
        return re.sub(r"\$\{\{(.*?)\}\}", put, str(template))


def run_step(step, context, work, action, event_name, event_file, log):
    files = work / "_temp" / "_runner_file_commands"
    names = {name: files / f"{name.lower()}_{uuid.uuid4()}" for name in ("ENV", "OUTPUT", "PATH", "STATE", "STEP_SUMMARY")}
    for file in names.values():
        file.touch()
        os.chown(file, USER, -1)
    script = work / "_temp" / f"{uuid.uuid4()}.sh"
    script.write_text(context.text(step["run"]))
    workspace = work / "workspace"
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(work / "home"), "CI": "true",
        **{name: os.environ[name] for name in ("DOCKER_HOST",) if name in os.environ},
        "GITHUB_ACTIONS": "true", "GITHUB_ACTION_PATH": str(action), "GITHUB_API_URL": os.environ["STAND_IN"],
        "GITHUB_EVENT_NAME": event_name, "GITHUB_EVENT_PATH": str(event_file), "GITHUB_REF": "refs/pull/7/merge",
        "GITHUB_REPOSITORY": "org/parcels", "GITHUB_RUN_ATTEMPT": "1", "GITHUB_RUN_ID": "77", "GITHUB_SHA": "1" * 40,
        "GITHUB_WORKSPACE": str(workspace), "RUNNER_OS": "Linux", "RUNNER_TEMP": str(work / "_temp"),
        "RUNNER_TOOL_CACHE": str(work / "tools"),
        # A job that hands its token to every step, and one that may ask for an identity.
        "GITHUB_TOKEN": TOKEN, "ACTIONS_ID_TOKEN_REQUEST_TOKEN": TOKEN,
        **{f"GITHUB_{name}": str(file) for name, file in names.items()},
        **{name: context.text(value) for name, value in step.get("env", {}).items()},
    }
    command = [*AS_USER, "bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]
    code = subprocess.run(command, cwd=workspace, env=environment, stdin=subprocess.DEVNULL, stdout=log,
                          stderr=subprocess.STDOUT, check=False, timeout=300).returncode
    outputs = dict(line.split("=", 1) for line in names["OUTPUT"].read_text().splitlines() if "=" in line)
    left = {name: file.read_text() for name, file in names.items()}
    return code, outputs, left


def main():
    action, work, event_name, event_file = map(pathlib.Path, sys.argv[1:5])
    given = dict(word.split("=", 1) for word in sys.argv[5:])
    event = json.loads(event_file.read_text())
    described = yaml.safe_load((action / "action.yml").read_text())
    context = Context({}, event)
    for name, about in described["inputs"].items():
        context.inputs[name] = given.pop(name, None) or context.text(about.get("default", ""))
    assert not given, f"no such input: {given}"
    result = {"steps": {}, "uses": []}
    failed = False
    # Something that a server outside a container does find, so that we know that it looks.
    decoy = subprocess.Popen([*AS_USER, "sleep", "600"], env={"PATH": os.environ["PATH"], "DECOY": "d3coy"})
    for step in described["runs"]["steps"]:
        condition = step.get("if", "")
        # Without a word on failure, a step needs that none failed before it.
        if failed and "cancelled()" not in condition:
            continue
        if condition and not context.value(condition):
            continue
        if "uses" in step:
            result["uses"].append({"uses": step["uses"], "with": {k: context.text(v) for k, v in step["with"].items()}})
            continue
        code, outputs, left = run_step(step, context, work, action, str(event_name), event_file, sys.stdout)
        failed = failed or code != 0
        context.steps[step["id"]] = {"outputs": outputs}
        result["steps"][step["id"]] = {"code": code, "outputs": outputs, "files": left}
    decoy.kill()
    result["failed"] = failed
    result["outputs"] = {name: context.text(about["value"]) for name, about in described["outputs"].items()}
    (work / "result.json").write_text(json.dumps(result, indent=1))


main()
