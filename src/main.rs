//! The thin binary: everything lives in the library.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    #[cfg(feature = "desktop")]
    return plimsoll::cli::main(Some(plimsoll::desktop::run));
    #[cfg(not(feature = "desktop"))]
    plimsoll::cli::main(None)
}
