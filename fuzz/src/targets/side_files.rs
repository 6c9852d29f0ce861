use profan::load::read_run_time;
use profan::symbols::{FileMap, SymbolOptions, read_external_table};

use super::super::made::text::{SIDE_FILES, text_of};
use super::super::pipeline::file;

/// Any bytes, and words of such files, as files next to profiles: the output of `nm` and `time`.
pub fn side_files(data: &[u8]) {
    for text in [data, &text_of(data, SIDE_FILES)] {
        let path = file("side", text);
        let _ = read_run_time(&path);
        let map = FileMap::open(&path);
        let options = SymbolOptions { external: Some(path), ..SymbolOptions::default() };
        if let Ok(Some(table)) = read_external_table(&options) {
            let starts = table.symbols().iter().map(|symbol| symbol.range.start);
            assert!(starts.is_sorted());
            if let Ok(map) = &map {
                let _ = map.files_without_symbol(&table).count();
            }
        }
    }
}
