//! mpatrol's allocation profiles and traces.

use super::random::Random;

/// An allocation profile of that many call sites of 4000 functions: a tree about twenty
/// deep, whose leaves allocated, sorted by address as the library writes it.
pub(super) fn profile(n_sites: usize) -> Vec<u8> {
    const N_FUNCTIONS: u64 = 4000;
    const SIZE: u64 = 512;
    const BASE: u64 = 0x40_1000;
    let mut random = Random::new(1);
    let n_sites = n_sites as u64;
    let mut words = vec![1, 10501, 32, 256, 2048, 0];
    let n_leaves = n_sites / 15;
    words.push(n_leaves);
    for leaf in 1..=n_leaves {
        words.push(leaf);
        let counts = [(); 4].map(|()| random.small(1000));
        let freed = counts.map(|count| random.below(count + 1));
        let sizes = [16, 100, 1000, 5000];
        let bytes = |counts: [u64; 4]| counts.into_iter().zip(sizes).map(|(n, size)| n * size);
        words.extend(counts.into_iter().chain(bytes(counts)));
        words.extend(freed.into_iter().chain(bytes(freed)));
    }
    // Name and place by number; a caller has a lower number than its callees.
    let mut sites: Vec<(u64, u64)> = (1..=n_sites)
        .map(|number| {
            let address = BASE + random.below(N_FUNCTIONS) * SIZE + 5 + 7 * random.below(8);
            (address, number)
        })
        .collect();
    sites.sort_unstable();
    words.push(n_sites);
    for (address, number) in sites {
        let symbol = (address - BASE) / SIZE + 1;
        let caller = match number {
            1 => 0,
            _ => number - 1 - random.small(number - 1).min(number - 1) / 2,
        };
        let data = if number <= n_leaves { n_leaves + 1 - number } else { 0 };
        words.extend([
            number,
            caller.min(number - 1),
            address,
            symbol,
            1 + (symbol - 1) * 15,
            data,
        ]);
    }
    words.push(N_FUNCTIONS);
    words.extend((0..N_FUNCTIONS).map(|function| BASE + function * SIZE));
    let mut names = vec![0];
    for function in 0..N_FUNCTIONS {
        names.extend(format!("function_{function:05}\0").bytes());
    }
    words.push(names.len() as u64);
    let mut bytes = b"MPTL".to_vec();
    words.into_iter().for_each(|word| bytes.extend(word.to_ne_bytes()));
    bytes.extend(names);
    bytes.extend(b"MPTL");
    bytes
}

/// A trace of that many events, with about 20,000 blocks at a time, each allocated in a
/// line of one of 30 functions.
pub(super) fn trace(n_events: usize) -> Vec<u8> {
    let mut random = Random::new(1);
    let mut bytes = b"MTRC".to_vec();
    bytes.extend(1u64.to_ne_bytes());
    bytes.extend(10501u64.to_ne_bytes());
    let mut live: Vec<(u64, u64)> = Vec::new();
    let (mut number, mut end) = (0, 0x5555_5556_0000);
    let mut said = [false; 30];
    for _ in 0..n_events {
        let site = random.below(30);
        if live.is_empty() || random.below(40_000) > live.len() as u64 {
            number += 1;
            let size = 8 + random.small(500);
            bytes.push(b'A');
            for value in [number, end, size] {
                push_leb(&mut bytes, value);
            }
            live.push((number, size));
            end += (size + 15) & !15;
        } else {
            let young = live.len() as u64 - 1 - random.small(live.len() as u64);
            let index = usize::try_from(young).expect("it is an index");
            bytes.push(b'F');
            push_leb(&mut bytes, live.swap_remove(index).0);
        }
        bytes.push(0);
        // A name is written once, and then only its number among the latest 32.
        let place = u8::try_from(site).expect("there are 30") + 1;
        let is_said = &mut said[usize::from(place) - 1];
        for what in ["function", "source"] {
            if *is_said {
                bytes.push(place);
            } else {
                bytes.push(place | 0x80);
                bytes.extend(format!("{what}_{site:03}\0").bytes());
            }
        }
        *is_said = true;
        push_leb(&mut bytes, 5 + random.below(3000));
    }
    bytes.extend(b"MTRC");
    bytes
}

pub(super) fn push_leb(bytes: &mut Vec<u8>, value: u64) {
    let mut rest = value;
    while rest > 127 {
        bytes.push(rest.to_le_bytes()[0] | 0x80);
        rest >>= 7;
    }
    bytes.push(rest.to_le_bytes()[0]);
}
