//! The HTTP client: one TLS stack, with the roots of the system and the proxies of the environment.

/// A client to be set up further. TLS is rustls with ring, chosen here once, since rustls takes none by itself.
pub(crate) fn builder() -> reqwest::ClientBuilder {
    // It is only refused where it was chosen before.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().user_agent(concat!("mcp-lint/", env!("CARGO_PKG_VERSION")))
}
