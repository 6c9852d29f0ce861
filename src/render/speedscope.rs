//! Profiles of speedscope: JSON with a table of frames, and a profile of stacks and weights
//! for each metric, and of several runs for each run.
//!
//! Source: src/lib/file-format-spec.ts of github.com/jlfwong/speedscope. A frame has no line
//! unless it is known: an absent key, not null.

use std::io::{self, Write};

use super::stacks::{StackFrames, StackMetric, StackNumbers, Stacks, json_text, write_list};
use super::{RenderOptions, RenderResult, Renderer};
use crate::report::{Report, SectionId};

/// Call stacks for speedscope.
pub(super) static SPEEDSCOPE: Renderer = Renderer {
    accepts: |section| section == SectionId::Tree,
    shows_runs: true,
    shows_sources: true,
    default_sections: &[SectionId::Tree],
    ..Renderer::new(
        "speedscope",
        &["speedscope.json"],
        "call stacks, for www.speedscope.app",
        render,
    )
};

const SCHEMA: &str = "https://www.speedscope.app/file-format-schema.json";

fn render(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> RenderResult {
    let runs = Stacks::of_runs(&SPEEDSCOPE, report, options)?;
    let mut frames = StackFrames::default();
    write!(
        out,
        "{{\"$schema\":\"{SCHEMA}\",\"exporter\":\"profan {}\",\"name\":{},\
         \"activeProfileIndex\":0,\"profiles\":[",
        env!("CARGO_PKG_VERSION"),
        json_text(&Stacks::title(report)),
    )?;
    let mut separator = "\n";
    for stacks in &runs {
        for metric in &stacks.metrics {
            out.write_all(separator.as_bytes())?;
            separator = ",\n";
            write_profile(stacks, metric, &mut frames, out)?;
        }
    }
    out.write_all(b"],\n\"shared\":{\"frames\":[")?;
    for (index, frame) in frames.frames.iter().enumerate() {
        out.write_all(if index == 0 { b"\n" } else { b",\n" })?;
        write!(out, "{{\"name\":{}", json_text(&frame.name))?;
        if let Some(file) = &frame.file {
            write!(out, ",\"file\":{},\"line\":{}", json_text(file), frame.line)?;
        }
        out.write_all(b"}")?;
    }
    out.write_all(b"]}}\n")?;
    Ok(())
}

/// A profile of one metric: stacks, and then their weights.
fn write_profile(
    stacks: &Stacks<'_>,
    metric: &StackMetric<'_>,
    frames: &mut StackFrames,
    out: &mut dyn Write,
) -> io::Result<()> {
    let name = stacks.metric_name(metric);
    write!(
        out,
        "{{\"type\":\"sampled\",\"name\":{},\"unit\":\"{}\",\"startValue\":0,\"samples\":[",
        json_text(&name),
        unit(metric)
    )?;
    let mut stack = StackNumbers::default();
    let mut weights: Vec<i128> = Vec::new();
    stacks.for_each(&mut |row| {
        stack.push(row.depth, frames.number(row.name, stacks));
        let weight = row.weight(metric);
        if weight <= 0 {
            return Ok(());
        }
        out.write_all(if weights.is_empty() { b"[" } else { b",[" })?;
        weights.push(weight);
        write_list(stack.0.iter(), out)?;
        out.write_all(b"]")
    })?;
    let end: i128 = weights.iter().sum();
    write!(out, "],\"endValue\":{end},\"weights\":[")?;
    write_list(weights.iter(), out)?;
    out.write_all(b"]}")
}

/// The unit, as the format names it.
fn unit(metric: &StackMetric<'_>) -> &'static str {
    match metric.unit {
        "nanoseconds" => "nanoseconds",
        "bytes" => "bytes",
        _ => "none",
    }
}
