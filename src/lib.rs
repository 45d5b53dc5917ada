//! Plimsoll: the load line for Perforce servers.
