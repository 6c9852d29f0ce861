//! The time that can be reached from a node.
//!
//! A function that is reached in several ways counts once, so totals cannot be added up.
//! Functions with ticks are processed 64 at a time; a word for each node has a bit for each of
//! them that it reaches.

use super::call_dag::CallDag;

/// Maximum number of words. For larger graphs (tens of thousands of functions with ticks),
/// sums of totals are an upper bound.
const MAX_WORK: usize = 1 << 27;

/// For each node the ticks of all reachable nodes, including its own.
pub(super) fn reachable(dag: &CallDag, ticks: &[f64]) -> Vec<f64> {
    let timed: Vec<usize> = (0..ticks.len()).filter(|&node| ticks[node] > 0.0).collect();
    let n_edges: usize = dag.order.iter().map(|&node| dag.above(node).count()).sum();
    let n_words = timed.len().div_ceil(64);
    if n_words.saturating_mul(n_edges + dag.n_nodes()) > MAX_WORK {
        return summed_up(dag, ticks);
    }
    let mut sums = vec![0.0; ticks.len()];
    let mut reached = vec![0u64; ticks.len()];
    for some in timed.chunks(64) {
        reached.fill(0);
        let word_sums = WordSums::new(some, ticks);
        for (bit, &node) in some.iter().enumerate() {
            reached[node] = 1 << bit;
        }
        for &node in dag.order.iter().rev() {
            let word = reached[node as usize];
            if word == 0 {
                continue;
            }
            sums[node as usize] += word_sums.of(word);
            for above in dag.above(node) {
                reached[above as usize] |= word;
            }
        }
    }
    sums
}

/// The ticks of 64 nodes, prepared for sums: for each byte of a word, the sums of all its
/// values. A word takes eight additions.
struct WordSums([[f64; 256]; 8]);

impl WordSums {
    fn new(nodes: &[usize], ticks: &[f64]) -> Self {
        let mut sums = [[0.0; 256]; 8];
        for (of_byte, nodes) in sums.iter_mut().zip(nodes.chunks(8)) {
            for value in 1usize..1 << nodes.len() {
                let lowest = value.trailing_zeros() as usize;
                of_byte[value] = of_byte[value & (value - 1)] + ticks[nodes[lowest]];
            }
        }
        Self(sums)
    }

    fn of(&self, word: u64) -> f64 {
        let bytes = word.to_le_bytes().into_iter().zip(&self.0);
        bytes.map(|(byte, sums)| sums[usize::from(byte)]).sum()
    }
}

/// An upper bound that counts a node once for each way, limited by the total.
pub(super) fn summed_up(dag: &CallDag, ticks: &[f64]) -> Vec<f64> {
    let all: f64 = ticks.iter().sum();
    let mut sums = ticks.to_vec();
    for &node in dag.order.iter().rev() {
        let sum = sums[node as usize].min(all);
        sums[node as usize] = sum;
        for above in dag.above(node) {
            sums[above as usize] += sum;
        }
    }
    sums
}
