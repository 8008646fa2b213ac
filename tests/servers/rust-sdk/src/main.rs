//! A server on the official SDK for Rust: `rust-sdk stdio|http`. Over HTTP it listens on $PORT.

use std::sync::Arc;

use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::model::{Implementation, ServerCapabilities, ServerConfig};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ServerHandler, ServiceExt, tool, tool_handler, tool_router};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// What a parcel is found by.
#[derive(Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Code {
    /// The code printed on the label, ten letters.
    code: String,
}

/// Depots that are open.
#[derive(Serialize, JsonSchema)]
struct Depots {
    /// Names of the depots.
    depots: Vec<String>,
}

#[derive(Clone)]
struct Parcels;

#[tool_router]
impl Parcels {
    /// Shows where a parcel is and when it will arrive.
    #[tool(annotations(
        read_only_hint = true,
        destructive_hint = false,
        idempotent_hint = true,
        open_world_hint = false
    ))]
    fn track_parcel(&self, Parameters(Code { code }): Parameters<Code>) -> String {
        format!("{code} is on its way")
    }

    /// Lists the names of all depots that take parcels today.
    #[tool(annotations(
        read_only_hint = true,
        destructive_hint = false,
        idempotent_hint = true,
        open_world_hint = false
    ))]
    fn list_depots(&self) -> Json<Depots> {
        Json(Depots { depots: vec!["Harbour".to_owned(), "Station".to_owned()] })
    }
}

#[tool_handler]
impl ServerHandler for Parcels {
    fn get_info(&self) -> ServerConfig {
        let tools = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(tools).with_server_info(Implementation::new("parcels", "1.4.0"))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome {
    match std::env::args().nth(1).as_deref() {
        Some("http") => serve_http().await,
        _ => {
            Parcels.serve(rmcp::transport::stdio()).await?.waiting().await?;
            Ok(())
        }
    }
}

async fn serve_http() -> Outcome {
    let service = StreamableHttpService::new(
        || Ok(Parcels),
        Arc::new(LocalSessionManager::default()),
        StreamableHttpServerConfig::default(),
    );
    let port: u16 = std::env::var("PORT")?.parse()?;
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    eprintln!("listening");
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await?;
    Ok(())
}
