//! What a sheet is made of, before anybody decides how it is written.

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Span {
    /// Words.
    Text(String),
    /// What is typed or read letter by letter: a state.
    Code(String),
}

impl Span {
    /// A line of words alone.
    #[must_use]
    pub fn words(text: impl Into<String>) -> Vec<Self> {
        vec![Self::Text(text.into())]
    }
}

/// What a part of a sheet is about, so that it can be set off from the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// A step, with its identifier.
    Step(String),
    /// What is asked.
    Question,
    /// What is to be reached.
    Task,
    /// What is said when it is revealed.
    Reveal,
    /// What is for the instructor.
    Notes,
    /// What somebody may say, and what to answer.
    Misconception,
}

/// Room to write in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// For a number or a word.
    Short,
    /// For a code of twelve symbols.
    Code,
    /// For a sentence or two.
    Lines,
}

/// A part of a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The lesson's name, once, and first.
    Title(String),
    /// A step's name, with what stands after it: its minutes.
    #[expect(missing_docs, reason = "the variant's text says what the fields are")]
    Heading { text: String, aside: String },
    /// A paragraph.
    Paragraph(String),
    /// A list.
    Items(Vec<Vec<Span>>),
    /// What can be ticked, one of them.
    Choices(Vec<String>),
    /// A word that says what follows, and a line after it, which may be empty.
    #[expect(missing_docs, reason = "the variant's text says what the fields are")]
    Line { label: String, spans: Vec<Span> },
    /// A word that says what to write, and room for it.
    #[expect(missing_docs, reason = "the variant's text says what the fields are")]
    Blank { label: String, room: Room },
    /// A table whose rows are as long as its head.
    #[expect(missing_docs, reason = "the variant's text says what the fields are")]
    Table { head: Vec<String>, rows: Vec<Vec<String>> },
    /// Where the figure of a step's state stands, by the step's position.
    Figure(usize),
    /// Parts that belong together.
    Group(About, Vec<Self>),
}
