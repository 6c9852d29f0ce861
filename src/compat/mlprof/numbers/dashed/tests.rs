use super::*;

/// Lists of a graph that is made from a seed: some nodes are drawn, some hidden, and
/// some hidden copies share a list.
fn lists(seed: u32, n_lists: u32) -> Lists {
    let mut state = seed;
    let mut below = |n: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % n
    };
    let n_drawn = n_lists / 3 + 1;
    let (mut callees, mut ends) = (Vec::new(), Vec::new());
    for _ in 0..n_lists {
        for _ in 0..below(4) {
            callees.push(match below(3) {
                0 => DashedCallee::Drawn(below(n_drawn)),
                _ => {
                    let copy = below(2 * n_lists);
                    DashedCallee::Hidden(ContextId(copy), CalleeListId(copy / 2))
                }
            });
        }
        ends.push(callees.len());
    }
    Lists { callees, ends, n_copies: 2 * n_lists as usize, n_drawn: n_drawn as usize }
}

#[test]
fn both_ways_find_the_same_edges() {
    for seed in 0..200 {
        let lists = lists(seed, seed % 100 + 1);
        let sources: Vec<_> = ids(lists.len()).collect();
        let mut searched = search(&lists, &sources);
        for found in &mut searched {
            found.sort_unstable();
        }
        let n_found = searched.iter().map(|found| found.len()).sum();
        let closed = closure::closure(&lists, &sources, n_found);
        assert_eq!(closed, Some(searched), "seed {seed}");
        if let Some(limit) = n_found.checked_sub(1) {
            assert_eq!(closure::closure(&lists, &sources, limit), None, "seed {seed}");
        }
    }
}

#[test]
fn a_search_finds_in_the_order_of_lists() {
    use DashedCallee::{Drawn, Hidden};
    let hidden = |list| Hidden(ContextId(list), CalleeListId(list));
    // 0: hidden 1, hidden 2; 1: hidden 2, drawn 0; 2: drawn 1, hidden 0.
    let lists = Lists {
        callees: vec![hidden(1), hidden(2), hidden(2), Drawn(0), Drawn(1), hidden(0)],
        ends: vec![2, 4, 6],
        n_copies: 3,
        n_drawn: 2,
    };
    let found = search(&lists, &[CalleeListId(0), CalleeListId(2)]);
    assert_eq!(found, [[1, 0].into(), [1, 0].into()] as [Box<[u32]>; 2]);
}
