//! How boxes and arrows look by what they cost.

/// How a function and the calls to it look that have so many percent, or more.
pub(super) struct Style {
    least: f64,
    pub(super) fill: &'static str,
    pub(super) font: &'static str,
    pub(super) arrow_width: &'static str,
    pub(super) arrow: &'static str,
}

const fn style(
    least: f64,
    [fill, font]: [&'static str; 2],
    [width, arrow]: [&'static str; 2],
) -> Style {
    Style {
        least,
        fill,
        font,
        arrow_width: width,
        arrow,
    }
}

static STYLES: [Style; 6] = [
    style(50.0, ["#c62828", "#ffffff"], ["5", "#c62828"]),
    style(25.0, ["#e2553d", "#ffffff"], ["3.5", "#e2553d"]),
    style(10.0, ["#f48c5c", "#000000"], ["2.5", "#ea7540"]),
    style(5.0, ["#fabb80", "#000000"], ["1.8", "#cc8844"]),
    style(2.0, ["#fde0ac", "#000000"], ["1.3", "#a08860"]),
    style(0.0, ["#f0f2f5", "#000000"], ["0.9", "#808080"]),
];

/// Cold where the share is not known.
pub(super) fn style_of(percent: Option<f64>) -> &'static Style {
    let percent = percent.unwrap_or(0.0);
    let found = STYLES.iter().find(|style| percent >= style.least);
    found.unwrap_or(&STYLES[STYLES.len() - 1])
}
