//! A map from ids to small values, kept in pages of neighbouring ids.
//!
//! Ids of one text follow each other, so the chunks of a prompt are on a few pages: a prompt costs
//! one look-up for each page and one place in memory for each id. Chunks of two blocks, or four, are
//! as far apart: then ids of that distance count as neighbours. Ids that are no neighbours cost a
//! look-up and a page each, and are kept just as well.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// Ids of one page. A prompt's own text has two or three pages then, of which half is used or more.
pub(super) const PAGE: usize = 32;
const BITS: u32 = PAGE.trailing_zeros();

/// A small value; the default stands for an id that is not kept.
pub(super) trait Value: Copy + Default {
    /// Whether it is another than the default.
    fn is_kept(&self) -> bool;
}

/// Values of neighbouring ids; the default stands for an id that is not kept.
#[derive(Clone, Debug)]
struct Page<V> {
    values: [V; PAGE],
    kept: u32,
}

impl<V: Value> Default for Page<V> {
    fn default() -> Self {
        Self { values: [V::default(); PAGE], kept: 0 }
    }
}

/// The map. An empty one is the default; so is every value of an id that is not kept.
#[derive(Clone, Debug)]
pub(super) struct Pages<V> {
    pages: IndexMap<u64, Page<V>, FxBuildHasher>,
    len: usize,
    /// Places of the pages changed last: one for each of the two walks of [`Walk`].
    near: [usize; 2],
    /// Low bits of an id that neighbours have in common.
    low: u32,
}

/// Whose last page is looked at first. Ids that are used and ids that are forgotten are on
/// different pages, and each follow each other.
#[derive(Clone, Copy, Debug)]
pub(super) enum Walk {
    /// Of ids that are used.
    Used,
    /// Of ids that are forgotten.
    Forgotten,
}

impl<V> Default for Pages<V> {
    fn default() -> Self {
        Self { pages: IndexMap::default(), len: 0, near: [0; 2], low: 0 }
    }
}

impl<V: Value> Pages<V> {
    /// Ids kept.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// While nothing is kept, learns from the first ids of a prompt how far neighbours are apart.
    pub(super) fn learn_distance(&mut self, ids: &[u64]) {
        if let [first, second, ..] = ids
            && self.pages.is_empty()
        {
            // Equal ids say nothing; they would have all bits in common.
            self.low = (second.wrapping_sub(*first) | 1 << 20).trailing_zeros();
        }
    }

    /// The number of the page of an id. What neighbours have in common goes to the front, so every
    /// id has a place of its own.
    #[inline]
    fn number(&self, id: u64) -> u64 {
        id.rotate_right(self.low) >> BITS
    }

    /// The place of an id on its page.
    #[inline]
    fn place(&self, id: u64) -> usize {
        (id >> self.low) as usize % PAGE
    }

    /// How many of `most` ids from `first` on, so far apart, are on one page with it.
    pub(super) fn together(&self, first: u64, apart: u64, most: u64) -> u64 {
        let places = apart >> self.low;
        if places << self.low == apart && (1..PAGE as u64).contains(&places) {
            return most.min((PAGE - 1 - self.place(first)) as u64 / places + 1);
        }
        let number = self.number(first);
        let mut ids = (1..most).map(|i| first.wrapping_add(apart.wrapping_mul(i)));
        1 + ids.position(|id| self.number(id) != number).map_or(most - 1, |at| at as u64)
    }

    /// Cuts ids into groups that are on one page each, in their order.
    pub(super) fn groups<'a>(&self, ids: &'a [u64]) -> impl Iterator<Item = &'a [u64]> + use<'a, V> {
        let low = self.low;
        ids.chunk_by(move |a, b| a.rotate_right(low) >> BITS == b.rotate_right(low) >> BITS)
    }

    /// The value of an id.
    pub(super) fn get(&self, id: u64) -> V {
        self.reader().get(id)
    }

    /// Reads many ids, of which neighbours cost no look-up.
    pub(super) fn reader(&self) -> Reader<'_, V> {
        // No id is on that page.
        Reader { pages: self, number: u64::MAX, page: None }
    }

    /// How many ids of a group are kept.
    pub(super) fn kept_of(&self, group: &[u64]) -> usize {
        let page = group.first().and_then(|first| self.pages.get(&self.number(*first)));
        let Some(page) = page else { return 0 };
        group.iter().filter(|id| page.values[self.place(**id)].is_kept()).count()
    }

    /// Changes the values of ids that are all on the page of `first`, in their order.
    pub(super) fn change_group(
        &mut self,
        first: u64,
        ids: impl Iterator<Item = u64>,
        walk: Walk,
        mut change: impl FnMut(u64, &mut V),
    ) {
        let (at, low) = (self.page(self.number(first), walk), self.low);
        let Some((_, page)) = self.pages.get_index_mut(at) else { return };
        let before = page.kept;
        let mut kept = before;
        for id in ids {
            let value = &mut page.values[(id >> low) as usize % PAGE];
            let was = value.is_kept();
            change(id, value);
            kept = kept + u32::from(value.is_kept()) - u32::from(was);
        }
        page.kept = kept;
        self.len = self.len + kept as usize - before as usize;
        if kept == 0 {
            self.pages.swap_remove_index(at);
        }
    }

    /// Changes the values of ids in their order.
    pub(super) fn change_all(&mut self, ids: &[u64], walk: Walk, mut change: impl FnMut(u64, &mut V)) {
        for group in self.groups(ids) {
            self.change_group(group[0], group.iter().copied(), walk, &mut change);
        }
    }

    /// Sets the value of an id; what it was before.
    pub(super) fn set(&mut self, id: u64, walk: Walk, value: V) -> V {
        let mut old = V::default();
        self.change_group(id, core::iter::once(id), walk, |_, place| old = core::mem::replace(place, value));
        old
    }

    /// Where a page is, which is made if there is none.
    fn page(&mut self, number: u64, walk: Walk) -> usize {
        let near = &mut self.near[walk as usize];
        if self.pages.get_index(*near).is_none_or(|(at, _)| *at != number) {
            let entry = self.pages.entry(number);
            *near = entry.index();
            entry.or_default();
        }
        *near
    }

    /// All ids with their values, ascending. Sorts them.
    pub(super) fn sorted(&self) -> Vec<(u64, V)> {
        let mut all = Vec::with_capacity(self.len);
        for (number, page) in &self.pages {
            let ids = (0..).map(|place| (number << BITS | place).rotate_left(self.low));
            all.extend(ids.zip(page.values).filter(|(_, value)| value.is_kept()));
        }
        all.sort_unstable_by_key(|(id, _)| *id);
        all
    }
}

/// Reads ids one after the other.
pub(super) struct Reader<'a, V> {
    pages: &'a Pages<V>,
    number: u64,
    page: Option<&'a Page<V>>,
}

impl<V: Value> Reader<'_, V> {
    /// The value of an id.
    #[inline]
    pub(super) fn get(&mut self, id: u64) -> V {
        let number = self.pages.number(id);
        if number != self.number {
            (self.number, self.page) = (number, self.pages.pages.get(&number));
        }
        self.page.map_or_else(V::default, |page| page.values[self.pages.place(id)])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use tokenyard_det::Stream;

    impl Value for u64 {
        fn is_kept(&self) -> bool {
            *self > 0
        }
    }

    /// An ordered map does the same, with ids that are neighbours and ids that are not.
    fn is_a_map(distance: u64) {
        let mut stream = Stream::new(5, "test", 0);
        let (mut pages, mut plain) = (Pages::default(), BTreeMap::new());
        pages.learn_distance(&[0, distance]);
        for step in 1..60_000_u64 {
            let id = (stream.below(40) << 40) + stream.below(50);
            let old = match stream.below(9) {
                0..5 => {
                    let old = plain.insert(id, step);
                    assert_eq!(pages.set(id, Walk::Used, step), old.unwrap_or(0), "step {step}");
                    continue;
                }
                5 => {
                    let ids = [id, id + 1, id + 30];
                    ids.iter().for_each(|id| *plain.entry(*id).or_insert(0) += 1);
                    pages.change_all(&ids, Walk::Used, |_, value| *value += 1);
                    continue;
                }
                _ => plain.remove(&id),
            };
            assert_eq!(pages.set(id, Walk::Forgotten, 0), old.unwrap_or(0), "step {step}");
            assert_eq!((pages.get(id), pages.len()), (0, plain.len()), "step {step}");
            let ids = [id, id + distance, id + 2 * distance];
            let group = pages.groups(&ids).next().unwrap();
            let kept = group.iter().filter(|id| plain.contains_key(id)).count();
            assert_eq!(pages.kept_of(group), kept);
            if step % 997 == 0 {
                assert!(pages.sorted().into_iter().eq(plain.iter().map(|(k, v)| (*k, *v))), "step {step}");
                let mut reader = pages.reader();
                assert!((0..60).all(|id| reader.get(id) == plain.get(&id).copied().unwrap_or(0)));
            }
        }
        for id in plain.into_keys() {
            pages.set(id, Walk::Forgotten, 0);
        }
        assert_eq!((pages.len(), pages.pages.len()), (0, 0), "empty pages are given back");
    }

    #[test]
    fn it_is_a_map_however_far_neighbours_are_apart() {
        [0, 1, 2, 3, 4, 1 << 30].into_iter().for_each(is_a_map);
    }

    #[test]
    fn ids_so_far_apart_are_together_while_they_are_on_one_page() {
        let mut stream = Stream::new(6, "test", 0);
        for _ in 0..5_000 {
            let mut pages = Pages::<u64>::default();
            pages.learn_distance(&[0, stream.below(6)]);
            let (first, apart) = (stream.below(1 << 40), stream.below(40).wrapping_sub(3));
            let ids: Vec<u64> =
                (0..1 + stream.below(80)).map(|i| first.wrapping_add(apart.wrapping_mul(i))).collect();
            let want = pages.groups(&ids).next().unwrap().len();
            assert_eq!(pages.together(first, apart, ids.len() as u64), want as u64);
        }
    }

    #[test]
    fn groups_are_ids_of_one_page_in_their_order() {
        let mut pages = Pages::<u64>::default();
        let ids = [3, 5, 31, 32, 2, 1 << 40, (1 << 40) + 1];
        assert!(pages.groups(&ids).eq([&ids[..3], &ids[3..4], &ids[4..5], &ids[5..]]));
        assert_eq!(pages.groups(&[]).count(), 0);
        pages.learn_distance(&[3, 7]);
        let ids = [3, 7, 11, 127, 131, 6];
        assert!(pages.groups(&ids).eq([&ids[..4], &ids[4..5], &ids[5..]]), "four apart");
    }
}
