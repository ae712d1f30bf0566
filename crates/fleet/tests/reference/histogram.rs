//! The buckets in which an engine in closed form keeps its gaps: values below 256 one by one, then
//! 128 buckets to each doubling. Found here by halving, with no regard to speed.

use tokenyard_fleet::time::Ps;

/// The bucket of a value.
pub(crate) fn bucket(value: Ps) -> u64 {
    let (mut high, mut halvings) = (value, 0);
    while high >= 256 {
        high /= 2;
        halvings += 1;
    }
    128 * halvings + high
}

/// The smallest value of a bucket. Buckets end at that of the largest time.
pub(crate) fn smallest(bucket: u64) -> Ps {
    let halvings = (bucket / 128).saturating_sub(1);
    (bucket - 128 * halvings) << halvings
}

/// Counts by bucket, in order of the buckets.
pub(crate) fn in_buckets(gaps: &[(Ps, u64)]) -> Vec<(u64, u64)> {
    let mut buckets: Vec<(u64, u64)> = Vec::new();
    for &(gap, times) in gaps {
        match buckets.last_mut() {
            Some((last, count)) if *last == bucket(gap) => *count += times,
            _ => buckets.push((bucket(gap), times)),
        }
    }
    buckets
}

/// The formula that the design names, for the values where it is easy to go wrong.
#[test]
fn halving_is_the_formula_of_leading_zeros() {
    let formula = |value: u64| {
        let e = 63 - u64::from(value.leading_zeros());
        ((e - 6) << 7) | ((value >> (e - 7)) & 127)
    };
    let edges = (7..64).flat_map(|e| [1_u64 << e, (1 << e) + 1, (1 << e) - 1 + (1 << e)]);
    for value in edges.chain(128..5_000).chain([u64::MAX, 123_456_789_012]) {
        assert_eq!(bucket(value), formula(value), "{value}");
        let least = smallest(bucket(value));
        assert!(least <= value && value - least <= least / 128, "{value} is not near {least}");
        assert!(bucket(least) == bucket(value) && bucket(least - 1) < bucket(value), "{value}");
    }
    assert!((0..128).all(|value| bucket(value) == value && smallest(value) == value));
    assert_eq!(in_buckets(&[(3, 1), (256, 2), (257, 5), (258, 1)]), [(3, 1), (256, 7), (257, 1)]);
}
