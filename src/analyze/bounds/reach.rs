//! The time that can be reached from a node.
//!
//! A function that is reached in several ways counts once, so totals cannot be added up.
//! Functions with ticks are processed 256 at a time; four words for each node have a bit for each
//! of them that it reaches.

use super::call_dag::CallDag;
use crate::limits::MOST_STEPS;

/// Words in a step: fewer walks of the graph, whose edges lead anywhere in memory.
const N_WORDS: usize = 4;

/// For each node the ticks of all reachable nodes, including its own.
pub(super) fn reachable(dag: &CallDag, ticks: &[f64]) -> Vec<f64> {
    let timed: Vec<usize> = (0..ticks.len()).filter(|&node| ticks[node] > 0.0).collect();
    let n_edges: usize = dag.order.iter().map(|&node| dag.above(node).count()).sum();
    let n_words = timed.len().div_ceil(64);
    if n_words.saturating_mul(n_edges + dag.n_nodes()) > 2 * MOST_STEPS {
        // Tens of thousands of functions with ticks: sums of totals are an upper bound.
        return summed_up(dag, ticks);
    }
    let mut sums = vec![0.0; ticks.len()];
    let mut reached = vec![[0u64; N_WORDS]; ticks.len()];
    for some in timed.chunks(64 * N_WORDS) {
        reached.fill([0; N_WORDS]);
        let word_sums: Vec<_> = some.chunks(64).map(|some| WordSums::new(some, ticks)).collect();
        for (bit, &node) in some.iter().enumerate() {
            reached[node][bit / 64] = 1 << (bit % 64);
        }
        for &node in dag.order.iter().rev() {
            let words = reached[node as usize];
            if words == [0; N_WORDS] {
                continue;
            }
            for (&word, of_word) in words.iter().zip(&word_sums).filter(|(word, _)| **word != 0) {
                sums[node as usize] += of_word.of(word);
            }
            for above in dag.above(node) {
                let above = &mut reached[above as usize];
                above.iter_mut().zip(words).for_each(|(above, word)| *above |= word);
            }
        }
    }
    sums
}

/// The ticks of 64 nodes, prepared for sums: for each byte of a word, the sums of all its
/// values. A word takes eight additions, and none if it has all of the nodes: callers reach
/// nearly all or nothing of most words.
struct WordSums {
    of_bytes: [[f64; 256]; 8],
    all: u64,
    of_all: f64,
}

impl WordSums {
    fn new(nodes: &[usize], ticks: &[f64]) -> Self {
        let mut of_bytes = [[0.0; 256]; 8];
        for (of_byte, nodes) in of_bytes.iter_mut().zip(nodes.chunks(8)) {
            for value in 1usize..1 << nodes.len() {
                let lowest = value.trailing_zeros() as usize;
                of_byte[value] = of_byte[value & (value - 1)] + ticks[nodes[lowest]];
            }
        }
        let all = u64::MAX >> (64 - nodes.len());
        Self { of_bytes, all, of_all: sum_of(all, &of_bytes) }
    }

    fn of(&self, word: u64) -> f64 {
        if word == self.all { self.of_all } else { sum_of(word, &self.of_bytes) }
    }
}

fn sum_of(word: u64, of_bytes: &[[f64; 256]; 8]) -> f64 {
    let bytes = word.to_le_bytes().into_iter().zip(of_bytes);
    bytes.map(|(byte, sums)| sums[usize::from(byte)]).sum()
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
