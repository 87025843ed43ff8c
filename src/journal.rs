//! The journal: every answer from outside, in one global order, as versioned JSON lines.
