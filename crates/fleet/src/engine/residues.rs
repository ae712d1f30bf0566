//! Decoders by the remainder of (KV length − decode iterations) by the block size, which says in
//! which iterations each of them needs a block.

/// Classes that are changed at once, without a branch.
const LANES: usize = 16;

/// Nothing for as many classes as are changed at once and one more, then one for each.
const RAMP: [u32; 2 * LANES + 1] = {
    let mut ramp = [0; 2 * LANES + 1];
    let mut at = LANES + 1;
    while at < ramp.len() {
        ramp[at] = 1;
        at += 1;
    }
    ramp
};

/// How many decoders are of each class, as running sums: they are read at every boundary and at
/// every look, and change only when a decoder joins or leaves.
#[derive(Clone, Debug)]
pub(crate) struct Residues {
    /// Decoders of the classes before each.
    before: Vec<[u32; LANES]>,
    classes: usize,
    /// Decoders of all classes.
    all: u32,
}

/// One for each of the lanes behind `last`.
fn behind(last: i32) -> &'static [u32; LANES] {
    let from = (LANES as i32 - last).clamp(0, LANES as i32 + 1) as usize;
    RAMP[from..].first_chunk().unwrap_or(&[0; LANES])
}

impl Residues {
    /// Nobody, in classes for blocks of so many tokens.
    pub(crate) fn new(block: u32) -> Self {
        let classes = block as usize;
        Self { before: vec![[0; LANES]; classes.div_ceil(LANES)], classes, all: 0 }
    }

    /// Whole rounds through all classes in so many iterations, and what is left of them.
    #[inline]
    pub(crate) fn rounds(&self, count: u64) -> (u64, usize) {
        let classes = self.classes as u64;
        // Nearly every block is a power of two.
        if classes.is_power_of_two() {
            return (count >> classes.trailing_zeros(), (count & (classes - 1)) as usize);
        }
        (count / classes, (count % classes) as usize)
    }

    /// A decoder joins.
    pub(crate) fn add(&mut self, class: usize) {
        let mut last = class as i32;
        for lanes in &mut self.before {
            lanes.iter_mut().zip(behind(last)).for_each(|(sum, one)| *sum += one);
            last -= LANES as i32;
        }
        self.all += 1;
    }

    /// A decoder leaves.
    pub(crate) fn remove(&mut self, class: usize) {
        let mut last = class as i32;
        for lanes in &mut self.before {
            lanes.iter_mut().zip(behind(last)).for_each(|(sum, one)| *sum -= one);
            last -= LANES as i32;
        }
        self.all -= 1;
    }

    fn before(&self, class: usize) -> u32 {
        self.before.as_flattened()[class]
    }

    /// Decoders of a class.
    pub(crate) fn of(&self, class: usize) -> u32 {
        let after = if class + 1 < self.classes { self.before(class + 1) } else { self.all };
        after - self.before(class)
    }

    /// Decoders of the `count` classes before `class`, the last one before the first; `count` is
    /// less than their number.
    pub(crate) fn below(&self, class: usize, count: usize) -> u32 {
        let to = self.before(class);
        match class.checked_sub(count) {
            Some(from) => to - self.before(from),
            None => to + self.all - self.before(self.classes + class - count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokenyard_det::Stream;

    #[test]
    fn sums_are_those_of_a_list_of_counts() {
        let mut dice = Stream::new(1, "test", 0);
        for block in [1, 2, 7, 16, 40] {
            let (mut residues, mut plain) = (Residues::new(block), vec![0_u32; block as usize]);
            for _ in 0..400 {
                let class = dice.below(u64::from(block)) as usize;
                if plain[class] > 0 && dice.below(3) == 0 {
                    residues.remove(class);
                    plain[class] -= 1;
                } else {
                    residues.add(class);
                    plain[class] += 1;
                }
                let (class, count) = (dice.below(u64::from(block)) as usize, dice.below(u64::from(block)));
                assert_eq!(residues.of(class), plain[class]);
                let classes = (1..=count as usize).map(|i| (class + plain.len() - i) % plain.len());
                assert_eq!(residues.below(class, count as usize), classes.map(|i| plain[i]).sum::<u32>());
            }
        }
    }
}
