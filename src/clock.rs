//! Real and virtual time, and seeded chance: the only place that reads either.
