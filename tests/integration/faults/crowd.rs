//! Many servers at once, some of them hostile, and few descriptors for them.
