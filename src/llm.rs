//! The language model over HTTP.
