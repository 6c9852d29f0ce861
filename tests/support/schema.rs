//! The part of JSON Schema (draft 2020-12) that the schema of reports uses. A keyword outside of
//! this part is a failure, so that none is ignored.

use std::cell::RefCell;
use std::collections::HashMap;

use regex::Regex;
use serde_json::{Map, Value};

/// A schema with its definitions.
pub(crate) struct Schema {
    root: Value,
    /// Patterns compiled once: a report matches them a million times.
    patterns: RefCell<HashMap<String, Regex>>,
}

/// Keywords that hold for every value.
const ANNOTATIONS: [&str; 5] = ["$schema", "$id", "$defs", "title", "description"];

impl Schema {
    pub(crate) fn new(text: &str) -> Self {
        let root = serde_json::from_str(text).expect("the schema is JSON");
        Self { root, patterns: RefCell::default() }
    }

    /// The first place where a value violates the schema, and why.
    pub(crate) fn check(&self, value: &Value) -> Result<(), String> {
        self.check_at(&self.root, value, "")
    }

    fn check_at(&self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        let keywords = match schema {
            Value::Bool(true) => return Ok(()),
            Value::Object(keywords) => keywords,
            _ => return Err(format!("{at}: nothing may be here")),
        };
        keywords
            .iter()
            .try_for_each(|(keyword, rule)| self.check_keyword(keyword, rule, keywords, value, at))
    }

    fn check_keyword(
        &self,
        keyword: &str,
        rule: &Value,
        schema: &Map<String, Value>,
        value: &Value,
        at: &str,
    ) -> Result<(), String> {
        let holds = match keyword {
            "type" => types(rule).any(|name| is_of_type(value, name)),
            "const" => value == rule,
            "enum" => rule.as_array().expect("a list").contains(value),
            "minimum" => value.as_f64().is_none_or(|n| n >= number(rule)),
            "maximum" => value.as_f64().is_none_or(|n| n <= number(rule)),
            "minItems" => (value.as_array()).is_none_or(|all| all.len() as f64 >= number(rule)),
            "maxItems" => (value.as_array()).is_none_or(|all| all.len() as f64 <= number(rule)),
            "pattern" => {
                value.as_str().is_none_or(|text| self.matches(rule.as_str().expect("a text"), text))
            }
            "required" => {
                let mut names = rule.as_array().expect("a list").iter();
                value.as_object().is_none_or(|object| {
                    names.all(|name| object.contains_key(name.as_str().expect("a name")))
                })
            }
            "anyOf" => {
                let mut choices = rule.as_array().expect("a list").iter();
                choices.any(|choice| self.check_at(choice, value, at).is_ok())
            }
            "$ref" => {
                let pointer = rule.as_str().and_then(|name| name.strip_prefix('#'));
                let target = pointer.and_then(|pointer| self.root.pointer(pointer));
                return self.check_at(target.expect("it is defined"), value, at);
            }
            "items" => {
                let mut items = value.as_array().into_iter().flatten().enumerate();
                return items
                    .try_for_each(|(n, item)| self.check_at(rule, item, &format!("{at}/{n}")));
            }
            "properties" | "patternProperties" | "additionalProperties" => {
                return self.check_members(schema, value, at);
            }
            known if ANNOTATIONS.contains(&known) => true,
            unknown => panic!("the schema has `{unknown}`, which is not checked"),
        };
        if holds {
            Ok(())
        } else {
            Err(format!("{at}: `{keyword}` is {rule}, and here is {value}"))
        }
    }

    fn check_members(
        &self,
        schema: &Map<String, Value>,
        value: &Value,
        at: &str,
    ) -> Result<(), String> {
        let none = Map::new();
        let rules = |keyword| schema.get(keyword).and_then(Value::as_object).unwrap_or(&none);
        for (name, member) in value.as_object().unwrap_or(&none) {
            let at = format!("{at}/{name}");
            let by_name = rules("properties").get(name);
            let is_like = |(rule, _): &(&String, &Value)| self.matches(rule, name);
            let by_pattern = rules("patternProperties").iter().filter(is_like);
            let mut found: Vec<_> =
                by_name.into_iter().chain(by_pattern.map(|one| one.1)).collect();
            if found.is_empty() {
                found.extend(schema.get("additionalProperties"));
            }
            found.iter().try_for_each(|rule| self.check_at(rule, member, &at))?;
        }
        Ok(())
    }

    fn matches(&self, pattern: &str, text: &str) -> bool {
        let mut patterns = self.patterns.borrow_mut();
        if !patterns.contains_key(pattern) {
            let compiled = Regex::new(pattern).expect("a pattern");
            patterns.insert(pattern.to_owned(), compiled);
        }
        patterns[pattern].is_match(text)
    }
}

fn number(rule: &Value) -> f64 {
    rule.as_f64().expect("a number")
}

fn types(rule: &Value) -> impl Iterator<Item = &str> {
    let several = rule.as_array().into_iter().flatten();
    rule.as_str().into_iter().chain(several.filter_map(Value::as_str))
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        unknown => panic!("`{unknown}` is not a type"),
    }
}

#[test]
fn values_that_break_a_rule_are_found() {
    let schema = Schema::new(
        r##"{"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#/$defs/n"}},
            "patternProperties": {"^x": {"type": ["string", "null"]}},
            "additionalProperties": false,
            "$defs": {"n": {"anyOf": [{"type": "integer", "minimum": 2, "maximum": 4},
                {"type": "array", "minItems": 1, "maxItems": 2, "items": {"enum": [1, "b"]}},
                {"const": "c"}, {"type": "string", "pattern": "^d+$"}]}}}"##,
    );
    let check = |text: &str, is_right: bool| {
        let value = serde_json::from_str(text).expect("the case is JSON");
        let found = schema.check(&value);
        assert_eq!(found.is_ok(), is_right, "{text}: {found:?}");
    };
    for right in ["2", "4", "[1]", r#"[1, "b"]"#, r#""c""#, r#""dd""#] {
        check(&format!(r#"{{"a": {right}}}"#), true);
    }
    for wrong in ["1", "5", "2.5", "[]", "[2]", "[1, 1, 1]", r#""e""#, "null", "{}"] {
        check(&format!(r#"{{"a": {wrong}}}"#), false);
    }
    check(r#"{"a": 2, "x1": null, "x2": "y"}"#, true);
    check(r#"{"a": 2, "x1": 1}"#, false);
    check(r#"{"a": 2, "b": 1}"#, false);
    check("{}", false);
    check("[]", false);
}
