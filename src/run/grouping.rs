//! Rows of libraries, source files or labels: `--group-by`.

use std::path::Path;
use std::sync::Arc;

use super::labels;
use super::objects::{Object, file_name};
use crate::cli::GroupBy;
use crate::diagnose::{RunError, RunResult};
use crate::model::RecordedCosts;
use crate::symbols::{ContextPlace, NamedContexts, Symbol, SymbolTable, last_component};

/// The name of what has no group.
const UNKNOWN: &[u8] = b"[unknown]";

const SOURCES: &str = "source files";

/// Puts groups in place of the functions of a profile that names them, or of `program` at its
/// addresses.
///
/// # Errors
/// If nothing has a group.
pub(super) fn group_contexts(
    object: &mut Object<'_>,
    program: Option<&Arc<SymbolTable>>,
    by: &GroupBy,
) -> RunResult {
    let costs = &object.profile.costs;
    let grouped = match by {
        GroupBy::Label(key) => {
            labels::check(costs, key, &path_of(object))?;
            costs.grouped_by_label(key.as_bytes())
        }
        _ if object.profile.history.is_some() => {
            return Err(RunError::NoGroups { path: path_of(object), what: "costs of functions" });
        }
        GroupBy::Object | GroupBy::Source => {
            let executable = object.executable.map(|(one, _)| name_of(one.path()));
            let group_of = |place: ContextPlace| match (by, place.object) {
                (GroupBy::Source, _) => place.file,
                (_, Some(recorded)) => Some(last_component(&recorded).into()),
                (_, None) => executable.clone(),
            };
            let places = NamedContexts::places(costs, program.map(|table| &**table));
            let groups: Vec<Option<Arc<[u8]>>> = places.into_iter().map(group_of).collect();
            if groups.iter().all(Option::is_none) {
                let what = if *by == GroupBy::Source { SOURCES } else { "libraries" };
                return Err(RunError::NoGroups { path: path_of(object), what });
            }
            let unknown: Arc<[u8]> = UNKNOWN.into();
            let known = groups.into_iter().map(|group| group.unwrap_or_else(|| unknown.clone()));
            costs.grouped(&known.collect::<Vec<_>>())
        }
    };
    object.profile.costs = grouped;
    Ok(())
}

/// The same for samples by address; `program` is the path of the first executable.
///
/// # Errors
/// If nothing has a group.
pub(super) fn group_symbols(
    table: &SymbolTable,
    program: Option<&Path>,
    by: &GroupBy,
) -> RunResult<SymbolTable> {
    let path = || program.map_or(String::new(), |path| path.display().to_string());
    let unknown: Arc<[u8]> = UNKNOWN.into();
    match by {
        GroupBy::Label(key) => Err(labels::not_found(&RecordedCosts::default(), key, &path())),
        GroupBy::Object => {
            let only = program.map_or(unknown, name_of);
            Ok(table.grouped(|symbol| {
                let object = table.object_of(symbol);
                object.map_or_else(|| Arc::clone(&only), |object| last_component(object).into())
            }))
        }
        GroupBy::Source if !table.has_sources() => {
            Err(RunError::NoGroups { path: path(), what: SOURCES })
        }
        GroupBy::Source => {
            let files = table.files();
            let names: Vec<Arc<[u8]>> = files.ids().map(|id| files.name(id).into()).collect();
            let of = |symbol: &Symbol| symbol.source.map(|source| source.file.0 as usize);
            Ok(table.grouped(|symbol| {
                of(symbol).map_or_else(|| Arc::clone(&unknown), |file| Arc::clone(&names[file]))
            }))
        }
    }
}

fn name_of(path: &Path) -> Arc<[u8]> {
    file_name(path).into()
}

fn path_of(object: &Object<'_>) -> String {
    let path = object.paths.first().map(|path| path.display().to_string());
    path.unwrap_or_else(|| object.name.clone())
}
