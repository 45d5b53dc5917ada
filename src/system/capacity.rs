//! How large each volume has to be.
