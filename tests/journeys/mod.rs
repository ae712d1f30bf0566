//! The list of journeys, in several parts. A journey that is in none does not run.

mod access;
mod bench;
mod breaking;
mod broken;
mod camera;
mod choices;
mod class;
mod control;
mod control_tab;
mod copy;
mod element;
mod element_life;
mod embed;
mod embed_access;
mod embed_paper;
mod embed_places;
mod embed_start;
mod embedded;
mod fleet;
mod handouts;
mod home;
mod host_sites;
mod kept;
mod knobs;
mod links;
mod long;
mod offline;
mod panels;
mod paper;
mod player;
mod plug;
mod predict;
mod promised;
mod quiet;
mod single;
mod take_along;
mod taught;
mod teach;
mod version;

use tokenyard_browser_tests::{ALL, Engine, Journey, Site, journey};

/// Engines whose driver prints.
const PRINTING: &[Engine] = &[Engine::Chromium, Engine::Firefox];

/// For what does not differ by engine, or costs too much to run three times.
const CHROMIUM: &[Engine] = &[Engine::Chromium];

/// Every journey, in the order in which it runs in each engine.
pub(crate) fn all() -> Vec<Journey> {
    [JOURNEYS, embedded::JOURNEYS, kept::JOURNEYS, taught::JOURNEYS, handouts::JOURNEYS].concat()
}

/// Over the site itself.
static JOURNEYS: &[Journey] = &[
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
    journey!("tab::slows_down", CHROMIUM, Site::Fixtures, control_tab::slows_down),
    // Home.
    journey!("home::opens_with_a_live_scene", ALL, Site::Dist, home::opens_with_a_live_scene),
    journey!("home::stays_still_when_asked", ALL, Site::Dist, home::stays_still_when_asked),
    journey!("home::opens_every_lab_in_place", ALL, Site::Dist, home::opens_every_lab_in_place),
    journey!("home::works_below_a_path", ALL, Site::Dist, home::works_below_a_path),
    journey!(
        "home::opens_labs_from_their_folders",
        CHROMIUM,
        Site::Dist,
        home::opens_labs_from_their_folders
    ),
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
    // The prediction and the fork.
    journey!("predict::covers_what_would_answer", ALL, Site::Dist, predict::covers_what_would_answer),
    journey!("predict::a_guess_uncovers_and_plays", ALL, Site::Dist, predict::a_guess_uncovers_and_plays),
    journey!("predict::a_skip_uncovers", ALL, Site::Dist, predict::a_skip_uncovers),
    journey!("predict::a_fork_keeps_its_ghost", ALL, Site::Dist, predict::a_fork_keeps_its_ghost),
    // What stands beside and under the stage.
    journey!("panels::luck_compares_200_seeds", ALL, Site::Dist, panels::luck_compares_200_seeds),
    journey!(
        "panels::the_workers_script_is_forgotten",
        ALL,
        Site::Dist,
        panels::the_workers_script_is_forgotten
    ),
    journey!("panels::luck_can_be_cancelled", ALL, Site::Dist, panels::luck_can_be_cancelled),
    journey!("panels::simulated_points_arrive", ALL, Site::Dist, panels::simulated_points_arrive),
    journey!(
        "panels::why_answers_for_every_decision",
        ALL,
        Site::Dist,
        panels::why_answers_for_every_decision
    ),
    journey!("panels::challenges_tick_themselves", ALL, Site::Dist, panels::challenges_tick_themselves),
    journey!("panels::presets_set_everything", ALL, Site::Dist, panels::presets_set_everything),
    // The fleet page.
    journey!("fleet::opens_with_every_lane", ALL, Site::Dist, fleet::opens_with_every_lane),
    journey!("fleet::a_setting_runs_it_again", ALL, Site::Dist, fleet::a_setting_runs_it_again),
    journey!("fleet::rules_are_picked", ALL, Site::Dist, fleet::rules_are_picked),
    journey!("fleet::the_log_goes_to_a_request", ALL, Site::Dist, fleet::the_log_goes_to_a_request),
    journey!("fleet::a_link_brings_it_back", ALL, Site::Dist, fleet::a_link_brings_it_back),
    journey!("fleet::what_does_not_fit_is_told", ALL, Site::Dist, fleet::what_does_not_fit_is_told),
    journey!(
        "fleet::a_trace_is_replayed_and_stays_here",
        ALL,
        Site::Dist,
        fleet::a_trace_is_replayed_and_stays_here
    ),
    journey!("fleet::a_long_run_is_cancelled", ALL, Site::Dist, fleet::a_long_run_is_cancelled),
    journey!("fleet::seeds_stand_in_the_table", ALL, Site::Dist, breaking::seeds_stand_in_the_table),
    journey!(
        "fleet::rules_break_where_the_simulator_says",
        ALL,
        Site::Dist,
        breaking::rules_break_where_the_simulator_says
    ),
    journey!(
        "fleet::a_sweep_is_drawn_as_it_arrives_and_cancelled",
        ALL,
        Site::Dist,
        breaking::a_sweep_is_drawn_as_it_arrives_and_cancelled
    ),
    journey!(
        "fleet::it_is_reached_and_left_by_links",
        ALL,
        Site::Dist,
        fleet::it_is_reached_and_left_by_links
    ),
    journey!("fleet::breaks_like_production_did", ALL, Site::Dist, fleet::breaks_like_production_did),
    journey!("fleet::axe_and_every_fold", ALL, Site::Dist, fleet::axe_and_every_fold),
    // Language, colours, storage.
    journey!(
        "choices::japanese_is_complete_and_remembered",
        ALL,
        Site::Dist,
        choices::japanese_is_complete_and_remembered
    ),
    journey!("choices::no_key_is_on_screen", CHROMIUM, Site::Dist, choices::no_key_is_on_screen),
    journey!(
        "choices::colours_follow_and_are_remembered",
        ALL,
        Site::Dist,
        choices::colours_follow_and_are_remembered
    ),
    journey!("choices::charts_follow_the_colours", ALL, Site::Dist, choices::charts_follow_the_colours),
    journey!("choices::the_address_chooses", ALL, Site::Dist, choices::the_address_chooses),
    journey!("choices::storage_may_throw", ALL, Site::Dist, choices::storage_may_throw),
    // Links.
    journey!(
        "links::hostile_links_leave_a_whole_page",
        ALL,
        Site::Dist,
        links::hostile_links_leave_a_whole_page
    ),
    journey!("links::notices_say_what_was_wrong", ALL, Site::Dist, links::notices_say_what_was_wrong),
    journey!("links::headline_numbers_are_compared", ALL, Site::Dist, links::headline_numbers_are_compared),
    journey!(
        "links::a_copied_link_reproduces_the_page",
        ALL,
        Site::Dist,
        links::a_copied_link_reproduces_the_page
    ),
    journey!(
        "links::without_a_clipboard_the_link_is_shown",
        ALL,
        Site::Dist,
        links::without_a_clipboard_the_link_is_shown
    ),
    journey!(
        "links::golden_links_open_in_every_shape",
        ALL,
        Site::Dist,
        promised::golden_links_open_in_every_shape
    ),
    journey!(
        "links::golden_links_of_the_fleet_page_open",
        ALL,
        Site::Dist,
        promised::golden_links_of_the_fleet_page_open
    ),
    journey!(
        "links::what_a_newer_version_made_explains_itself",
        ALL,
        Site::Dist,
        promised::what_a_newer_version_made_explains_itself
    ),
    journey!(
        "links::what_is_too_long_for_a_link_is_a_file",
        ALL,
        Site::Dist,
        promised::what_is_too_long_for_a_link_is_a_file
    ),
    // What is broken is told.
    journey!(
        "broken::a_missing_module_leaves_the_first_frame",
        ALL,
        Site::Dist,
        broken::a_missing_module_leaves_the_first_frame
    ),
    journey!(
        "broken::the_title_does_not_wait_for_the_application",
        ALL,
        Site::Dist,
        broken::the_title_does_not_wait_for_the_application
    ),
    journey!(
        "broken::half_a_module_leaves_the_first_frame",
        ALL,
        Site::Dist,
        broken::half_a_module_leaves_the_first_frame
    ),
    journey!(
        "broken::without_webassembly_the_first_frame_stays",
        ALL,
        Site::Dist,
        broken::without_webassembly_the_first_frame_stays
    ),
    journey!("broken::an_old_browser_is_told_so", ALL, Site::Dist, broken::an_old_browser_is_told_so),
    journey!(
        "broken::words_that_cannot_be_read_leave_the_first_frame",
        ALL,
        Site::Dist,
        broken::words_that_cannot_be_read_leave_the_first_frame
    ),
    journey!("broken::a_panic_is_told_with_the_link", ALL, Site::Dist, broken::a_panic_is_told_with_the_link),
    journey!(
        "broken::a_panic_at_the_start_is_told_too",
        ALL,
        Site::Dist,
        broken::a_panic_at_the_start_is_told_too
    ),
    journey!("broken::a_trap_is_told_with_the_link", ALL, Site::Dist, broken::a_trap_is_told_with_the_link),
    // The long language.
    journey!("long::words_twice_as_long_fit_a_phone", ALL, Site::Dist, long::words_twice_as_long_fit_a_phone),
    journey!(
        "long::words_twice_as_long_fit_a_window",
        ALL,
        Site::Dist,
        long::words_twice_as_long_fit_a_window
    ),
    // Nothing leaves, and the proof.
    journey!("quiet::pages_at_rest_are_quiet", ALL, Site::Dist, quiet::pages_at_rest_are_quiet),
    journey!(
        "quiet::labs_at_rest_and_at_work_are_quiet",
        ALL,
        Site::Dist,
        quiet::labs_at_rest_and_at_work_are_quiet
    ),
    journey!("quiet::nothing_is_kept_but_choices", ALL, Site::Dist, quiet::nothing_is_kept_but_choices),
    journey!("quiet::the_same_bits_everywhere", ALL, Site::Dist, quiet::the_same_bits_everywhere),
    journey!(
        "quiet::the_proof_is_reached_from_any_page",
        ALL,
        Site::Dist,
        quiet::the_proof_is_reached_from_any_page
    ),
    journey!("quiet::files_read_without_scripts", CHROMIUM, Site::Dist, quiet::files_read_without_scripts),
    // Paper.
    journey!("paper::pages_print", PRINTING, Site::Dist, paper::pages_print),
    journey!("paper::charts_are_drawn_for_paper", ALL, Site::Dist, paper::charts_are_drawn_for_paper),
    journey!(
        "paper::a_drawing_follows_step_and_language",
        ALL,
        Site::Dist,
        paper::a_drawing_follows_step_and_language
    ),
    journey!("paper::paper_has_its_own_colours", CHROMIUM, Site::Dist, paper::paper_has_its_own_colours),
    // Accessibility.
    journey!("access::axe_light_en", ALL, Site::Dist, access::axe_light_en, 300),
    journey!("access::axe_dark_ja", CHROMIUM, Site::Dist, access::axe_dark_ja, 300),
    journey!("access::tab_walks_through_herding", ALL, Site::Dist, access::tab_walks_through_herding),
    journey!(
        "access::tab_walks_through_every_lab",
        CHROMIUM,
        Site::Dist,
        access::tab_walks_through_every_lab
    ),
    journey!("access::the_skip_link_skips", ALL, Site::Dist, access::the_skip_link_skips),
    journey!(
        "access::one_message_per_settled_change",
        ALL,
        Site::Dist,
        access::one_message_per_settled_change
    ),
    journey!("access::targets_are_large_enough", ALL, Site::Dist, access::targets_are_large_enough),
    journey!(
        "access::a_phone_does_not_scroll_sideways",
        ALL,
        Site::Dist,
        access::a_phone_does_not_scroll_sideways
    ),
    journey!(
        "access::a_window_does_not_scroll_sideways",
        ALL,
        Site::Dist,
        access::a_window_does_not_scroll_sideways
    ),
    journey!(
        "access::a_phone_keeps_the_player_in_sight",
        ALL,
        Site::Dist,
        access::a_phone_keeps_the_player_in_sight
    ),
];
