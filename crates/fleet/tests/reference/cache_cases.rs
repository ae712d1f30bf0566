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

/// Section 9.2, "Time 7" of vLLM's documents, with its numbers of blocks: 7, 8, 9 and 4 hold nothing;
/// of two requests that shared 0 and 1, the one with 2 and 3 ended before the one with 5 and 6. A
/// third one hits 0, 1, 2 and needs five more: the four without content, and 3.
#[test]
fn section_9_2_case_1_hits_leave_the_list_before_blocks_are_taken() {
    let mut cache = Cache::default();
    take_all(&mut cache, &[0, 1, 2, 3]);
    take_all(&mut cache, &[0, 1, 5, 6]);
    release_all(&mut cache, &[0, 1, 2, 3]);
    release_all(&mut cache, &[0, 1, 5, 6]);
    assert_eq!(evicted(&mut cache.clone()), [3, 2, 6, 5, 1, 0]);
    let (blocks, needed) = (10, 5);
    take_all(&mut cache, &[0, 1, 2]);
    // Block 4 was never full and has no content.
    let free = blocks - cache.idle() - cache.referenced();
    assert_eq!(free, 4);
    (free..needed).for_each(|_| cache.evict());
    assert!(!cache.contains(3));
    assert_eq!(evicted(&mut cache), [6, 5], "nobody else lost anything");
}
