//! Ranking of facts for a query.
