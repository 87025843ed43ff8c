//! Configuration to parts to running; drain on shutdown.
