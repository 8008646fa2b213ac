//! Outputs that cannot be written, and readers that went away.
