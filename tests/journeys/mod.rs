//! The one list of journeys. A journey that is not in it does not run.

mod bench;
mod control;
mod control_tab;
mod home;
mod knobs;
mod player;

use tokenyard_browser_tests::{ALL, Engine, Journey, Site, journey};

/// Engines whose driver prints.
const PRINTING: &[Engine] = &[Engine::Chromium, Engine::Firefox];

/// Every journey, in the order in which it runs in each engine.
pub(crate) static JOURNEYS: &[Journey] = &[
    journey!("control::sees_console_errors", ALL, Site::Fixtures, control::sees_console_errors),
    journey!("control::sees_violations", ALL, Site::Fixtures, control::sees_violations),
    journey!("control::sees_workers", ALL, Site::Fixtures, control::sees_workers),
    journey!("control::sees_missing_files", ALL, Site::Fixtures, control::sees_missing_files),
    journey!("control::sees_requests_to_elsewhere", ALL, Site::Fixtures, control::sees_requests_to_elsewhere),
    journey!("control::passes_a_clean_page", ALL, Site::Fixtures, control::passes_a_clean_page),
    journey!("control::axe_sees_broken_rules", ALL, Site::Fixtures, control::axe_sees_broken_rules),
    journey!("control::axe_passes_a_clean_page", ALL, Site::Fixtures, control::axe_passes_a_clean_page),
    journey!("tab::finds", ALL, Site::Fixtures, control_tab::finds),
    journey!("tab::clicks_and_keys", ALL, Site::Fixtures, control_tab::clicks_and_keys),
    journey!("tab::drags_a_knob", ALL, Site::Fixtures, control_tab::drags_a_knob),
    journey!("tab::walks_with_tab", ALL, Site::Fixtures, control_tab::walks_with_tab),
    journey!("tab::hears_live_regions", ALL, Site::Fixtures, control_tab::hears_live_regions),
    journey!("tab::goes_through_history", ALL, Site::Fixtures, control_tab::goes_through_history),
    journey!("tab::starts_with_empty_storage", ALL, Site::Fixtures, control_tab::starts_with_empty_storage),
    journey!(
        "tab::frames_as_narrow_as_a_phone",
        ALL,
        Site::Fixtures,
        control_tab::frames_as_narrow_as_a_phone
    ),
    journey!("tab::refuses_storage", ALL, Site::Fixtures, control_tab::refuses_storage),
    journey!("tab::sandboxes", ALL, Site::Fixtures, control_tab::sandboxes),
    journey!("tab::walks_through_a_frame", ALL, Site::Fixtures, control_tab::walks_through_a_frame),
    journey!("tab::hides_the_page", ALL, Site::Fixtures, control_tab::hides_the_page),
    journey!("tab::emulates_the_system", ALL, Site::Fixtures, control_tab::emulates_the_system),
    journey!("tab::mounts_anywhere", ALL, Site::Fixtures, control_tab::mounts_anywhere),
    journey!("tab::prints", PRINTING, Site::Fixtures, control_tab::prints),
    journey!("tab::slows_down", &[Engine::Chromium], Site::Fixtures, control_tab::slows_down),
    // Home.
    journey!("home::opens_with_a_live_scene", ALL, Site::Dist, home::opens_with_a_live_scene),
    journey!("home::stays_still_when_asked", ALL, Site::Dist, home::stays_still_when_asked),
    journey!("home::opens_every_lab_in_place", ALL, Site::Dist, home::opens_every_lab_in_place),
    journey!("home::works_below_a_path", ALL, Site::Dist, home::works_below_a_path),
    journey!("home::opens_labs_from_their_folders", ALL, Site::Dist, home::opens_labs_from_their_folders),
    journey!("home::jumps_within_the_page", ALL, Site::Dist, home::jumps_within_the_page),
    // The player.
    journey!("player::opens_paused_and_steps", ALL, Site::Dist, player::opens_paused_and_steps),
    journey!("player::scrubs", ALL, Site::Dist, player::scrubs),
    journey!("player::obeys_keys", ALL, Site::Dist, player::obeys_keys),
    journey!("player::obeys_letters", ALL, Site::Dist, player::obeys_letters),
    journey!("player::plays_to_its_end_and_over", ALL, Site::Dist, player::plays_to_its_end_and_over),
    journey!("player::dwells_at_key_moments", ALL, Site::Dist, player::dwells_at_key_moments),
    journey!("player::pauses_when_hidden", ALL, Site::Dist, player::pauses_when_hidden),
    // Knobs and the address.
    journey!("knobs::a_drag_changes_the_table", ALL, Site::Dist, knobs::a_drag_changes_the_table),
    journey!("knobs::the_newest_value_wins", ALL, Site::Dist, knobs::the_newest_value_wins),
    journey!("knobs::a_typed_value_counts", ALL, Site::Dist, knobs::a_typed_value_counts),
    journey!("knobs::buttons_and_keys_step", ALL, Site::Dist, knobs::buttons_and_keys_step),
    journey!(
        "knobs::every_parameter_reaches_the_table",
        ALL,
        Site::Dist,
        knobs::every_parameter_reaches_the_table
    ),
    journey!("knobs::the_address_follows", ALL, Site::Dist, knobs::the_address_follows),
    journey!("knobs::reload_restores", ALL, Site::Dist, knobs::reload_restores),
    journey!(
        "knobs::the_lab_before_comes_back_as_it_was",
        ALL,
        Site::Dist,
        knobs::the_lab_before_comes_back_as_it_was
    ),
];
