//! The lessons that ship.

/// Their files, in the order in which they are listed.
pub const FILES: &[&str] = &[
    include_str!("../../../lessons/tour.toml"),
    include_str!("../../../lessons/locality.toml"),
    include_str!("../../../lessons/defend.toml"),
];

/// The file of an identifier. Cost: reads a line or two of each.
#[must_use]
pub fn file(id: &str) -> Option<&'static str> {
    let named = format!("id = \"{id}\"");
    FILES.iter().copied().find(|file| file.lines().take(3).any(|line| line == named))
}
