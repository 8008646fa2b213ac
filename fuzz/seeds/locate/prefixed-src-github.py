src/github.py
PREFIX = "github_"


@tool(prefix=PREFIX)
def create_issue(title: str):
    return title
