use tokenyard_det::format::{fixed, percent};
use tokenyard_det::stat;

use super::*;
use crate::labs::routing_lab::fleet::{fullest, held, warm};
use crate::luck;
use crate::spec::solved;

fn race(set: &[(&str, &str)]) -> Race {
    let setup = LAB.with(set);
    let params = Params::from_values(&setup.values);
    let workload = Workload::generate(&params);
    let lanes = lanes(&setup).into_iter().map(|rule| model::run(&params, &workload, rule)).collect();
    Race { params, workload, lanes }
}

/// One figure of a rule over the 200 seeds of the luck panel.
fn over_seeds(set: &[(&str, &str)], rule: Rule, figure: fn(&Summary) -> f64) -> Vec<f64> {
    let params = Params::from_values(&LAB.with(set).values);
    let one = |seed| {
        let params = Params { seed, ..params };
        figure(&model::summarise(&params, &Workload::generate(&params), rule))
    };
    (LAB.luck.0..LAB.luck.0 + luck::SEEDS).map(one).collect()
}

fn median(mut values: Vec<f64>) -> f64 {
    stat::sort(&mut values);
    stat::quantile(&values, 0.5).unwrap()
}

#[test]
fn the_summary_table_is_the_published_one() {
    let table = table(&LAB.defaults());
    let printed: Vec<[String; 5]> = table
        .rows
        .iter()
        .map(|r| {
            let [a, b, c, d, e] = r.cells[..] else { panic!() };
            [fixed(a, 1), percent(b), percent(c), fixed(d, 0), fixed(e, 1)]
        })
        .collect();
    assert_eq!(
        printed,
        [
            ["324.2", "88", "38", "10", "14.4"],
            ["84.3", "94", "46", "0", "15.1"],
            ["52.1", "98", "39", "10", "16.6"],
            ["90.1", "94", "37", "8", "16.6"],
            ["559.0", "81", "45", "50", "12.5"],
            ["151.3", "91", "67", "11", "17.2"],
        ]
    );
}

/// The numbers of the luck remark, the prediction's reason and the notes (`doubts.md` D2).
#[test]
fn what_the_words_say_about_two_hundred_seeds_is_so() {
    let tail = |rule| over_seeds(&[], rule, |s| s.ttft_p95);
    let hits = |rule| over_seeds(&[], rule, |s| s.cache_hit_rate);
    let medians = Rule::ALL.map(|rule| fixed(median(tail(rule)), 0));
    assert_eq!(medians, ["239", "185", "100", "126", "354", "112"]);
    let ranks = [(Rule::RoundRobin, 1, 26.0), (Rule::PowerOfTwo, 3, 36.0), (Rule::PrefixAware, 5, 65.0)];
    let published = table(&LAB.defaults());
    for (rule, row, percentile) in ranks {
        let rank = stat::rank(&tail(rule), published.rows[row].cells[0]).unwrap();
        assert!((100.0 * rank - percentile).abs() <= 1.0, "{rule:?} {rank}");
    }
    let pairs = tail(Rule::PrefixAware).into_iter().zip(tail(Rule::LeastOutstanding));
    assert_eq!(pairs.filter(|(aware, least)| aware < least).count(), 57);
    let (aware, blind) = (hits(Rule::PrefixAware), hits(Rule::LeastOutstanding));
    assert!(aware.iter().zip(&blind).all(|(a, b)| a > b));
    assert_eq!((percent(median(aware)), percent(median(blind))), ("72".to_owned(), "39".to_owned()));
}

#[test]
fn the_flip_preset_flips_over_the_seeds() {
    let flip = LAB.presets.iter().find(|p| p.flip).unwrap();
    let tails = |set, rule| over_seeds(set, rule, |s| s.ttft_p95);
    assert!(median(tails(&[], Rule::PrefixAware)) > median(tails(&[], Rule::LeastOutstanding)));
    let aware = tails(flip.set, Rule::PrefixAware);
    for rule in Rule::ALL.into_iter().filter(|r| *r != Rule::PrefixAware) {
        let other = tails(flip.set, rule);
        let wins = aware.iter().zip(&other).filter(|(a, b)| a < b).count();
        assert!(wins >= 195 && (7.0..=9.0).contains(&median(other)), "{rule:?} {wins}");
    }
}

#[test]
fn the_other_presets_show_what_their_words_say() {
    let set = |key| LAB.presets.iter().find(|p| p.key == key).unwrap().set;
    let tail = |set, rule| median(over_seeds(set, rule, |s| s.ttft_p95));
    let hits = |set, rule| median(over_seeds(set, rule, |s| s.cache_hit_rate));
    assert!(tail(set("unseen"), Rule::LeastKv) > 2.0 * tail(&[], Rule::LeastOutstanding));
    for rule in Rule::ALL {
        assert!(hits(set("room"), Rule::PrefixAware) - hits(set("room"), rule) < 0.05, "{rule:?}");
    }
    let (loyal, usual) = (set("loyal"), &[][..]);
    assert!(hits(loyal, Rule::PrefixAware) > hits(usual, Rule::PrefixAware) + 0.05);
    assert!(tail(loyal, Rule::PrefixAware) > 2.0 * tail(usual, Rule::PrefixAware));
}

#[test]
fn challenges_can_be_solved_and_not_by_breaking_their_rules() {
    let [unseen, hits] = LAB.challenges else { panic!() };
    assert!(solved(&LAB, unseen, &LAB.with(&[("max_batch", "20")])));
    assert!(!solved(&LAB, unseen, &LAB.with(&[("arrival_rate", "0.05")])));
    assert!(!solved(&LAB, unseen, &LAB.with(&[("max_batch", "20"), ("kv_blocks", "1450")])));
    assert!(solved(&LAB, hits, &LAB.with(&[("prefix_cache_slots", "6")])));
    assert!(!solved(&LAB, hits, &LAB.with(&[("prefix_cache_slots", "5")])));
    assert!(!solved(&LAB, hits, &LAB.with(&[("prefix_families", "2")])));
}

/// What the scene draws is what the rules read: the model's own count of outstanding requests.
#[test]
fn the_scene_holds_what_the_model_counted() {
    for set in
        [&[][..], &[("lane_a", "least-kv"), ("count", "400")], &[("max_batch", "2"), ("replicas", "7")]]
    {
        let race = race(set);
        for run in &race.lanes {
            for step in 0..run.decisions().len() {
                let held = held(run, step as u32);
                let counted: Vec<u32> = held.iter().map(fleet::Held::outstanding).collect();
                assert_eq!(counted, run.loads(step), "{:?} {step}", run.rule);
                assert!(held.iter().all(|h| h.prefilling <= 1 && h.running <= race.params.max_batch));
                assert!(held.iter().all(|h| h.cache.len() <= race.params.prefix_cache_slots as usize));
            }
        }
    }
}

/// A request admitted at once, on a replica that did not prefill meanwhile, hits exactly where
/// the scene shows its family.
#[test]
fn the_caches_shown_are_the_caches_met() {
    let race = race(&[]);
    let mut seen = [0, 0];
    for run in &race.lanes {
        for (step, d) in run.decisions().iter().enumerate() {
            let (record, held) = (&run.requests()[step], held(run, step as u32));
            let at_once = record.admitted == Some(d.tick) && held[d.replica as usize].prefilling == 0;
            if at_once {
                let hit = warm(&race, &held, step as u32).contains(&d.replica);
                assert_eq!(hit, record.cache_hit, "{:?} {step}", run.rule);
                seen[usize::from(hit)] += 1;
            }
        }
    }
    assert!(seen.iter().all(|n| *n > 20), "{seen:?}");
}

#[test]
fn the_page_opens_where_a_cached_prefix_is_computed_again_in_a_busy_fleet() {
    let race = race(&[]);
    let first = &story::moments(&race)[0];
    let (run, step) = (&race.lanes[0], first.step);
    assert_eq!(first.cue.key, "cue.again");
    let (heights, to) = (fullest(run), run.decisions()[step as usize].replica);
    let warm = warm(&race, &held(run, step), step);
    assert!(2 * heights[step as usize] > 15 && heights.iter().max() == Some(&15));
    assert!(!warm.is_empty() && !warm.contains(&to) && !run.requests()[step as usize].cache_hit);
}

#[test]
fn a_rule_stands_in_one_lane_and_two_lanes_may_be_empty() {
    let of = |set: &[(&str, &str)]| lanes(&LAB.with(set));
    assert_eq!(of(&[]), [Rule::LeastOutstanding, Rule::PrefixAware]);
    assert_eq!(of(&[("lane_b", "least-outstanding")]), [Rule::LeastOutstanding]);
    let four = of(&[("lane_c", "random"), ("lane_d", "least-kv")]);
    assert_eq!(four, [Rule::LeastOutstanding, Rule::PrefixAware, Rule::Random, Rule::LeastKv]);
    assert_eq!(of(&[("lane_d", "prefix-aware"), ("lane_c", "none")]).len(), 2);
}

#[test]
fn a_cut_run_says_so_and_counts_what_is_left() {
    assert_eq!(run(&LAB.defaults()).cut(), None);
    let arriving = run(&LAB.with(&[("arrival_rate", "0.01"), ("count", "2000")]));
    let cut = arriving.cut().unwrap();
    assert_eq!(cut.key, "cut.arriving");
    let never = cut.args.iter().find(|(name, _)| *name == "m").map(|(_, v)| v.clone());
    assert_eq!(never, Some((2000 - arriving.steps()).into()));
    let slow = &[("batch_penalty", "1"), ("decode_tokens_per_tick", "0.1"), ("max_batch", "64")];
    assert_eq!(run(&LAB.with(slow)).cut().unwrap().key, "player.cut");
}

#[test]
fn a_digest_stands_for_the_parameters_whatever_is_in_view() {
    let of = |set: &[(&str, &str)]| {
        let mut digest = Digest::default();
        run(&LAB.with(set)).digest(&mut digest);
        digest.finish()
    };
    assert_eq!(of(&[]), of(&[("lane_a", "random"), ("lane_c", "least-kv")]));
    assert_ne!(of(&[]), of(&[("balance_abs_threshold", "4")]), "prefix-aware is in it");
}

#[test]
fn the_covered_scene_says_nothing_about_the_other_lanes() {
    let run = run(&LAB.with(&[("lane_c", "least-kv")]));
    let words = Words::default();
    let covered = run.scene(60, true, &words);
    for style in ["style-2", "style-5"] {
        let lane = covered.split(style).nth(1).unwrap();
        let lane = lane.split("</section>").next().unwrap();
        assert!(!["circle", "rl-chip", "is-target", "%"].iter().any(|m| lane.contains(m)), "{lane}");
    }
    assert!(run.scene(60, false, &words).matches("rl-chip").count() > covered.matches("rl-chip").count());
}
