//! The order in which idle blocks are evicted.

use super::cache::Cache;

fn evicted(cache: &mut Cache) -> Vec<u64> {
    let mut order = Vec::new();
    while cache.idle() > 0 {
        let before: Vec<u64> = cache.entries().keys().copied().collect();
        cache.evict();
        order.extend(before.into_iter().filter(|id| !cache.contains(*id)));
    }
    order
}

fn take_all(cache: &mut Cache, ids: &[u64]) {
    ids.iter().for_each(|id| cache.take(*id));
}

fn release_all(cache: &mut Cache, ids: &[u64]) {
    ids.iter().rev().for_each(|id| cache.release(*id));
}

#[test]
fn first_released_first_evicted_and_the_deepest_of_a_release_first() {
    let mut cache = Cache::default();
    take_all(&mut cache, &[1, 2, 3]);
    take_all(&mut cache, &[7, 8]);
    release_all(&mut cache, &[7, 8]);
    release_all(&mut cache, &[1, 2, 3]);
    assert_eq!(evicted(&mut cache), [8, 7, 3, 2, 1]);
}

#[test]
fn a_block_that_is_held_stays_and_its_last_release_counts() {
    let mut cache = Cache::default();
    take_all(&mut cache, &[1, 2, 3]);
    take_all(&mut cache, &[1, 2]);
    take_all(&mut cache, &[9]);
    release_all(&mut cache, &[1, 2, 3]);
    assert_eq!((cache.referenced(), cache.idle()), (3, 1));
    release_all(&mut cache, &[9]);
    release_all(&mut cache, &[1, 2]);
    assert_eq!(evicted(&mut cache), [3, 9, 2, 1]);
}

#[test]
fn use_renews_a_block_and_a_reference_taken_back_does_not() {
    let mut cache = Cache::default();
    for id in [1, 2, 3] {
        cache.take(id);
        cache.release(id);
    }
    cache.take(1);
    cache.release(1);
    cache.take(2);
    cache.untake(2);
    assert_eq!(evicted(&mut cache), [2, 3, 1]);
}
