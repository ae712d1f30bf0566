//! The command line, close to that of an ordinary Rust test binary.

use crate::{ALL, Engine, Journey};

/// What was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Arguments {
    /// Only engines that are named here, if any is.
    pub(super) engines: Vec<Engine>,
    /// Only journeys whose reported name contains one of these, if there is one.
    filters: Vec<String>,
    /// None of these.
    skips: Vec<String>,
    /// A filter must be the whole name.
    exact: bool,
    /// Print the names and stop.
    pub(super) list: bool,
}

impl Arguments {
    /// Reads the words after the program's name; an error is a sentence for the terminal.
    pub(super) fn read(words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut arguments = Self::default();
        let mut words = words.flat_map(|word| match word.split_once('=') {
            Some((name, value)) if name.starts_with("--") => vec![name.to_owned(), value.to_owned()],
            _ => vec![word],
        });
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} wants a value"));
            match word.as_str() {
                "--engine" => {
                    let name = value()?;
                    let engine = Engine::named(&name).ok_or_else(|| {
                        let known: Vec<&str> = ALL.iter().map(|engine| engine.name()).collect();
                        format!("there is no engine {name}; there are {}", known.join(", "))
                    })?;
                    arguments.engines.push(engine);
                }
                "--skip" => arguments.skips.push(value()?),
                "--exact" => arguments.exact = true,
                "--list" => arguments.list = true,
                // Cargo and its users pass these to every test binary; they change nothing here.
                "--nocapture" | "--no-capture" | "--quiet" | "-q" | "--show-output" | "--include-ignored" => {
                }
                "--test-threads" | "--color" | "--format" => drop(value()?),
                unknown if unknown.starts_with('-') => return Err(format!("unknown option {unknown}")),
                _ => arguments.filters.push(word),
            }
        }
        Ok(arguments)
    }

    /// Whether this journey in this engine is asked for.
    pub(super) fn wants(&self, engine: Engine, journey: &Journey) -> bool {
        let name = reported(engine, journey);
        let fits =
            |filter: &String| if self.exact { *filter == name } else { name.contains(filter.as_str()) };
        (self.engines.is_empty() || self.engines.contains(&engine))
            && (self.filters.is_empty() || self.filters.iter().any(fits))
            && !self.skips.iter().any(fits)
    }
}

/// Name of a journey in an engine, as it is reported: `chromium::herding::keys`.
pub(super) fn reported(engine: Engine, journey: &Journey) -> String {
    format!("{engine}::{}", journey.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Arguments, String> {
        Arguments::read(words.iter().map(|word| (*word).to_owned()))
    }

    fn journey(name: &'static str) -> Journey {
        let run: crate::Run = |_| Box::pin(async { Ok(()) });
        Journey { name, engines: ALL, site: crate::Site::Fixtures, run, limit: std::time::Duration::ZERO }
    }

    #[test]
    fn a_filter_is_part_of_the_reported_name() {
        let arguments = read(&["herding", "--engine=webkit"]).unwrap();
        assert!(arguments.wants(Engine::WebKit, &journey("herding::keys")));
        assert!(!arguments.wants(Engine::WebKit, &journey("retries::keys")));
        assert!(!arguments.wants(Engine::Firefox, &journey("herding::keys")));
    }

    #[test]
    fn exact_names_and_skips_are_kept_apart() {
        let arguments = read(&["--exact", "firefox::a", "--skip", "firefox::b"]).unwrap();
        assert!(arguments.wants(Engine::Firefox, &journey("a")));
        assert!(!arguments.wants(Engine::Firefox, &journey("ab")));
        assert!(!read(&["--skip", "keys"]).unwrap().wants(Engine::Firefox, &journey("herding::keys")));
    }

    #[test]
    fn mistakes_are_told() {
        assert!(read(&["--engine", "opera"]).unwrap_err().contains("chromium, firefox, webkit"));
        assert!(read(&["--engine"]).is_err());
        assert!(read(&["--speed"]).is_err());
    }
}
