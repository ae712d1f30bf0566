//! The command line of `cargo xtask`: one table, from which parsing, errors and help all come.

use std::collections::BTreeMap;
use std::ffi::OsString;

use lexopt::Arg;

use crate::{Outcome, Trouble};

/// One option of a command.
#[derive(Debug)]
pub struct Flag {
    /// Name without dashes.
    pub name: &'static str,
    /// Placeholder of its value; `None` for a switch.
    pub value: Option<&'static str>,
    /// What it does, for the help.
    pub about: &'static str,
}

/// One command.
#[derive(Debug)]
pub struct Command {
    /// Word after `cargo xtask`.
    pub name: &'static str,
    /// What it does, for the help.
    pub about: &'static str,
    /// Placeholder of the one word that it takes beside its options, if it takes one.
    pub operand: Option<&'static str>,
    /// Every option it takes.
    pub flags: &'static [Flag],
}

const fn switch(name: &'static str, about: &'static str) -> Flag {
    Flag { name, value: None, about }
}

const fn valued(name: &'static str, value: &'static str, about: &'static str) -> Flag {
    Flag { name, value: Some(value), about }
}

/// Every command, in the order of the help.
pub const COMMANDS: &[Command] = &[
    Command {
        name: "serve",
        about: "build the site (without the programs of embeds), serve it on this machine and open it",
        operand: None,
        flags: &[
            valued("port", "N", "port to listen on (default: a free one)"),
            switch("no-open", "print the address only"),
        ],
    },
    Command {
        name: "test",
        about: "run every check; the last line counts them",
        operand: None,
        flags: &[
            switch("fast", "formatting, clippy and native tests only"),
            valued("only", "STEP", "one step by name; may be repeated"),
            switch("hosts", "also build every host site that embeds a lab"),
        ],
    },
    Command {
        name: "hosts",
        about: "build the example sites that embed a lab",
        operand: None,
        flags: &[valued("only", "HOST", "one host by name; may be repeated")],
    },
    Command {
        name: "dist",
        about: "write the static site, or a workshop kit",
        operand: None,
        flags: &[
            valued("out", "DIR", "folder to write (default: dist, or dist-workshop for the kit)"),
            valued("site-url", "URL", "address it will have; social cards and oEmbed need it"),
            switch("single-file", "also write one file per lab and one for all, for disks and sandboxes"),
            switch("workshop", "write a folder for a stick: labs and lessons in one file, handouts, notes"),
        ],
    },
    Command {
        name: "bench",
        about: "measure speed and size, and write docs/benchmarks.md",
        operand: None,
        flags: &[switch("quick", "fewer samples, printed only")],
    },
    Command {
        name: "fuzz",
        about: "feed the readers of links, scenarios, traces and lessons what nobody would write",
        operand: Some("TARGET"),
        flags: &[
            valued("runs", "N", "so many inputs for each target, the same every time"),
            valued("seconds", "N", "so long for each target, from what earlier runs found (default: 60)"),
            valued("input", "FILE", "this input only, such as one that was kept"),
        ],
    },
    Command {
        name: "doctor",
        about: "say what is installed, what is missing, and how to get it",
        operand: None,
        flags: &[switch("json", "as JSON")],
    },
    Command { name: "help", about: "print this", operand: None, flags: &[] },
];

/// A parsed command line.
#[derive(Debug, PartialEq, Eq)]
pub struct Parsed {
    /// Name of the command.
    pub command: &'static str,
    /// Values by option, in the order given; a switch has an empty value.
    options: BTreeMap<&'static str, Vec<String>>,
}

impl Parsed {
    /// Whether the switch was given.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.options.contains_key(name)
    }

    /// Every value of the option, in the order given; empty if it was not given.
    #[must_use]
    pub fn values(&self, name: &str) -> &[String] {
        self.options.get(name).map_or(&[], Vec::as_slice)
    }

    /// The last value of the option.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&str> {
        self.values(name).last().map(String::as_str)
    }

    /// The option as a number from 1.
    pub fn number(&self, name: &str) -> Outcome<Option<u64>> {
        let Some(text) = self.value(name) else { return Ok(None) };
        match text.parse::<u64>() {
            Ok(number) if number > 0 => Ok(Some(number)),
            _ => Err(Trouble(format!("--{name} {text:?} is not allowed: a whole number from 1"))),
        }
    }

    /// The option as a port: 1 to 65535.
    pub fn port(&self) -> Outcome<Option<u16>> {
        let Some(text) = self.value("port") else { return Ok(None) };
        match text.parse::<u16>() {
            Ok(port) if port > 0 => Ok(Some(port)),
            _ => Err(Trouble(format!("--port {text:?} is not a port: allowed are 1 to 65535"))),
        }
    }
}

/// Parses the words after `cargo xtask`. No word at all asks for help.
pub fn parse(words: impl IntoIterator<Item = OsString>) -> Outcome<Parsed> {
    let mut parser = lexopt::Parser::from_args(words);
    let first = parser.next().map_err(|error| Trouble(error.to_string()))?;
    let name = match first {
        None | Some(Arg::Short('h') | Arg::Long("help")) => "help".to_owned(),
        Some(Arg::Value(word)) => word.to_string_lossy().into_owned(),
        Some(other) => {
            return Err(Trouble(format!("{} comes before any command: {}", shown(&other), names())));
        }
    };
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        return Err(Trouble(format!("unknown command {name:?}: {}", names())));
    };
    let mut options: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
    while let Some(arg) = parser.next().map_err(|error| Trouble(error.to_string()))? {
        if matches!(arg, Arg::Short('h') | Arg::Long("help")) {
            return Ok(Parsed { command: "help", options: BTreeMap::new() });
        }
        if let (Arg::Value(word), Some(operand)) = (&arg, command.operand)
            && !options.contains_key(operand)
        {
            options.entry(operand).or_default().push(word.to_string_lossy().into_owned());
            continue;
        }
        let flag = match &arg {
            Arg::Long(long) => command.flags.iter().find(|flag| flag.name == *long),
            _ => None,
        };
        let Some(flag) = flag else {
            return Err(Trouble(format!(
                "unknown option {} for {name:?}: {}",
                shown(&arg),
                allowed(command)
            )));
        };
        let value = match flag.value {
            None => String::new(),
            Some(placeholder) => match parser.value() {
                Ok(value) => value.to_string_lossy().into_owned(),
                Err(_) => return Err(Trouble(format!("--{} needs a value: --{0} {placeholder}", flag.name))),
            },
        };
        options.entry(flag.name).or_default().push(value);
    }
    Ok(Parsed { command: command.name, options })
}

fn shown(arg: &Arg<'_>) -> String {
    match arg {
        Arg::Short(letter) => format!("-{letter}"),
        Arg::Long(word) => format!("--{word}"),
        Arg::Value(word) => format!("{:?}", word.to_string_lossy()),
    }
}

fn names() -> String {
    let names: Vec<&str> = COMMANDS.iter().map(|command| command.name).collect();
    format!("allowed are {}", names.join(", "))
}

fn usage(flag: &Flag) -> String {
    flag.value.map_or_else(|| format!("--{}", flag.name), |value| format!("--{} {value}", flag.name))
}

fn allowed(command: &Command) -> String {
    if command.flags.is_empty() {
        return "it takes none".to_owned();
    }
    let flags: Vec<String> = command.flags.iter().map(usage).collect();
    format!("allowed are {}", flags.join(", "))
}

/// The help text, ending in a new line.
#[must_use]
pub fn help() -> String {
    let mut text = "cargo xtask <command> [options]\n".to_owned();
    for command in COMMANDS {
        let operand = command.operand.map_or_else(String::new, |word| format!(" [{word}]"));
        text += &format!("\n  {:<20}{}\n", format!("{}{operand}", command.name), command.about);
        for flag in command.flags {
            text += &format!("    {:<18}{}\n", usage(flag), flag.about);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str) -> Outcome<Parsed> {
        parse(line.split_whitespace().map(OsString::from))
    }

    fn message(line: &str) -> String {
        check(line).unwrap_err().0
    }

    #[test]
    fn every_command_and_flag_of_the_table_parses() {
        for command in COMMANDS {
            let flags: Vec<String> = command
                .flags
                .iter()
                .map(|flag| {
                    flag.value.map_or_else(|| format!("--{}", flag.name), |_| format!("--{} 7", flag.name))
                })
                .collect();
            let parsed = check(&format!("{} {}", command.name, flags.join(" "))).unwrap();
            assert_eq!(parsed.command, command.name);
            for flag in command.flags {
                assert!(parsed.has(flag.name));
                assert_eq!(parsed.value(flag.name), Some(if flag.value.is_some() { "7" } else { "" }));
            }
        }
    }

    #[test]
    fn errors_name_the_word_and_what_is_allowed() {
        assert_eq!(
            message("test --quick"),
            "unknown option --quick for \"test\": allowed are --fast, --only STEP, --hosts"
        );
        assert_eq!(message("help --x"), "unknown option --x for \"help\": it takes none");
        assert_eq!(message("doctor extra"), "unknown option \"extra\" for \"doctor\": allowed are --json");
        assert_eq!(
            message("build"),
            "unknown command \"build\": allowed are serve, test, hosts, dist, bench, fuzz, doctor, help"
        );
        assert_eq!(
            message("-x"),
            "-x comes before any command: allowed are serve, test, hosts, dist, bench, fuzz, doctor, help"
        );
        assert_eq!(message("dist --out"), "--out needs a value: --out DIR");
    }

    #[test]
    fn ports_out_of_range_are_named() {
        assert_eq!(check("serve --port 8080").unwrap().port(), Ok(Some(8080)));
        assert_eq!(check("serve").unwrap().port(), Ok(None));
        for port in ["0", "65536", "-1", "http"] {
            let trouble = check(&format!("serve --port={port}")).unwrap().port().unwrap_err();
            assert!(trouble.0.contains(port) && trouble.0.contains("1 to 65535"), "{trouble}");
        }
    }

    #[test]
    fn one_word_beside_the_options_is_taken_where_a_command_has_one() {
        let parsed = check("fuzz link --runs 5").unwrap();
        assert_eq!((parsed.value("TARGET"), parsed.number("runs")), (Some("link"), Ok(Some(5))));
        assert_eq!(check("fuzz --runs 5 link").unwrap().value("TARGET"), Some("link"));
        assert_eq!(check("fuzz").unwrap().number("runs"), Ok(None));
        assert!(message("fuzz link azure").starts_with("unknown option \"azure\" for \"fuzz\""));
        for runs in ["0", "-1", "many"] {
            let trouble = check(&format!("fuzz --runs={runs}")).unwrap().number("runs").unwrap_err();
            assert!(trouble.0.contains(runs) && trouble.0.contains("from 1"), "{trouble}");
        }
    }

    #[test]
    fn repeated_values_keep_their_order_and_help_wins() {
        assert_eq!(check("test --only fmt --only unit").unwrap().values("only"), ["fmt", "unit"]);
        for line in ["", "--help", "-h", "help", "test --help", "serve -h"] {
            assert_eq!(check(line).unwrap().command, "help", "{line}");
        }
        for command in COMMANDS {
            assert!(help().contains(command.about), "{}", command.name);
        }
    }
}
