//! A map from ids to small values, kept in pages of neighbouring ids.
//!
//! Ids of one text follow each other, so the chunks of a prompt are on a few pages: a prompt costs
//! one look-up for each page and one place in memory for each id. Ids that do not follow each other
//! cost a look-up and a page each, and are kept just as well.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// Ids of one page. A prompt's own text has one or two pages then, and a page is mostly full.
pub(super) const PAGE: usize = 64;
const BITS: u32 = PAGE.trailing_zeros();

/// Values of neighbouring ids; the default stands for an id that is not kept.
#[derive(Clone, Debug)]
struct Page<V> {
    values: [V; PAGE],
    kept: u32,
}

impl<V: Copy + Default> Default for Page<V> {
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
        Self { pages: IndexMap::default(), len: 0, near: [0; 2] }
    }
}

impl<V: Copy + Default + PartialEq> Pages<V> {
    /// Ids kept.
    pub(super) fn len(&self) -> usize {
        self.len
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
        let Some(page) = group.first().and_then(|first| self.pages.get(&(first >> BITS))) else { return 0 };
        group.iter().filter(|id| page.values[**id as usize % PAGE] != V::default()).count()
    }

    /// Changes the values of ids that are all on the page of the first, in their order.
    pub(super) fn change_group(
        &mut self,
        group: impl IntoIterator<Item = u64>,
        walk: Walk,
        mut change: impl FnMut(u64, &mut V),
    ) {
        let mut ids = group.into_iter().peekable();
        let Some(first) = ids.peek() else { return };
        let at = self.place(first >> BITS, walk);
        let Some((_, page)) = self.pages.get_index_mut(at) else { return };
        let before = page.kept;
        let mut kept = before;
        for id in ids {
            let value = &mut page.values[id as usize % PAGE];
            let was = *value != V::default();
            change(id, value);
            kept = kept + u32::from(*value != V::default()) - u32::from(was);
        }
        page.kept = kept;
        self.len = self.len + kept as usize - before as usize;
        if kept == 0 {
            self.pages.swap_remove_index(at);
        }
    }

    /// Sets the value of an id; what it was before.
    pub(super) fn set(&mut self, id: u64, walk: Walk, value: V) -> V {
        let mut old = V::default();
        self.change_group([id], walk, |_, place| old = core::mem::replace(place, value));
        old
    }

    /// The place of a page, which is made if there is none.
    fn place(&mut self, number: u64, walk: Walk) -> usize {
        let near = &mut self.near[walk as usize];
        if self.pages.get_index(*near).is_none_or(|(at, _)| *at != number) {
            let entry = self.pages.entry(number);
            *near = entry.index();
            entry.or_default();
        }
        *near
    }

    /// All ids with their values, ascending. Sorts the pages.
    pub(super) fn sorted(&self) -> Vec<(u64, V)> {
        let mut pages: Vec<(&u64, &Page<V>)> = self.pages.iter().collect();
        pages.sort_unstable_by_key(|(number, _)| **number);
        let all = pages.into_iter().flat_map(|(number, page)| {
            (0..).zip(page.values).map(move |(place, value)| (number << BITS | place, value))
        });
        all.filter(|(_, value)| *value != V::default()).collect()
    }
}

/// Cuts ids into groups that are on one page each, in their order.
pub(super) fn groups(ids: &[u64]) -> impl Iterator<Item = &[u64]> {
    ids.chunk_by(|a, b| neighbours(*a, *b))
}

/// Whether two ids are on one page.
pub(super) fn neighbours(a: u64, b: u64) -> bool {
    a >> BITS == b >> BITS
}

/// Reads ids one after the other.
pub(super) struct Reader<'a, V> {
    pages: &'a Pages<V>,
    number: u64,
    page: Option<&'a Page<V>>,
}

impl<V: Copy + Default> Reader<'_, V> {
    /// The value of an id.
    #[inline]
    pub(super) fn get(&mut self, id: u64) -> V {
        let number = id >> BITS;
        if number != self.number {
            (self.number, self.page) = (number, self.pages.pages.get(&number));
        }
        self.page.map_or_else(V::default, |page| page.values[id as usize % PAGE])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use tokenyard_det::Stream;

    /// An ordered map does the same, with ids that are neighbours and ids that are not.
    #[test]
    fn it_is_a_map() {
        let mut stream = Stream::new(5, "test", 0);
        let (mut pages, mut plain) = (Pages::default(), BTreeMap::new());
        for step in 1..60_000_u64 {
            let id = (stream.below(40) << 40) + stream.below(50);
            let old = match stream.below(9) {
                0..5 => {
                    let old = plain.insert(id, step);
                    assert_eq!(pages.set(id, Walk::Used, step), old.unwrap_or(0), "step {step}");
                    continue;
                }
                5 => {
                    let value = plain.entry(id).or_insert(0);
                    *value += 1;
                    pages.change_group([id], Walk::Used, |_, v| *v += 1);
                    continue;
                }
                _ => plain.remove(&id),
            };
            assert_eq!(pages.set(id, Walk::Forgotten, 0), old.unwrap_or(0), "step {step}");
            assert_eq!((pages.get(id), pages.len()), (0, plain.len()), "step {step}");
            let ids = [id, id + 1, id + 2];
            let group = groups(&ids).next().unwrap();
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
    fn groups_are_ids_of_one_page_in_their_order() {
        let ids = [3, 5, 63, 64, 2, 1 << 40, (1 << 40) + 1];
        assert!(groups(&ids).eq([&ids[..3], &ids[3..4], &ids[4..5], &ids[5..]]));
        assert_eq!(groups(&[]).count(), 0);
    }
}
