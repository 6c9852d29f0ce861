//! The report as a page: one file that any browser opens without a network.
//!
//! The file has a style sheet, the data of the report, and a script that shows them: the files
//! below `page`, which are joined and share one scope. Its content security policy allows only
//! these, so that names cannot inject anything. The script sorts and searches, but computes no
//! number of the report.

mod data;
mod folded_frames;
#[cfg(test)]
mod tests;

use std::io::Write;

use super::{RenderOptions, RenderResult, Renderer};
use crate::report::Report;

/// Every section, as a page.
pub(super) static HTML: Renderer = Renderer {
    shows_sources: true,
    shows_error: true,
    has_screen_rows: true,
    is_page: true,
    ..Renderer::new(
        "html",
        &["html", "htm"],
        "everything as a page for browsers, in one file",
        render,
    )
};

/// The files of the script, in the order of their use.
macro_rules! script {
    ($($name:ident)*) => {
        concat!(
            "\"use strict\";\n(() => {\n",
            $(include_str!(concat!("page/", stringify!($name), ".js")),)*
            "})();\n"
        )
    };
}

const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = script! {
    data element names units table sections runs change graph state address command search fitted
    order columns cells list view sheet source sandwich facts tip chart history hue frames samples
    stacks choosers flame icicle about bench strip navigation
};

/// The script as pages have it: without indentation and comments, a quarter of it.
fn script() -> String {
    let lines = SCRIPT.lines().map(str::trim_start);
    let code = lines
        .filter(|line| !line.is_empty() && !line.starts_with("//") && !line.starts_with("/**"));
    code.flat_map(|line| [line, "\n"]).collect()
}

/// The hashes of both, with which a browser recognizes them. A test computes them.
const STYLE_HASH: &str = "6fOb6h+yKGIMaAOpLMHj/hNhBaG6GUtmq6iyyqGD9mo=";
const SCRIPT_HASH: &str = "FhEEVas48dbZoAXBnkhRhSgmAG3KDkX6sqNvqq38b0A=";

fn render(report: &Report, _: &RenderOptions, out: &mut dyn Write) -> RenderResult {
    HTML.accepted(report)?;
    let script = script();
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         script-src 'sha256-{SCRIPT_HASH}'; style-src 'sha256-{STYLE_HASH}'; img-src data:; \
         base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>profan</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n\
         <noscript>This page needs its script. Allow scripts, or read the report with profan: \
         <code>profan --format text</code>.</noscript>\n\
         <script type=\"application/json\" id=\"data\">"
    )?;
    data::write(report, out)?;
    write!(out, "</script>\n<script>{script}</script>\n</body>\n</html>\n")?;
    Ok(())
}
