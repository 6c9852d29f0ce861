//! Keys of cells in formats with named values.

use std::collections::HashSet;

use crate::report::{Column, Metric, MetricIndex, Role};

/// Keys for the kind of a row, and for rows that belong to it.
pub(super) const RESERVED: [&str; 9] = [
    "kind",
    "section",
    "values",
    "total_values",
    "callers",
    "inlines",
    "frames",
    "members",
    "callees",
];

/// Keys in use, by group.
type TakenKeys = HashSet<(FieldGroup, String)>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) place: FieldGroup,
    pub(super) key: String,
    /// Further keys of a name, in columns of names.
    pub(super) name: Option<NameKeys>,
}

/// A group of values in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum FieldGroup {
    /// The row itself.
    Row,
    /// Self costs in other metrics than the primary one.
    Values,
    /// Total costs in other metrics.
    TotalValues,
}

/// A property of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NamePart {
    LinkageName,
    File,
    Line,
    Address,
    Static,
    Object,
    Beside,
}

/// All properties, with their keys.
pub(super) const NAME_PARTS: [(NamePart, &str); 7] = [
    (NamePart::LinkageName, "linkage_name"),
    (NamePart::File, "file"),
    (NamePart::Line, "line"),
    (NamePart::Address, "address"),
    (NamePart::Static, "static"),
    (NamePart::Beside, "told_apart_by"),
    (NamePart::Object, "object"),
];

/// The keys of the properties, in the order of [`NAME_PARTS`].
pub(super) type NameKeys = [String; NAME_PARTS.len()];

/// The fields of a section, one for each column.
///
/// The key of a column is its id. The first columns with the self and total cost of another
/// metric are in groups, with the id of the metric as key. Further keys of a name are as in
/// [`NAME_PARTS`] for the column `name`, and start with the id for others. A duplicate key
/// gets a number.
pub(super) fn fields(columns: &[Column], metrics: &[Metric], primary: MetricIndex) -> Vec<Field> {
    let mut taken: TakenKeys = HashSet::new();
    taken.extend(RESERVED.map(|key| (FieldGroup::Row, key.to_owned())));
    let mut fields: Vec<Field> = columns
        .iter()
        .map(|column| {
            let (place, key) = place_and_key(column, metrics, primary, &taken);
            Field { place, key: claim(&mut taken, place, key), name: None }
        })
        .collect();
    for (field, column) in fields.iter_mut().zip(columns) {
        if column.role == Role::Name && field.place == FieldGroup::Row {
            field.name = Some(name_keys(&mut taken, &column.id));
        }
    }
    fields
}

fn place_and_key(
    column: &Column,
    metrics: &[Metric],
    primary: MetricIndex,
    taken: &TakenKeys,
) -> (FieldGroup, String) {
    let of_another = column.metric.filter(|&metric| metric != primary);
    let metric = of_another.and_then(|index| metrics.get(index));
    let place = match column.role {
        Role::SelfValue => FieldGroup::Values,
        Role::Total => FieldGroup::TotalValues,
        _ => FieldGroup::Row,
    };
    match metric {
        Some(metric) if place != FieldGroup::Row => {
            let key = (place, metric.id.clone().into_owned());
            if !taken.contains(&key) {
                return key;
            }
        }
        _ => {}
    }
    (FieldGroup::Row, column.id.clone().into_owned())
}

fn name_keys(taken: &mut TakenKeys, id: &str) -> NameKeys {
    let prefix = match id {
        "name" => String::new(),
        _ => format!("{id}_"),
    };
    NAME_PARTS.map(|(_, key)| claim(taken, FieldGroup::Row, format!("{prefix}{key}")))
}

/// Takes a key, with a number if it is in use.
fn claim(taken: &mut TakenKeys, place: FieldGroup, key: String) -> String {
    let numbered = (2..).map(|number| format!("{key}_{number}"));
    let free =
        std::iter::once(key.clone()).chain(numbered).find(|key| taken.insert((place, key.clone())));
    free.expect("there are more numbers than keys")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::testing::metric;

    fn check(columns: &[(&'static str, Role, Option<usize>)], expected: &[(FieldGroup, &str)]) {
        let metrics = [metric("ticks"), metric("bytes")];
        let columns: Vec<_> = columns
            .iter()
            .map(|&(id, role, metric)| Column { metric, ..Column::hidden(id, role) })
            .collect();
        let fields = fields(&columns, &metrics, 0);
        let found: Vec<_> = fields.iter().map(|one| (one.place, &*one.key)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn other_metrics_are_values_by_their_id() {
        check(
            &[
                ("self", Role::SelfValue, Some(0)),
                ("self_bytes", Role::SelfValue, Some(1)),
                ("total_bytes", Role::Total, Some(1)),
                ("self_kilobytes", Role::SelfValue, Some(1)),
                ("percent", Role::Share, Some(1)),
            ],
            &[
                (FieldGroup::Row, "self"),
                (FieldGroup::Values, "bytes"),
                (FieldGroup::TotalValues, "bytes"),
                (FieldGroup::Row, "self_kilobytes"),
                (FieldGroup::Row, "percent"),
            ],
        );
    }

    #[test]
    fn keys_that_are_taken_get_a_number() {
        check(
            &[("kind", Role::Other, None), ("kind", Role::Other, None)],
            &[(FieldGroup::Row, "kind_2"), (FieldGroup::Row, "kind_3")],
        );
        let columns = ["file", "name", "caller"].map(|id| Column::hidden(id, Role::Name));
        let fields = fields(&columns, &[], 0);
        let files: Vec<_> = fields.iter().flat_map(|one| &one.name).collect();
        let files: Vec<_> = files.iter().map(|keys| &*keys[1]).collect();
        assert_eq!(files, ["file_file", "file_2", "caller_file"]);
    }
}
