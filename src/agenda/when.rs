//! Times as a script writes them: "in 20 minutes", RFC 3339, or a civil time in the room's zone.
