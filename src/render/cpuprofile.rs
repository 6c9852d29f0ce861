//! Profiles of V8: `.cpuprofile` for time and events, `.heapprofile` for memory. Visual Studio
//! Code, Chrome and Firefox open them.
//!
//! Source: `Profiler.Profile` and `HeapProfiler.SamplingHeapProfile` in the Chrome DevTools
//! protocol. Lines and columns count from 0, and an unknown one is -1. In a `.cpuprofile`, the
//! time of a sample is the delta after it, so the first delta is 0 and the last sample ends with
//! the profile; the unit is a microsecond.

use std::io::{self, Write};
use std::num::NonZeroU32;

use super::stacks::{StackFrame, StackFrames, StackMetric, Stacks, json_text, write_list};
use super::{RenderError, RenderOptions, RenderResult, Renderer};
use crate::report::{Report, SectionId};

/// Call stacks as a CPU profile of V8.
pub(super) static CPUPROFILE: Renderer = Renderer {
    accepts: |section| section == SectionId::Tree,
    shows_sources: true,
    default_sections: &[SectionId::Tree],
    ..Renderer::new(
        "cpuprofile",
        &["cpuprofile"],
        "call stacks, for Visual Studio Code and Chrome",
        render_cpu,
    )
};

/// Call stacks as a heap profile of V8.
pub(super) static HEAPPROFILE: Renderer = Renderer {
    accepts: |section| section == SectionId::Tree,
    shows_sources: true,
    default_sections: &[SectionId::Tree],
    ..Renderer::new(
        "heapprofile",
        &["heapprofile"],
        "allocations by call stack, for Visual Studio Code and Chrome",
        render_heap,
    )
};

fn render_cpu(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> RenderResult {
    let stacks = Stacks::of(&CPUPROFILE, report, options)?;
    let metric = &stacks.metrics[0];
    let nodes = Nodes::of(&stacks, metric)?;
    out.write_all(b"{\"nodes\":[\n")?;
    // Node 1 is the root; readers ask for one.
    write!(out, "{{\"id\":1,\"callFrame\":")?;
    write_frame(&root(&stacks, metric), out)?;
    out.write_all(b",\"hitCount\":0,\"children\":[")?;
    write_list(nodes.callees(None).map(|root| root + 2), out)?;
    out.write_all(b"]}")?;
    let call_frames = nodes.call_frames()?;
    for (index, node) in nodes.nodes.iter().enumerate() {
        write!(out, ",\n{{\"id\":{},\"callFrame\":", index + 2)?;
        out.write_all(&call_frames[node.frame])?;
        write!(out, ",\"hitCount\":{}", u8::from(node.weight > 0))?;
        let mut callees = nodes.callees(Some(index)).peekable();
        if callees.peek().is_some() {
            out.write_all(b",\"children\":[")?;
            write_list(callees.map(|callee| callee + 2), out)?;
            out.write_all(b"]")?;
        }
        out.write_all(b"}")?;
    }
    let sampled = || {
        let nodes = nodes.nodes.iter().enumerate();
        nodes.filter(|(_, node)| node.weight > 0)
    };
    let (end, deltas) = sample_times(metric, sampled().map(|(_, node)| node.weight));
    write!(out, "],\n\"startTime\":0,\"endTime\":{},\"samples\":[", end)?;
    write_list(sampled().map(|(index, _)| index + 2), out)?;
    out.write_all(b"],\n\"timeDeltas\":[")?;
    write_list(deltas.iter(), out)?;
    out.write_all(b"]}\n")?;
    Ok(())
}

fn render_heap(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> RenderResult {
    let stacks = Stacks::of(&HEAPPROFILE, report, options)?;
    let metric = stacks.metrics.iter().find(|metric| metric.unit == "bytes");
    let Some(metric) = metric else {
        return Err(RenderError::NoBytes { format: HEAPPROFILE.name });
    };
    let nodes = Nodes::of(&stacks, metric)?;
    out.write_all(b"{\"head\":\n{\"callFrame\":")?;
    write_frame(&root(&stacks, metric), out)?;
    out.write_all(b",\"selfSize\":0,\"id\":1,\"children\":[")?;
    let mut samples = Vec::new();
    let call_frames = nodes.call_frames()?;
    let mut open = vec![nodes.callees(None)];
    let mut is_first = true;
    while let Some(level) = open.last_mut() {
        let Some(index) = level.next() else {
            open.pop();
            out.write_all(b"]}")?;
            is_first = false;
            continue;
        };
        let node = &nodes.nodes[index];
        let (id, size) = (index + 2, node.weight.max(0));
        if size > 0 {
            samples.push((size, id));
        }
        out.write_all(if is_first { b"\n{" } else { b",\n{" })?;
        out.write_all(b"\"callFrame\":")?;
        out.write_all(&call_frames[node.frame])?;
        write!(out, ",\"selfSize\":{size},\"id\":{id},\"children\":[")?;
        open.push(nodes.callees(Some(index)));
        is_first = true;
    }
    out.write_all(b",\n\"samples\":[")?;
    let samples = (1..).zip(samples).map(|(ordinal, (size, id))| {
        format!("{{\"size\":{size},\"nodeId\":{id},\"ordinal\":{ordinal}}}")
    });
    write_list(samples, out)?;
    out.write_all(b"]}\n")?;
    Ok(())
}

/// The root, which names the origin of the stacks: the formats have no other place for it.
fn root(stacks: &Stacks<'_>, metric: &StackMetric<'_>) -> StackFrame {
    StackFrame {
        name: format!("(root) {}, {}", metric.metric.id, stacks.basis),
        ..StackFrame::default()
    }
}

/// The frames in pre-order.
#[derive(Default)]
struct Nodes {
    frames: StackFrames,
    nodes: Vec<CallNode>,
}

struct CallNode {
    frame: usize,
    depth: u32,
    /// The next callee of the same caller.
    next: Option<NonZeroU32>,
    weight: i128,
}

impl Nodes {
    fn of(stacks: &Stacks<'_>, metric: &StackMetric<'_>) -> io::Result<Self> {
        let mut all = Self::default();
        // The last frame at each depth.
        let mut stack: Vec<usize> = Vec::new();
        stacks.for_each(&mut |row| {
            let index = all.nodes.len();
            let previous = stack.get(row.depth).copied();
            stack.truncate(row.depth);
            if let Some(previous) = previous {
                all.nodes[previous].next = u32::try_from(index).ok().and_then(NonZeroU32::new);
            }
            all.nodes.push(CallNode {
                frame: all.frames.number(row.name, stacks),
                depth: u32::try_from(stack.len()).expect("folded stacks are short"),
                next: None,
                weight: row.weight(metric),
            });
            stack.push(index);
            Ok(())
        })?;
        Ok(all)
    }

    /// The callees of a node, or the outermost frames.
    fn callees(&self, caller: Option<usize>) -> impl Iterator<Item = usize> {
        let first = caller.map_or(0, |caller| caller + 1);
        let depth = caller.map_or(0, |caller| self.nodes[caller].depth + 1);
        let is_callee = self.nodes.get(first).is_some_and(|node| node.depth == depth);
        let next = |index: &usize| Some(self.nodes[*index].next?.get() as usize);
        std::iter::successors(is_callee.then_some(first), next)
    }

    /// Each frame in JSON: most are written many times.
    fn call_frames(&self) -> io::Result<Vec<Vec<u8>>> {
        let in_json = |frame| {
            let mut text = Vec::new();
            write_frame(frame, &mut text)?;
            Ok(text)
        };
        self.frames.frames.iter().map(in_json).collect()
    }
}

/// Where the last sample ends, in microseconds, and the time before each sample, which is the
/// length of the previous one. Nanoseconds are rounded where samples end, so that the sum is right.
fn sample_times(
    metric: &StackMetric<'_>,
    weights: impl Iterator<Item = i128>,
) -> (i128, Vec<i128>) {
    let per_unit = if metric.unit == "nanoseconds" { 1000 } else { 1 };
    let mut ends = vec![0];
    let mut sum = 0;
    for weight in weights {
        sum += weight;
        ends.push((sum + per_unit / 2) / per_unit);
    }
    let end = ends.pop().unwrap_or_default();
    let starts = std::iter::once(0).chain(ends.iter().copied());
    (end, ends.iter().zip(starts).map(|(end, start)| end - start).collect())
}

fn write_frame(frame: &StackFrame, out: &mut dyn Write) -> io::Result<()> {
    let url = frame.file.as_deref().map(url).unwrap_or_default();
    write!(
        out,
        "{{\"functionName\":{},\"scriptId\":\"0\",\"url\":{},\"lineNumber\":{},\"columnNumber\":{}}}",
        json_text(&frame.name),
        json_text(&url),
        i64::from(frame.line) - 1,
        if frame.line == 0 { -1 } else { 0 },
    )
}

/// The URL of an absolute path, and other paths as they are.
fn url(path: &str) -> String {
    if !path.starts_with('/') {
        return path.to_owned();
    }
    let mut url = "file://".to_owned();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z'
            | b'A'..=b'Z'
            | b'0'..=b'9'
            | b'/'
            | b'-'
            | b'.'
            | b'_'
            | b'~'
            | b'+'
            | b'='
            | b'@'
            | b',' => url.push(byte.into()),
            byte => url.push_str(&format!("%{byte:02X}")),
        }
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_urls() {
        let check = |path, expected| assert_eq!(url(path), expected);
        check("/src/a b#1.c", "file:///src/a%20b%231.c");
        check("./primes.c", "./primes.c");
        check("", "");
    }
}
