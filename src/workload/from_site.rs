//! The load that a site's answers imply.
