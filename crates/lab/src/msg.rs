//! Sentences as data: a key and its arguments.

/// A key of the message catalogue with arguments for its placeholders.
#[derive(Clone, Debug, PartialEq)]
pub struct Msg {
    /// Key in the catalogue.
    pub key: &'static str,
    /// Placeholder and value.
    pub args: Vec<(&'static str, Arg)>,
}

/// A value in a sentence. Digits are made from the exact double; separators follow the language.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// A whole number.
    Int(i64),
    /// A number with so many decimals.
    Fixed(f64, u8),
    /// A share, shown as a whole percentage, half up.
    Percent(f64),
    /// Text that is the same in every language: an identifier, a name the reader typed.
    Text(String),
    /// A replica, from 0; shown as a letter.
    Replica(u32),
    /// Another message.
    Msg(Msg),
    /// The words of a key that is put together at run time.
    Key(String),
    /// Several values with the language's separator between them.
    List(Vec<Arg>),
}

/// A message without arguments; add them with [`Msg::with`].
#[must_use]
pub const fn msg(key: &'static str) -> Msg {
    Msg { key, args: Vec::new() }
}

impl Msg {
    /// Adds an argument.
    #[must_use]
    pub fn with(mut self, name: &'static str, arg: impl Into<Arg>) -> Self {
        self.args.push((name, arg.into()));
        self
    }
}

impl From<u32> for Arg {
    fn from(v: u32) -> Self {
        Self::Int(i64::from(v))
    }
}

impl From<i64> for Arg {
    fn from(v: i64) -> Self {
        Self::Int(v)
    }
}

impl From<usize> for Arg {
    fn from(v: usize) -> Self {
        Self::Int(i64::try_from(v).unwrap_or(i64::MAX))
    }
}

impl From<Msg> for Arg {
    fn from(v: Msg) -> Self {
        Self::Msg(v)
    }
}

impl From<String> for Arg {
    fn from(v: String) -> Self {
        Self::Text(v)
    }
}
