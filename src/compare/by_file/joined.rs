//! Functions that count as one although their names or files differ.

use crate::report::number::counted;
use crate::report::{NameId, NameTable};

/// Functions shown by name in the note.
const MOST_NAMED: usize = 3;

/// The note on functions that got another name or file: each with that under which it counts.
pub fn about_joined(joined: &[(u32, u32)], names: &dyn NameTable) -> Option<String> {
    let shown = |id: u32, has_file: bool| {
        let name = String::from_utf8_lossy(names.linkage_name(NameId(id))).into_owned();
        let file = names.location(NameId(id)).filter(|_| has_file).map(|place| place.file);
        file.map_or(name.clone(), |file| format!("{name} ({})", String::from_utf8_lossy(file)))
    };
    let example = |&(old, new): &(u32, u32)| {
        let [name, latest] = [old, new].map(|id| names.linkage_name(NameId(id)));
        let [old, new] = [old, new].map(|id| shown(id, name == latest));
        format!("`{old}` = `{new}`")
    };
    let examples: Vec<_> = joined.iter().take(MOST_NAMED).map(example).collect();
    let more = if joined.len() > MOST_NAMED { ", ..." } else { "" };
    let names = counted(joined.len() as i128, "name or file", "names or files");
    (!joined.is_empty()).then(|| {
        format!("{names} changed, and the functions did not: {}{more}.", examples.join(", "))
    })
}
