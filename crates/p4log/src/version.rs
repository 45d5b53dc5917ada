//! What p4d calls itself: release and platform.

/// Release and platform of p4d in "`P4D/LINUX26X86_64/2023.1/2468153` (2023/07/24)".
pub fn version(text: &str) -> Option<(String, String)> {
    let mut parts = text.split('/');
    parts.next()?;
    let platform = parts.next()?.to_owned();
    let release = parts.next()?;
    let mut numbers = release.split('.');
    let (year, minor) = (numbers.next()?, numbers.next()?);
    let minor: String = minor.chars().take_while(char::is_ascii_digit).take(1).collect();
    let year: u32 = year.parse().ok()?;
    // Until 2000 the years had two digits.
    let year = if (90..100).contains(&year) { year + 1900 } else { year };
    (!minor.is_empty() && (1000..10_000).contains(&year)).then(|| (format!("{year}.{minor}"), platform))
}

/// The operating system of a platform: linux, windows, ….
pub fn operating_system(platform: &str) -> Option<&'static str> {
    let systems = [("LINUX", "linux"), ("NT", "windows"), ("SOLARIS", "solaris")];
    let found = systems.into_iter().find(|(begins, _)| platform.starts_with(begins));
    found.map(|(_, system)| system)
}
