//! How boxes and arrows look by what they cost.

/// How a box looks.
#[derive(Clone, Copy)]
pub(super) struct BoxStyle {
    pub(super) fill: &'static str,
    pub(super) font: &'static str,
}

/// How an arrow looks.
#[derive(Clone, Copy)]
pub(super) struct LineStyle {
    pub(super) width: &'static str,
    pub(super) colour: &'static str,
}

/// From so many percent: the colours of a box, and the width and colour of an arrow.
const STYLES: [(f64, [&str; 2], [&str; 2]); 6] = [
    (50.0, ["#c62828", "#ffffff"], ["5", "#c62828"]),
    (25.0, ["#e2553d", "#ffffff"], ["3.5", "#e2553d"]),
    (10.0, ["#f48c5c", "#000000"], ["2.5", "#ea7540"]),
    (5.0, ["#fabb80", "#000000"], ["1.8", "#cc8844"]),
    (2.0, ["#fde0ac", "#000000"], ["1.3", "#a08860"]),
    (0.0, ["#f0f2f5", "#000000"], ["0.9", "#808080"]),
];

/// How a box looks; cold where the share is not known.
pub(super) fn style_of(percent: Option<f64>) -> BoxStyle {
    let [fill, font] = step(percent).1;
    BoxStyle { fill, font }
}

/// How an arrow looks.
pub(super) fn line_of(percent: Option<f64>) -> LineStyle {
    let [width, colour] = step(percent).2;
    LineStyle { width, colour }
}

fn step(percent: Option<f64>) -> (f64, [&'static str; 2], [&'static str; 2]) {
    let percent = percent.unwrap_or(0.0);
    let step = STYLES.into_iter().find(|(least, ..)| percent >= *least);
    step.unwrap_or(STYLES[STYLES.len() - 1])
}
