//! Skill calls: permission, then act, change or answer.
