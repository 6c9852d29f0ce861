//! Tables of docs that tests make.

use std::fs;
use std::path::Path;

/// Checks the table of a page, or renews it where recordings are renewed.
pub(crate) fn check_made_table(page: &str, made_by: &str, table: &str) {
    const END: &str = "<!-- end -->\n";
    let start = format!("<!-- made by {made_by} -->\n");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
    let text = fs::read_to_string(&path).expect("it is there");
    let (before, rest) = text.split_once(&start).expect("it has a table");
    let (old, after) = rest.split_once(END).expect("the table ends");
    if std::env::var_os("PROFAN_BLESS").is_some() {
        let text = [before, &start, table, END, after].concat();
        fs::write(&path, text).expect("it can be written");
        return;
    }
    assert_eq!(old, table);
}
