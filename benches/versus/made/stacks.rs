//! Profiles of call stacks in the formats of several profilers, all from one random tree of calls.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::random::Random;

const N_FUNCTIONS: usize = 4000;

/// Bytes of code of a function.
const FUNCTION_SIZE: u64 = 512;

/// Address of the first function.
const BASE: u64 = 0x5581_7fa0_1000;

const CLASSES: [&str; 8] =
    ["Lexer", "Parser<char>", "Index", "Page", "Shard", "Query", "Buffer", "Allocator"];
const METHODS: [&str; 8] = ["fold", "evaluate", "step", "scan", "insert", "erase", "find", "grow"];

/// A tree of calls: each node is a stack.
struct CallStacks {
    names: Vec<String>,
    /// The caller and the function of each node; the first node is its own caller.
    nodes: Vec<(usize, usize)>,
}

impl CallStacks {
    fn new(random: &mut Random, n_stacks: usize) -> Self {
        let names = (0..N_FUNCTIONS).map(|number| {
            let (class, method) = (random.one_of(&CLASSES), random.one_of(&METHODS));
            format!("engine::{class}::{method}_{number}(int)")
        });
        let names = names.collect();
        let nodes = (0..n_stacks).map(|number| {
            let mut below = || index(random.below(number.max(1) as u64));
            // The larger of two makes stacks about twenty deep.
            let caller = below().max(below());
            (caller, index(random.below(N_FUNCTIONS as u64)))
        });
        Self { names, nodes: nodes.collect() }
    }

    /// The nodes of a stack, innermost first.
    fn stack(&self, mut node: usize) -> Vec<usize> {
        let mut stack = vec![node];
        while node > 0 {
            node = self.nodes[node].0;
            stack.push(node);
        }
        stack
    }

    fn name(&self, node: usize) -> &str {
        &self.names[self.nodes[node].1]
    }

    /// The offset of the call in the function of a node.
    fn offset(node: usize) -> u64 {
        8 + (node as u64 * 37) % (FUNCTION_SIZE - 8)
    }

    fn address(&self, node: usize, offset: u64) -> u64 {
        BASE + self.nodes[node].1 as u64 * FUNCTION_SIZE + offset
    }
}

fn index(number: u64) -> usize {
    usize::try_from(number).expect("it is the index of a table")
}

/// The most different stacks of a text of perf.
const MOST_STACKS: usize = 60_000;

/// Text of `perf script`, of that many samples of 16 threads. With `differs`, samples differ in the
/// address of their innermost frame, as in a real recording.
pub(super) fn perf_script(file: &Path, n_samples: usize, differs: bool) -> io::Result<()> {
    let mut random = Random::new(1);
    let stacks = CallStacks::new(&mut random, MOST_STACKS.min(n_samples / 2));
    let mut out = BufWriter::new(File::create(file)?);
    for sample in 0..n_samples {
        let node = index(random.small(stacks.nodes.len() as u64));
        let thread = 7000 + random.below(16);
        let period = 250_000 + random.below(64);
        let (second, part) = (100 + sample / 5000, sample % 5000 * 200);
        let processor = thread % 4;
        writeln!(
            out,
            "server  7000/{thread} [{processor:03}] {second:6}.{part:06}:     {period} cycles:u: "
        )?;
        for (depth, node) in stacks.stack(node).into_iter().enumerate() {
            let is_innermost = depth == 0 && differs;
            let offset =
                if is_innermost { random.below(FUNCTION_SIZE) } else { CallStacks::offset(node) };
            let (address, name) = (stacks.address(node, offset), stacks.name(node));
            writeln!(out, "\t{address:16x} {name}+{offset:#x} (/usr/bin/server)")?;
        }
        writeln!(out)?;
    }
    out.flush()
}

/// Folded stacks, of that many different ones, sorted.
pub(super) fn folded(file: &Path, n_stacks: usize) -> io::Result<()> {
    let mut random = Random::new(1);
    let stacks = CallStacks::new(&mut random, n_stacks);
    let line = |node| {
        let names: Vec<_> =
            stacks.stack(node).iter().rev().map(|&node| stacks.name(node)).collect();
        names.join(";")
    };
    let mut lines: Vec<String> = (0..n_stacks).map(line).collect();
    lines.sort_unstable();
    lines.dedup();
    let mut out = BufWriter::new(File::create(file)?);
    for line in lines {
        writeln!(out, "{line} {}", 1 + random.small(1000))?;
    }
    out.flush()
}

/// A profile of pprof, of that many different stacks.
pub(super) fn pprof(file: &Path, n_stacks: usize) -> io::Result<()> {
    let mut random = Random::new(1);
    let stacks = CallStacks::new(&mut random, n_stacks);
    let mut out = BufWriter::new(File::create(file)?);
    // Strings: the types first, then a file, then functions.
    const FIRST_NAME: u64 = 6;
    for (name, unit) in [(1, 2), (3, 4)] {
        out.write_all(&message(1, &[number(1, name), number(2, unit)].concat()))?;
    }
    for node in 0..n_stacks {
        let locations = stacks.stack(node).into_iter().map(|node| {
            let call = node % 4;
            varint((stacks.nodes[node].1 * 4 + call + 1) as u64)
        });
        let locations = locations.collect::<Vec<_>>().concat();
        let count = 1 + random.small(1000);
        let values = [varint(count), varint(10_000_000 * count)].concat();
        out.write_all(&message(2, &[message(1, &locations), message(2, &values)].concat()))?;
    }
    for function in 0..N_FUNCTIONS as u64 {
        for call in 0..4 {
            let id = function * 4 + call + 1;
            let line = [number(1, function + 1), number(2, 10 + call)].concat();
            let address = number(3, BASE + function * FUNCTION_SIZE + 16 * call);
            let location = [number(1, id), address, message(4, &line)].concat();
            out.write_all(&message(4, &location))?;
        }
        let name = FIRST_NAME + function;
        let function = [number(1, function + 1), number(2, name), number(3, name), number(4, 5)];
        out.write_all(&message(5, &function.concat()))?;
    }
    let texts = ["", "samples", "count", "cpu", "nanoseconds", "server.go"];
    for text in texts.into_iter().chain(stacks.names.iter().map(String::as_str)) {
        out.write_all(&message(6, text.as_bytes()))?;
    }
    out.write_all(&message(11, &[number(1, 3), number(2, 4)].concat()))?;
    out.write_all(&number(12, 10_000_000))?;
    out.flush()
}

/// A field of protocol buffers with a number.
fn number(field: u8, value: u64) -> Vec<u8> {
    [vec![field << 3], varint(value)].concat()
}

/// A field with bytes.
fn message(field: u8, bytes: &[u8]) -> Vec<u8> {
    [&[field << 3 | 2], &*varint(bytes.len() as u64), bytes].concat()
}

fn varint(value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    super::mpatrol::push_leb(&mut bytes, value);
    bytes
}

/// A profile of DHAT, of that many stacks.
pub(super) fn dhat(file: &Path, n_stacks: usize) -> io::Result<()> {
    let mut random = Random::new(1);
    let stacks = CallStacks::new(&mut random, n_stacks);
    let mut out = BufWriter::new(File::create(file)?);
    let mut known = std::collections::HashMap::new();
    let mut frames = vec!["[root]".to_owned()];
    write!(
        out,
        "{{\"dhatFileVersion\":2\n,\"mode\":\"heap\",\"verb\":\"Allocated\"\n\
         ,\"bklt\":true,\"bkacc\":true\n,\"tu\":\"instrs\",\"Mtu\":\"Minstr\"\n,\"tuth\":500\n\
         ,\"cmd\":\"./server\"\n,\"pid\":7000\n,\"te\":170860\n,\"tg\":163814\n,\"pps\":\n ["
    )?;
    for node in 0..n_stacks {
        let mut list = String::new();
        for node in stacks.stack(node) {
            let address = stacks.address(node, CallStacks::offset(node));
            let frame = *known.entry(address).or_insert_with(|| {
                let (name, line) = (stacks.name(node), CallStacks::offset(node) / 4);
                frames.push(format!("0x{address:X}: {name} (server.cc:{line})"));
                frames.len() - 1
            });
            let _ = write!(list, "{}{frame}", if list.is_empty() { "" } else { "," });
        }
        let blocks = 1 + random.small(1000);
        let bytes = blocks * 48;
        let comma = if node > 0 { "," } else { "" };
        writeln!(
            out,
            "{comma}{{\"tb\":{bytes},\"tbk\":{blocks}\n  ,\"tl\":2813\n  ,\"mb\":{bytes},\"mbk\":{blocks}\n\
             \x20 ,\"gb\":0,\"gbk\":0\n  ,\"eb\":0,\"ebk\":0\n  ,\"rb\":{bytes},\"wb\":{bytes}\n\
             \x20 ,\"acc\":[-48,1]\n  ,\"fs\":[{list}]\n  }}"
        )?;
    }
    write!(out, " ]\n,\"ftbl\":\n [\"{}\"\n ]\n}}\n", frames.join("\"\n ,\""))?;
    out.flush()
}

/// Output of massif, of that many frames in detailed snapshots of 2000 frames.
pub(super) fn massif(file: &Path, n_frames: usize) -> io::Result<()> {
    const SIZE: usize = 2000;
    let mut random = Random::new(1);
    let stacks = CallStacks::new(&mut random, SIZE);
    let mut children = vec![Vec::new(); SIZE];
    for (node, &(caller, _)) in stacks.nodes.iter().enumerate().skip(1) {
        children[caller].push(node);
    }
    // The stacks that start with a node.
    let mut sizes = vec![1; SIZE];
    for node in (1..SIZE).rev() {
        sizes[stacks.nodes[node].0] += sizes[node];
    }
    let mut out = BufWriter::new(File::create(file)?);
    writeln!(out, "desc: --massif-out-file=massif.out\ncmd: ./server\ntime_unit: i")?;
    for snapshot in 0..n_frames / SIZE {
        let bytes = SIZE * 1000;
        let (time, dashes) = (snapshot * 1000, "#-----------");
        writeln!(
            out,
            "{dashes}\nsnapshot={snapshot}\n{dashes}\ntime={time}\nmem_heap_B={bytes}\n\
             mem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=detailed"
        )?;
        let mut open = vec![(0, 0)];
        while let Some((node, depth)) = open.pop() {
            let size = children[node].len();
            let bytes = 1000 * sizes[node];
            let address = stacks.address(node, CallStacks::offset(node));
            let (name, line) = (stacks.name(node), CallStacks::offset(node) / 4);
            write!(out, "{:depth$}n{size}: {bytes} ", "")?;
            match node {
                0 => writeln!(
                    out,
                    "(heap allocation functions) malloc/new/new[], --alloc-fns, etc."
                )?,
                _ => writeln!(out, "0x{address:X}: {name} (server.cc:{line})")?,
            }
            open.extend(children[node].iter().map(|&child| (child, depth + 1)));
        }
    }
    out.flush()
}
