//! Parses an expression into steps.

use super::{CostShare, KeepPattern, MatchPosition, PatternError};
use crate::limits::DEEPEST;
use crate::standard_ml::{is_space, real, trim_start};

/// An expression, as steps on a stack of sets.
#[derive(Clone, Debug)]
pub struct Keep {
    pub(super) steps: Box<[SetStep]>,
}

/// A step: pushes a set, or replaces the top of the stack.
#[derive(Clone, Debug)]
pub(super) enum SetStep {
    All,
    None,
    Fitting(KeepPattern),
    AtLeast(CostShare, f64),
    And,
    Or,
    Unary(Unary),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Unary {
    Not,
    Predecessors,
    Successors,
    From,
    To,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum KeepError {
    #[error("the expression is empty")]
    Empty,
    #[error("missing `)` at the end")]
    Open,
    #[error("unexpected `)`")]
    Closed,
    #[error("missing `\"` at the end")]
    OpenString,
    #[error("`{0}` is not an expression; put names in double quotes, as in '(from \"main\")'")]
    Word(String),
    #[error(
        "unknown operator `{0}`; valid are and, or, not, pred, succ, from, to, thresh, thresh-gc \
         and thresh-stack"
    )]
    Operator(String),
    #[error("`{0}` takes one expression")]
    Arity(&'static str),
    #[error("`{0}` takes a number from 0 to 100")]
    Threshold(&'static str),
    #[error("\"{text}\" is not a regular expression: {source}")]
    Pattern { text: String, source: PatternError },
    #[error("more than {DEEPEST} nested parentheses")]
    Depth,
}

#[derive(Clone, Copy, PartialEq)]
enum SetOperator {
    And,
    Or,
    Unary(Unary),
    Threshold(CostShare),
}

const OPERATORS: [(&str, SetOperator); 10] = [
    ("and", SetOperator::And),
    ("or", SetOperator::Or),
    ("not", SetOperator::Unary(Unary::Not)),
    ("pred", SetOperator::Unary(Unary::Predecessors)),
    ("succ", SetOperator::Unary(Unary::Successors)),
    ("from", SetOperator::Unary(Unary::From)),
    ("to", SetOperator::Unary(Unary::To)),
    ("thresh", SetOperator::Threshold(CostShare::SelfCost)),
    ("thresh-gc", SetOperator::Threshold(CostShare::Collector)),
    ("thresh-stack", SetOperator::Threshold(CostShare::Stack)),
];

/// An open parenthesis.
struct OpenParenthesis {
    name: &'static str,
    operator: SetOperator,
    n_operands: usize,
}

impl Keep {
    /// The expression that keeps every node.
    pub fn all() -> Self {
        Self { steps: [SetStep::All].into() }
    }

    /// Functions with at least this self cost, in percent.
    pub fn at_least(percentage: f64) -> Self {
        Self { steps: [SetStep::AtLeast(CostShare::SelfCost, percentage)].into() }
    }

    /// Parses the first expression in a text; ignores the rest. `place` determines where patterns
    /// match.
    ///
    /// # Errors
    /// If the text does not start with a valid expression.
    pub fn parse(text: &[u8], place: MatchPosition) -> Result<Self, KeepError> {
        let mut tokens = Tokens { rest: text };
        let mut steps = Vec::new();
        let mut frames: Vec<OpenParenthesis> = Vec::new();
        loop {
            let Some(token) = tokens.next()? else {
                return Err(if frames.is_empty() { KeepError::Empty } else { KeepError::Open });
            };
            match token {
                Token::Open => {
                    check_operand(frames.last())?;
                    frames.push(open(&mut tokens)?);
                    if frames.len() > DEEPEST {
                        return Err(KeepError::Depth);
                    }
                    continue;
                }
                Token::Close => {
                    let frame = frames.pop().ok_or(KeepError::Closed)?;
                    close(&frame, &mut steps)?;
                }
                Token::String(text) => {
                    check_operand(frames.last())?;
                    steps.push(SetStep::Fitting(pattern(&text, place)?));
                }
                Token::Word(word) => match frames.last_mut() {
                    Some(OpenParenthesis {
                        name,
                        operator: SetOperator::Threshold(share),
                        n_operands: n_operands @ 0,
                    }) => {
                        let value = percentage(word).filter(|value| !value.is_nan());
                        let value = value.ok_or(KeepError::Threshold(name))?;
                        steps.push(SetStep::AtLeast(*share, value));
                        *n_operands = 1;
                        continue;
                    }
                    _ if word == b"all" => {
                        check_operand(frames.last())?;
                        steps.push(SetStep::All);
                    }
                    _ => return Err(KeepError::Word(shown(word))),
                },
            }
            // The top of the stack is a whole expression now.
            match frames.last_mut() {
                None => {
                    let steps = steps.into();
                    return Ok(Self { steps });
                }
                Some(frame) => join(frame, &mut steps),
            }
        }
    }
}

/// Thresholds take numbers, not expressions.
fn check_operand(frame: Option<&OpenParenthesis>) -> Result<(), KeepError> {
    match frame {
        Some(&OpenParenthesis { name, operator: SetOperator::Threshold(_), .. }) => {
            Err(KeepError::Threshold(name))
        }
        _ => Ok(()),
    }
}

/// The operator after an opening parenthesis.
fn open(tokens: &mut Tokens<'_>) -> Result<OpenParenthesis, KeepError> {
    let word = match tokens.next()? {
        None => return Err(KeepError::Open),
        Some(Token::Word(word)) => word,
        Some(Token::Open) => b"(",
        Some(Token::Close) => b")",
        Some(Token::String(text)) => return Err(KeepError::Operator(shown(&text))),
    };
    let mut known = OPERATORS.iter();
    let found = known.find(|(name, _)| name.as_bytes() == word);
    let &(name, operator) = found.ok_or_else(|| KeepError::Operator(shown(word)))?;
    Ok(OpenParenthesis { name, operator, n_operands: 0 })
}

/// Adds an operand to an open parenthesis.
fn join(frame: &mut OpenParenthesis, steps: &mut Vec<SetStep>) {
    frame.n_operands += 1;
    if frame.n_operands > 1 {
        match frame.operator {
            SetOperator::And => steps.push(SetStep::And),
            SetOperator::Or => steps.push(SetStep::Or),
            SetOperator::Unary(_) | SetOperator::Threshold(..) => {}
        }
    }
}

fn close(frame: &OpenParenthesis, steps: &mut Vec<SetStep>) -> Result<(), KeepError> {
    match (frame.operator, frame.n_operands) {
        (SetOperator::And, 0) => steps.push(SetStep::All),
        (SetOperator::Or, 0) => steps.push(SetStep::None),
        (SetOperator::And | SetOperator::Or, _) | (SetOperator::Threshold(_), 1) => {}
        (SetOperator::Threshold(_), _) => return Err(KeepError::Threshold(frame.name)),
        (SetOperator::Unary(unary), 1) => steps.push(SetStep::Unary(unary)),
        (SetOperator::Unary(_), _) => return Err(KeepError::Arity(frame.name)),
    }
    Ok(())
}

fn pattern(text: &[u8], place: MatchPosition) -> Result<KeepPattern, KeepError> {
    KeepPattern::new(text, place).map_err(|source| KeepError::Pattern { text: shown(text), source })
}

fn shown(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

/// The percentage at the start of a text, as Standard ML reads a real number; ignores the
/// rest.
pub fn percentage(text: &[u8]) -> Option<f64> {
    let value = real(text)?;
    // NaN does not count as out of range.
    (value.is_nan() || (0.0..=100.0).contains(&value)).then_some(value)
}

enum Token<'a> {
    Open,
    Close,
    Word(&'a [u8]),
    String(Vec<u8>),
}

struct Tokens<'a> {
    rest: &'a [u8],
}

impl<'a> Tokens<'a> {
    /// The next token. Skips white space and comments from `;` to the end of the line.
    fn next(&mut self) -> Result<Option<Token<'a>>, KeepError> {
        loop {
            self.rest = trim_start(self.rest);
            let Some((first, behind)) = self.rest.split_first() else {
                return Ok(None);
            };
            let token = match first {
                b';' => {
                    let end = behind.iter().position(|&byte| byte == b'\n');
                    self.rest = end.map_or(&[], |end| &behind[end..]);
                    continue;
                }
                b'(' => Token::Open,
                b')' => Token::Close,
                b'"' => return self.string(behind).map(Some),
                _ => {
                    let is_end = |byte: &u8| is_space(byte) || b"();\"".contains(byte);
                    let end = self.rest.iter().position(is_end);
                    let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
                    self.rest = rest;
                    return Ok(Some(Token::Word(word)));
                }
            };
            self.rest = behind;
            return Ok(Some(token));
        }
    }

    /// A string up to the next quote. A backslash escapes the next character.
    fn string(&mut self, rest: &'a [u8]) -> Result<Token<'a>, KeepError> {
        let mut text = Vec::new();
        let mut bytes = rest.iter();
        loop {
            match bytes.next().ok_or(KeepError::OpenString)? {
                b'"' => break,
                b'\\' => text.push(*bytes.next().ok_or(KeepError::OpenString)?),
                &byte => text.push(byte),
            }
        }
        self.rest = bytes.as_slice();
        Ok(Token::String(text))
    }
}
