use profan::compare::costs::FunctionCosts;
use profan::render::{self, RENDERERS, RenderOptions, json};

/// Any bytes as a saved report, shown in every format. Written as JSON, it is read back
/// unchanged. It may be a side of a comparison, too.
pub fn kept_report(data: &[u8]) {
    if !json::is_report(data) {
        return;
    }
    let Ok(report) = json::read(data) else {
        return;
    };
    let _ = FunctionCosts::of_report(&report);
    let options = RenderOptions { escapes_controls: true, width: 80, ..RenderOptions::default() };
    for renderer in RENDERERS {
        let _ = renderer.render(&report, &options, &mut Vec::new());
    }
    let keeper = render::named("json").expect("there is this format");
    let mut kept = Vec::new();
    if keeper.render(&report, &options, &mut kept).is_ok() {
        let again = json::read(&kept).expect("what is written can be read");
        let mut kept_again = Vec::new();
        keeper.render(&again, &options, &mut kept_again).expect("it was written before");
        assert!(kept == kept_again, "a report that is kept twice changes");
    }
}
