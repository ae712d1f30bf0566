//! Who has the smallest count: replicas by their counts, of a column that changes a cell at a time.

use crate::view::ReplicaIx;

/// Counts that have a row; who has more is on none.
const ROWS: usize = 4_096;

/// Replicas of one word of a row.
const WORD: usize = u64::BITS as usize;

/// A row of bits for each count, with a bit for each replica that has it. A change costs two words,
/// and finding one of the smallest a walk over the words of one row. Takes a bit for each replica
/// and each count up to the largest, `ROWS` at most.
#[derive(Clone, Debug)]
pub struct Fewest {
    counts: Vec<u32>,
    rows: Vec<u64>,
    /// Bits in each row.
    sizes: Vec<u32>,
    /// Words of a row.
    words: usize,
    /// The first row with a bit; their number if there is none.
    least: usize,
}

impl Fewest {
    /// The index of a column.
    #[must_use]
    pub fn new(column: &[u32]) -> Self {
        let words = column.len().div_ceil(WORD);
        let (rows, sizes) = (Vec::new(), Vec::new());
        let mut index = Self { counts: column.to_vec(), rows, sizes, words, least: 0 };
        index.fill(column);
        index
    }

    /// Takes over a whole column, as long as the one before.
    pub fn fill(&mut self, column: &[u32]) {
        self.rows.fill(0);
        self.sizes.fill(0);
        self.counts.copy_from_slice(column);
        for (at, count) in column.iter().enumerate() {
            self.enter(at, *count as usize);
        }
        self.least = 0;
        self.rise();
    }

    /// Sets one replica's count.
    pub fn set(&mut self, replica: ReplicaIx, count: u32) {
        let at = usize::from(replica);
        let old = std::mem::replace(&mut self.counts[at], count) as usize;
        if old < ROWS {
            self.rows[old * self.words + at / WORD] &= !(1 << (at % WORD));
            self.sizes[old] -= 1;
        }
        let count = count as usize;
        self.enter(at, count);
        self.least = self.least.min(count);
        self.rise();
    }

    /// Writes a replica into the row of its count.
    fn enter(&mut self, at: usize, count: usize) {
        if count >= ROWS {
            return;
        }
        if self.sizes.len() <= count {
            self.sizes.resize(count + 1, 0);
            self.rows.resize((count + 1) * self.words, 0);
        }
        self.rows[count * self.words + at / WORD] |= 1 << (at % WORD);
        self.sizes[count] += 1;
    }

    /// Looks for the first row with a bit, from the present one on.
    fn rise(&mut self) {
        while self.sizes.get(self.least) == Some(&0) {
            self.least += 1;
        }
    }

    /// Number of replicas.
    #[must_use]
    pub fn replicas(&self) -> usize {
        self.counts.len()
    }

    /// How many have the smallest count; 0 without replicas, and where all have too many.
    #[must_use]
    pub fn tied(&self) -> u32 {
        self.sizes.get(self.least).copied().unwrap_or(0)
    }

    /// The one with the smallest count that so many of the smallest stand before, by number; `None`
    /// if there is none.
    #[must_use]
    pub fn nth(&self, mut before: u32) -> Option<usize> {
        let row = self.rows.get(self.least * self.words..(self.least + 1) * self.words)?;
        for (at, word) in row.iter().enumerate() {
            let mut bits = *word;
            if before > 0 && bits.count_ones() <= before {
                before -= bits.count_ones();
                continue;
            }
            while before > 0 {
                bits &= bits - 1;
                before -= 1;
            }
            if bits != 0 {
                return Some(at * WORD + bits.trailing_zeros() as usize);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokenyard_det::Stream;

    #[test]
    fn it_finds_whom_a_walk_finds() {
        let mut dice = Stream::new(1, "test", 0);
        for replicas in [1, 2, 3, 8, 64, 100, 300] {
            let mut column = vec![0; replicas];
            let mut index = Fewest::new(&column);
            for step in 0..2_000 {
                let at = dice.below(replicas as u64) as usize;
                column[at] = dice.below(5) as u32 + if dice.below(20) == 0 { ROWS as u32 - 3 } else { 0 };
                index.set(at as ReplicaIx, column[at]);
                if step % 100 == 0 {
                    let from = if step % 200 == 0 { 0 } else { ROWS as u32 - 1 };
                    column.iter_mut().for_each(|count| *count = from + dice.below(3) as u32);
                    index.fill(&column);
                }
                let least = column.iter().min().copied().filter(|least| *least < ROWS as u32);
                let smallest = (0..replicas).filter(|at| Some(column[*at]) == least);
                let found: Vec<usize> = (0..index.tied()).filter_map(|before| index.nth(before)).collect();
                assert_eq!(found, smallest.collect::<Vec<_>>());
                assert_eq!(index.nth(index.tied()), None);
            }
        }
        assert_eq!((Fewest::new(&[]).tied(), Fewest::new(&[]).nth(0)), (0, None));
    }
}
