#!/usr/bin/env -S python3 -B
"""The workflow that tests a fork's pushes says what it means: its keys are those of the format, it calls .ci/run with the toolchain that
Package.swift asks for, and nothing in it may write."""
import json
import re
import subprocess
import sys

sys.path[1:1] = [sys.path[0] + "/../lib"]

from scenario import ROOT, check, finish, skip

try:
    import yaml
except ImportError:
    skip("python3-yaml is missing")

FILE = ROOT / ".github/workflows/ci.yml"
#: Of the whole, a job, its container and a step: what GitHub's page "Workflow syntax" has and is used here.
KEYS = {"name", True, "permissions", "concurrency", "jobs"}  # "on" is true to YAML 1.1
JOB, CONTAINER, STEP = {"runs-on", "timeout-minutes", "container", "steps"}, {"image", "options"}, {"run", "uses", "with"}

workflow = yaml.safe_load(FILE.read_text())
jobs = workflow["jobs"].values()
steps = [step for job in jobs for step in job["steps"]]
check("each key is one of the format", set(workflow) == KEYS and all(
    set(job) <= JOB and set(job["container"]) <= CONTAINER and all(set(step) <= STEP for step in job["steps"]) for job in jobs), workflow)
check("it runs for pushes and pull requests", set(workflow[True]) == {"push", "pull_request"}, workflow[True])
check("it may read, and nothing else", workflow["permissions"] == {"contents": "read"}
      and all(step["with"] == {"persist-credentials": False} for step in steps if "checkout" in step.get("uses", "")), steps)
check("other people's steps have a version", all(re.fullmatch(r"actions/[a-z]+@v\d+", step["uses"]) for step in steps if "uses" in step), steps)
check("a job ends", all(0 < job["timeout-minutes"] <= 120 for job in jobs), jobs)
check("it calls .ci/run, which is there", [step.get("run") for step in steps][-1] == ".ci/run" and (ROOT / ".ci/run").stat().st_mode & 0o111)
tools = re.match(r"// swift-tools-version: (\d+\.\d+)\n", (ROOT / "Package.swift").read_text()).group(1)
check("its image has the toolchain of Package.swift on Debian 12", all(
    re.fullmatch(rf"swift:{re.escape(tools)}\.\d+-bookworm", job["container"]["image"]) for job in jobs), tools)
container = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text())
check("a dev container has the same image", {container["image"]} == {job["container"]["image"] for job in jobs}, container)
planned = subprocess.run(["apt-get", "--simulate", *re.search("apt-get (build-dep .*)", container["onCreateCommand"])[1].split()], cwd=ROOT,
                         capture_output=True, text=True)
check("a dev container installs what the packages are built with", planned.returncode == 0, planned.stderr)
finish()
