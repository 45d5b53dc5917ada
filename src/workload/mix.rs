//! Which commands people and machines send: the mix, from `models/mix.toml`.
