//! Amounts in units, and totals.

use super::{Material, N_NAMED, counted};
use crate::analyze::amount::Amount;
use crate::analyze::cost_graph::{CostGraph, metric_named};
use crate::report::number::{duration, fixed, grouped, size};
use crate::report::{Cell, Metric, MetricIndex, Source};
use crate::sorting::ColdSort;

const LINE: usize = 80;

impl CostGraph {
    /// The recorded amount that is one for people: a unit of time in ticks, or 1000 thousandths.
    pub(crate) fn ticks_per_unit(&self, metric: MetricIndex) -> Option<f64> {
        if let Some(sampling) = &self.sampling {
            return Some(sampling.scale.rate);
        }
        self.shape.metrics[metric].per_unit()
    }

    /// Returns whether amounts are shown in units of time.
    pub(super) fn is_timed(&self, metric: MetricIndex) -> bool {
        self.sampling.is_some() || self.shape.metrics[metric].rate.is_some()
    }

    /// Decimals of times in text.
    pub(in crate::analyze) fn decimals(&self) -> u8 {
        self.decimals_of(self.shape.primary)
    }

    pub(super) fn decimals_of(&self, metric: MetricIndex) -> u8 {
        let total = self.all(metric).as_f64() / self.ticks_per_unit(metric).unwrap_or(1.0);
        self.shape.metrics[metric].decimals_within(total)
    }

    pub(super) fn timed(&self, amount: Amount, metric: MetricIndex) -> Cell {
        match self.ticks_per_unit(metric) {
            Some(rate) => Cell::Real(amount.as_f64() / rate),
            None => Cell::Absent,
        }
    }

    /// Ticks of the primary metric in units of time, if known.
    pub(super) fn timed_ticks(&self, ticks: f64) -> Cell {
        self.readable(Amount::Ticks(ticks), self.shape.primary)
    }

    /// The amount in units of time, if known.
    pub(super) fn readable(&self, amount: Amount, metric: MetricIndex) -> Cell {
        self.reader(metric)(amount)
    }

    /// Returns amounts in units of time, if known.
    pub(super) fn reader(&self, metric: MetricIndex) -> impl Fn(Amount) -> Cell + Copy + use<> {
        let rate = self.ticks_per_unit(metric);
        move |amount| rate.map_or_else(|| amount.into(), |rate| (amount.as_f64() / rate).into())
    }

    pub(super) fn unit(&self, metric: MetricIndex) -> String {
        match &self.sampling {
            Some(sampling) => String::from_utf8_lossy(&sampling.scale.dimension).into_owned(),
            None if self.shape.metrics[metric].rate.is_some() => "seconds".to_owned(),
            None => self.shape.metrics[metric].unit.clone().into_owned(),
        }
    }

    /// The name of a column with numbers in units of time.
    pub(super) fn timed_id(&self, id: &str, metric: MetricIndex) -> String {
        let letters = self.unit(metric);
        let letters = letters.chars().filter(char::is_ascii_alphanumeric);
        format!("{id}_{}", letters.collect::<String>().to_lowercase())
    }

    /// The name of a column with amounts as people read them.
    pub(super) fn shown_id(&self, id: &str, metric: MetricIndex) -> String {
        match self.ticks_per_unit(metric) {
            Some(_) => self.timed_id(id, metric),
            None => id.to_owned(),
        }
    }
}

impl Material<'_> {
    /// Ticks of the primary metric in units of time, and the unit.
    pub fn time_and_unit(&self, ticks: f64) -> [String; 2] {
        let (costs, metric) = (self.costs, self.costs.shape.primary);
        let time = ticks / costs.ticks_per_unit(metric).unwrap_or(1.0);
        let unit = costs.unit(metric);
        let unit = if unit == "seconds" { "s".to_owned() } else { unit };
        [fixed(time, costs.decimals().into()), unit]
    }
}

impl CostGraph {
    /// An amount of a metric for people, in a unit that fits.
    pub(super) fn in_words(&self, amount: Amount, metric: MetricIndex) -> String {
        let is_in_seconds = self.unit(metric) == "seconds";
        match (self.ticks_per_unit(metric), &*self.shape.metrics[metric].unit, amount) {
            (Some(rate), ..) if is_in_seconds => duration(amount.as_f64() / rate),
            (Some(rate), ..) => fixed(amount.as_f64() / rate, self.decimals_of(metric).into()),
            (None, "bytes", Amount::Exact(bytes)) => size(bytes),
            (None, _, Amount::Exact(amount)) => grouped(amount),
            (None, _, Amount::Ticks(amount)) => fixed(amount, 2),
        }
    }

    /// The metrics that the report does not show, with their totals and how to see them.
    pub fn also_recorded(&self) -> Option<String> {
        if self.is_heap() || self.shape.collector.is_some() {
            return None;
        }
        let is_other = |&metric: &MetricIndex| {
            let one = &self.shape.metrics[metric];
            let is_count = matches!(&*one.id, "samples" | "sample");
            let is_snapshot = one.is_level && self.metric().is_level && one.unit == "bytes";
            let is_same = is_snapshot || event_of(one) == event_of(self.metric());
            !is_same && !is_count && !self.all(metric).is_zero()
        };
        let mut events: Vec<&str> = Vec::new();
        let others: Vec<_> = (0..self.shape.metrics.len())
            .filter(is_other)
            .filter(|&metric| {
                let event = event_of(&self.shape.metrics[metric]);
                let is_first = !events.contains(&event);
                events.push(event);
                is_first
            })
            .collect();
        let named = others.iter().take(N_NAMED).map(|&metric| {
            let id = &self.shape.metrics[metric].id;
            format!(
                "{} {} (--value {id})",
                event_of(&self.shape.metrics[metric]),
                self.in_words(self.all(metric), metric)
            )
        });
        let mut named: Vec<_> = named.collect();
        if others.len() > named.len() {
            named.push(format!("{} more, which -i lists", others.len() - named.len()));
        }
        (!named.is_empty()).then(|| format!("also recorded: {}", named.join(", ")))
    }
}

/// The event of a metric: samples of an event and the sum of their periods are of the same one.
fn event_of(metric: &Metric) -> &str {
    match metric.id.strip_suffix("-samples") {
        Some(event) => event,
        None if metric.id == "samples" => &metric.quantity,
        None => &metric.id,
    }
}

impl Material<'_> {
    /// The summary, unless the overview contains it.
    pub(super) fn unless_in_overview(
        &self,
        lines: impl FnOnce(&Self) -> Vec<String>,
    ) -> Vec<String> {
        if self.options.is_for_screen() && !self.options.is_bsd { Vec::new() } else { lines(self) }
    }

    /// The totals, in one or two sentences, and whether they are sums that make no sense.
    pub(super) fn sum_up(&self) -> Vec<String> {
        let mut sentences = self.totals();
        if self.costs.metric().is_level && self.options.n_runs > 1 {
            let sentence = "This adds up what was in use in each file; files of one process at \
                            several times do not add up.";
            sentences.push(sentence.to_owned());
        }
        sentences
    }

    /// The totals of a heap, the one of the metric to sort by first, in lines.
    fn heap_totals(&self, in_bytes: &dyn Fn(i128) -> String) -> Vec<String> {
        const PARTS: [(&str, Option<&str>); 6] = [
            ("bytes", Some("count")),
            ("peak-bytes", Some("peak-count")),
            ("unfreed-bytes", Some("unfreed-count")),
            ("read-bytes", None),
            ("written-bytes", None),
            ("lifetime", None),
        ];
        let shape = &self.costs.shape;
        let primary = shape.metrics[shape.primary].part_of_heap();
        let clause = |(bytes, blocks): (&str, Option<&str>)| {
            let bytes = metric_named(&shape.metrics, bytes)?;
            let blocks = blocks.and_then(|blocks| metric_named(&shape.metrics, blocks));
            let part = shape.metrics[bytes].part_of_heap();
            let is_primary = part == primary;
            let is_always = match part {
                // The peaks of several runs do not add up.
                Some("at peak") => self.options.n_runs <= 1,
                part => matches!(part, None | Some("unfreed")),
            };
            let unit = &shape.metrics[bytes].unit;
            let bytes = match &**unit {
                "bytes" => in_bytes(self.exact(bytes)),
                unit => self.counted(self.exact(bytes), unit, unit),
            };
            let blocks = blocks.map_or(String::new(), |blocks| {
                format!(" in {}", self.counted(self.exact(blocks), "block", "blocks"))
            });
            let words = match part {
                None => format!("{bytes} allocated{blocks}"),
                Some("unfreed") => format!("{bytes}{blocks} never freed"),
                Some("at peak") => format!("{bytes}{blocks} in use at the peak"),
                Some("lifetime") => format!("{bytes} of lifetime of all blocks"),
                Some(part) => format!("{bytes} {part}"),
            };
            (is_primary || is_always).then_some((!is_primary, words))
        };
        let mut clauses: Vec<_> = PARTS.into_iter().filter_map(clause).collect();
        clauses.cold_sort_by_key(|(is_other, _)| *is_other);
        let mut lines: Vec<String> = Vec::new();
        for (index, (_, words)) in clauses.iter().enumerate() {
            let end = if index + 1 == clauses.len() { "." } else { ";" };
            match lines.last_mut().filter(|line| line.len() + words.len() + 2 <= LINE) {
                Some(line) => *line += &format!(" {words}{end}"),
                None => lines.push(format!("{words}{end}")),
            }
        }
        lines
    }

    pub(super) fn exact(&self, metric: MetricIndex) -> i128 {
        self.costs.all(metric).as_exact()
    }

    fn totals(&self) -> Vec<String> {
        let costs = self.costs;
        let metric = costs.metric();
        if costs.sampling.is_some() {
            return Vec::new();
        }
        if costs.measures_nothing() {
            return vec!["Nothing was measured.".to_owned()];
        }
        let is_for_screen = self.options.is_for_screen();
        let number =
            |number: i128| if is_for_screen { grouped(number) } else { number.to_string() };
        let in_bytes =
            |bytes: i128| if is_for_screen { size(bytes) } else { counted(bytes, "byte") };
        if costs.is_heap() {
            return self.heap_totals(&in_bytes);
        }
        if costs.shape.counts_entries {
            return vec![format!("{}.", self.counted(self.exact(0), "entry", "entries"))];
        }
        let number = |amount: i128| match metric.parts {
            Some(parts) => (amount as f64 / f64::from(parts.max(1))).to_string(),
            None => number(amount),
        };
        let total = number(self.exact(costs.shape.primary));
        let decimals = usize::from(costs.decimals());
        let seconds = |amount: i128, rate: f64| match amount as f64 / rate {
            seconds if is_for_screen => duration(seconds),
            seconds => format!("{seconds:.decimals$} seconds"),
        };
        match (costs.costs.collected, metric.rate.map(f64::from)) {
            (Some(collected), Some(rate)) => vec![
                format!("Each sample counts as {} seconds.", 1.0 / rate),
                format!(
                    "{} in total, {} of them in the garbage collector.",
                    seconds(self.exact(0), rate),
                    seconds(collected, rate).trim_end_matches(" seconds"),
                ),
            ],
            (Some(collected), None) => vec![format!(
                "{} allocated, {} of them by the garbage collector.",
                in_bytes(self.exact(0)),
                if is_for_screen { size(collected) } else { collected.to_string() },
            )],
            (None, Some(rate)) => {
                let all = seconds(self.exact(costs.shape.primary), rate);
                vec![format!("{all} of {} in total.", metric.quantity)]
            }
            (None, None) if metric.id == "samples" && metric.per_sample.is_some() => {
                let (sum, period) =
                    (self.exact(costs.shape.primary), metric.per_sample.unwrap_or(1.0));
                let n_samples = fixed(sum as f64 / period, 0);
                let period = period / f64::from(metric.parts.unwrap_or(1).max(1));
                vec![format!("{total} in total: {n_samples} samples of {period}.")]
            }
            (None, None) if metric.id == "samples" && metric.source() == Source::Unknown => {
                vec![format!("{total} in total, from an unknown number of samples.")]
            }
            (None, None) => {
                let (id, title) = (&metric.id, &metric.quantity);
                let title = if id == title { String::new() } else { format!(" ({title})") };
                let sum = self.exact(costs.shape.primary);
                if is_for_screen && metric.unit == "bytes" && metric.parts.is_none() {
                    return vec![format!("{}{title} in total.", size(sum))];
                }
                let name = match &metric.unit {
                    unit if unit == id => format!("{id}{title}"),
                    unit if title.is_empty() => format!("{unit} of {id}"),
                    unit => format!("{unit}{title}"),
                };
                let total = format!("{total} {name} in total.");
                let outside = match costs.unattributed(costs.shape.primary) {
                    Amount::Exact(outside) if outside != 0 => format!(
                        "{} of them belong to <no function>: only the totals of the file contain them.",
                        number(outside)
                    ),
                    _ => return vec![total],
                };
                vec![total, outside]
            }
        }
    }
}
