PREFIX = "github_"


@tool(prefix=PREFIX)
def «github_create_issue»create_issue(«github_create_issue.title»title: str):
    return title
