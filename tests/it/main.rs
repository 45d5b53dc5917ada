//! One binary for all integration tests: it links once.
mod site;
mod site_broken;
mod site_fields;
mod site_hostile;
