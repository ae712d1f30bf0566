//! A 64-bit digest of a run, fed with integers and the bits of doubles.

/// FNV-1a over bytes, 64 bits. Order matters; there is no separator, so feed lengths.
///
/// Chosen because it is ten lines, has no tables and is the same everywhere. It guards against
/// accidents, not against adversaries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Digest {
    /// Feeds raw bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }

    /// Feeds an unsigned integer, little end first.
    pub fn u64(&mut self, value: u64) {
        self.bytes(&value.to_le_bytes());
    }

    /// Feeds a 32-bit integer, widened.
    pub fn u32(&mut self, value: u32) {
        self.u64(u64::from(value));
    }

    /// Feeds the bits of a double; every NaN counts as one value, because engines may differ
    /// in the bits of a NaN.
    pub fn f64(&mut self, value: f64) {
        self.u64(if value.is_nan() { 0x7FF8_0000_0000_0000 } else { value.to_bits() });
    }

    /// Feeds the length of a slice and then its members.
    pub fn u32s(&mut self, values: &[u32]) {
        self.u64(values.len() as u64);
        values.iter().for_each(|&v| self.u32(v));
    }

    /// The digest of all that was fed.
    #[must_use]
    pub fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_the_reference_value_of_fnv_1a() {
        let mut d = Digest::default();
        d.bytes(b"foobar");
        assert_eq!(d.finish(), 0x8594_4171_F739_67E8);
    }

    #[test]
    fn order_and_length_count() {
        let digest = |parts: &[&[u32]]| {
            let mut d = Digest::default();
            parts.iter().for_each(|p| d.u32s(p));
            d.finish()
        };
        assert_ne!(digest(&[&[1, 2]]), digest(&[&[2, 1]]));
        assert_ne!(digest(&[&[1], &[2]]), digest(&[&[1, 2]]));
    }
}
