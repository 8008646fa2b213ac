"""Rules of the Marketplace and of our own that no linter knows."""

import pathlib
import re
import sys

import yaml

faults = []


def want(condition, fault):
    if not condition:
        faults.append(fault)


def load(path):
    return yaml.safe_load(pathlib.Path(path).read_text(encoding="utf-8"))


action, publish = load("action.yml"), load("publish/action.yml")
want(len(action["description"]) < 125, "action.yml: the Marketplace wants a description under 125 characters")
want({"icon", "color"} <= set(action.get("branding", {})), "action.yml: the Marketplace wants an icon and a colour")

for path, about in [("action.yml", action), ("publish/action.yml", publish)]:
    used = re.findall(r"inputs\.([\w-]+)", pathlib.Path(path).read_text(encoding="utf-8"))
    want(set(used) == set(about["inputs"]), f"{path}: inputs that nothing reads: {set(about['inputs']) ^ set(used)}")
    for step in about["runs"]["steps"]:
        want("${{" not in step.get("run", ""), f"{path}: an expression inside of run: {step.get('run')}")
        values = " ".join(map(str, step.get("env", {}).values()))
        want(step.get("id") != "check" or "token" not in values, f"{path}: the step that starts servers has a token")

version = re.search(r'^version = "(.*)"', pathlib.Path("Cargo.toml").read_text(encoding="utf-8"), re.MULTILINE)[1]
for path in ["Dockerfile", "action/image", ".pre-commit-hooks.yaml", "examples/gitlab-ci.yml", "examples/pre-commit-config.yaml"]:
    text = pathlib.Path(path).read_text(encoding="utf-8")
    want(version in text or "@sha256:" in text, f"{path}: does not name version {version}")

readme = pathlib.Path("README.md").read_text(encoding="utf-8")
for name in [*action["inputs"], *action["outputs"]]:
    want(f"`{name}`" in readme, f"README.md: says nothing of `{name}`")

print(*faults, sep="\n", file=sys.stderr)
sys.exit(bool(faults))
