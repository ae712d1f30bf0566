//! Workloads with a name: settings of section `workload` (and what only makes sense with them) that
//! a reader can start from.

use tokenyard_fleet::scenario::Section;
use tokenyard_param::Values;

use crate::setup::Study;

/// One of them. Words: `named.<id>.name`, `.text`.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// Its name.
    pub id: &'static str,
    set: &'static [(&'static str, &'static str)],
}

/// All, in the order of the list; the first is the start page's.
pub const NAMED: [Named; 8] = [
    Named {
        id: "families",
        set: &[
            ("requests", "400"),
            ("rate_rps", "32"),
            ("prefix", "families"),
            ("families", "40"),
            ("shared_tokens", "6000"),
            ("prompt_mean", "512"),
            ("output_mean", "128"),
        ],
    },
    Named {
        id: "chat",
        set: &[
            ("requests", "600"),
            ("rate_rps", "24"),
            ("prefix", "sessions"),
            ("shared_tokens", "1024"),
            ("prompt_mean", "256"),
            ("output_mean", "256"),
            ("turns", "6"),
            ("think_s", "4"),
        ],
    },
    Named {
        id: "unique",
        set: &[("requests", "400"), ("rate_rps", "40"), ("prompt_mean", "1024"), ("output_mean", "256")],
    },
    Named {
        id: "hot-prompt",
        set: &[
            ("requests", "400"),
            ("rate_rps", "48"),
            ("prefix", "system"),
            ("shared_tokens", "8000"),
            ("prompt_mean", "256"),
            ("output_mean", "128"),
        ],
    },
    Named {
        id: "agents",
        set: &[
            ("requests", "600"),
            ("rate_rps", "16"),
            ("prefix", "sessions"),
            ("shared_tokens", "4000"),
            ("shape", "tool-agent"),
            ("tool_s", "1"),
            ("growth_tokens", "800"),
            ("prompt_mean", "512"),
            ("output_mean", "128"),
        ],
    },
    Named {
        id: "bursts",
        set: &[
            ("requests", "400"),
            ("rate_rps", "24"),
            ("arrivals", "batch"),
            ("batch_size", "16"),
            ("prompt_mean", "1024"),
            ("output_mean", "128"),
        ],
    },
    Named {
        id: "two-lengths",
        set: &[
            ("requests", "400"),
            ("rate_rps", "16"),
            ("prompt_shape", "mixture"),
            ("prompt_mean", "512"),
            ("prompt_second_mean", "12000"),
            ("prompt_second_share", "0.1"),
            ("output_mean", "192"),
        ],
    },
    Named {
        id: "rollouts",
        set: &[
            ("requests", "640"),
            ("arrivals", "closed"),
            ("concurrency", "64"),
            ("prefix", "sessions"),
            ("shared_tokens", "512"),
            ("rollouts", "64"),
            ("prompt_mean", "256"),
            ("growth_tokens", "256"),
            ("output_mean", "256"),
        ],
    },
];

impl Named {
    fn values(&self) -> Values {
        let mut values = Values::defaults(Section::Workload.table());
        for (key, text) in self.set {
            let place = values.position(key);
            let value = place.and_then(|place| values.specs()[place].parse(text).ok());
            let set = place.zip(value).is_some_and(|(place, value)| values.set(place, value));
            debug_assert!(set, "{}: {key}", self.id);
        }
        values
    }

    /// Puts the workload into a study; everything else stays.
    pub fn put(&self, study: &mut Study) {
        *study.base.section_mut(Section::Workload) = self.values();
    }

    /// Whether a study has this workload.
    #[must_use]
    pub fn is_in(&self, study: &Study) -> bool {
        study.base.section(Section::Workload) == &self.values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_page_has_the_first_workload() {
        assert!(NAMED[0].is_in(&Study::default()));
        assert_eq!(NAMED.iter().filter(|named| named.is_in(&Study::default())).count(), 1);
    }

    #[test]
    fn every_workload_drains() {
        for named in NAMED {
            let mut study = Study::default();
            named.put(&mut study);
            let lanes = crate::work::run(&study, None).unwrap();
            for lane in &lanes {
                assert_eq!((lane.end(), lane.unfinished()), ("drained", 0), "{}", named.id);
                assert!(lane.requests() >= 100, "{}: {}", named.id, lane.requests());
            }
        }
    }
}
