src/main.rs
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SumRequest<'a> {
    /// The left one
    a: i32,
    right_side: &'a i32,
}

#[tool_router]
impl Calculator {
    #[tool(description = "Adds a and b")]
    async fn sum(&self, Parameters(SumRequest { a, right_side }): Parameters<SumRequest<'_>>) -> String {
        (a + right_side).to_string()
    }

    /// Takes away
    #[tool(
        name = "subtract-numbers",
        description = "Takes away"
    )]
    fn subtract(&self, #[tool(param)] left: i32) -> String {
        format!("{{{left}")
    }
}
