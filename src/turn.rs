//! The turn: one wake's loop of ask, run and observe, without IO.
