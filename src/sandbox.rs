//! Children that run code: scripts in one, skills in others, all without authority.
