pub fn tools() -> Vec<Tool> {
    vec![
        Tool::new("«read»read", "Reads a file", schema_for!(ReadArgs)),
        Tool {
            name: "«write»write".into(),
            description: Some(Cow::Borrowed(r#"Writes "path""#)),
            input_schema: Arc::new(object(json!({"properties": {"«write.path»path": {"type": "string"}}}))),
        },
        Tool { name: Cow::Borrowed("«append»append"), ..Tool::default() },
    ]
}

struct ReadArgs {
    «read.path»path: String,
}

#[mcp_tool(name = "«list_files»list_files", title = "List")]
#[derive(Debug)]
pub struct ListFiles {
    pub «list_files.folder»folder: String,
}
