//! Memory: people, facts, the ways they change, and recall over what a reader may see.

pub mod person;
pub mod fact;
pub mod change;
pub mod recall;
