src/tools.rs
pub fn tools() -> Vec<Tool> {
    vec![
        Tool::new("read", "Reads a file", schema_for!(ReadArgs)),
        Tool {
            name: "write".into(),
            description: Some(Cow::Borrowed(r#"Writes "path""#)),
            input_schema: Arc::new(object(json!({"properties": {"path": {"type": "string"}}}))),
        },
        Tool { name: Cow::Borrowed("append"), ..Tool::default() },
    ]
}

struct ReadArgs {
    path: String,
}

#[mcp_tool(name = "list_files", title = "List")]
#[derive(Debug)]
pub struct ListFiles {
    pub folder: String,
}
