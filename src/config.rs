//! Configuration: as written, then resolved. It refuses what it does not know.
