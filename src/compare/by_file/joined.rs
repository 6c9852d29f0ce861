//! Functions that count as one although their names or files differ.

use crate::report::number::counted;
use crate::report::{NameId, NameTable};

/// Functions shown by name in the note.
const N_NAMED: usize = 3;

/// The note on functions that got another name or file: each with that under which it counts.
pub fn about_joined(joined: &[(u32, u32)], names: &dyn NameTable) -> Option<String> {
    let example = |&(old, new): &(u32, u32)| {
        let ids = [old, new].map(NameId);
        let demangled = ids.map(|id| names.name(id));
        let differ = demangled[0] != demangled[1];
        let shown = if differ { demangled } else { ids.map(|id| names.linkage_name(id)) };
        let has_file = shown[0] == shown[1];
        let [old, new] = [0, 1].map(|side| {
            let name = String::from_utf8_lossy(shown[side]).into_owned();
            let file = names.location(ids[side]).filter(|_| has_file).map(|place| place.file);
            file.map_or(name.clone(), |file| format!("{name} ({})", String::from_utf8_lossy(file)))
        });
        format!("`{old}` = `{new}`")
    };
    let examples: Vec<_> = joined.iter().take(N_NAMED).map(example).collect();
    let more = if joined.len() > N_NAMED { ", ..." } else { "" };
    let names = counted(joined.len() as i128, "name or file", "names or files");
    (!joined.is_empty()).then(|| {
        format!("{names} changed, and the functions did not: {}{more}.", examples.join(", "))
    })
}
