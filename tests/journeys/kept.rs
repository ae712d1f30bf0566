//! Another part of the list: journeys about what leaves a page as a file, comes back, and stays without
//! a network.

use tokenyard_browser_tests::{ALL, Journey, Site, journey};

use super::{offline, take_along};

/// Every one of them, in the order in which it runs in each engine.
pub(super) static JOURNEYS: &[Journey] = &[
    journey!("files::are_the_native_ones", ALL, Site::Dist, take_along::files_are_the_native_ones),
    journey!(
        "files::a_png_is_nearly_the_native_one",
        ALL,
        Site::Dist,
        take_along::a_png_is_nearly_the_native_one
    ),
    journey!("files::a_sweep_goes_along", ALL, Site::Dist, take_along::a_sweep_goes_along),
    journey!("files::a_handout_is_one_page", ALL, Site::Dist, take_along::a_handout_is_one_page),
    journey!(
        "files::a_dropped_file_reopens_its_state",
        ALL,
        Site::Dist,
        take_along::a_dropped_file_reopens_its_state
    ),
    journey!(
        "files::other_files_say_what_they_are",
        ALL,
        Site::Dist,
        take_along::other_files_say_what_they_are
    ),
    journey!("files::a_file_can_be_chosen", ALL, Site::Dist, take_along::a_file_can_be_chosen),
    journey!("files::the_fleet_takes_and_gives", ALL, Site::Dist, take_along::the_fleet_takes_and_gives),
    // Without a network.
    journey!(
        "offline::nothing_is_kept_before_the_reader_asks",
        ALL,
        Site::Dist,
        offline::nothing_is_kept_before_the_reader_asks
    ),
    journey!(
        "offline::once_kept_it_needs_no_network",
        ALL,
        Site::Dist,
        offline::once_kept_it_needs_no_network,
        240
    ),
    journey!(
        "offline::a_newer_version_waits_and_comes_whole",
        ALL,
        Site::Dist,
        offline::a_newer_version_waits_and_comes_whole,
        240
    ),
    journey!(
        "offline::a_page_of_another_build_is_followed_as_a_document",
        ALL,
        Site::Dist,
        offline::a_page_of_another_build_is_followed_as_a_document
    ),
    journey!(
        "offline::a_broken_download_changes_nothing",
        ALL,
        Site::Dist,
        offline::a_broken_download_changes_nothing,
        240
    ),
    journey!(
        "offline::it_is_cancelled_and_taken_away",
        ALL,
        Site::Dist,
        offline::it_is_cancelled_and_taken_away
    ),
    journey!(
        "offline::what_stands_in_the_way_is_told",
        ALL,
        Site::Dist,
        offline::what_stands_in_the_way_is_told
    ),
    journey!(
        "offline::what_the_browser_threw_away_is_told_and_fetched_again",
        ALL,
        Site::Dist,
        offline::what_the_browser_threw_away_is_told_and_fetched_again
    ),
];
