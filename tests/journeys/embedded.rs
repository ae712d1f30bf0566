//! The other part of the list: journeys about labs inside other people's pages, and in one file.

use tokenyard_browser_tests::{ALL, Journey, Site, journey};

use super::{
    CHROMIUM, PRINTING, element, element_life, embed, embed_access, embed_paper, embed_places, embed_start,
    host_sites, single,
};

/// Every one of them, in the order in which it runs in each engine.
pub(super) static JOURNEYS: &[Journey] = &[
    // Inside other people's pages.
    journey!(
        "embed::shapes_are_the_same_before_and_after",
        ALL,
        Site::Dist,
        embed::shapes_are_the_same_before_and_after
    ),
    journey!("embed::an_unknown_control_is_named", ALL, Site::Dist, embed::an_unknown_control_is_named),
    journey!("embed::both_sides_are_heard", ALL, Site::Dist, embed::both_sides_are_heard),
    journey!("embed::guesses_and_ends_are_told", ALL, Site::Dist, embed::guesses_and_ends_are_told),
    journey!(
        "embed::the_height_is_the_contents_and_cannot_run_away",
        ALL,
        Site::Dist,
        embed::the_height_is_the_contents_and_cannot_run_away
    ),
    journey!("embed::off_screen_nothing_runs", ALL, Site::Dist, embed::off_screen_nothing_runs),
    journey!("embed::the_article_stays_the_readers", ALL, Site::Dist, embed::the_article_stays_the_readers),
    journey!("embed::tab_goes_through", ALL, Site::Dist, embed::tab_goes_through),
    journey!("embed::unused_keys_go_on", ALL, Site::Dist, embed::unused_keys_go_on),
    journey!(
        "embed::a_sandbox_works_or_says_why_not",
        ALL,
        Site::Dist,
        embed_places::a_sandbox_works_or_says_why_not
    ),
    journey!("embed::strict_hosts_show_labs", ALL, Site::Dist, embed_places::strict_hosts_show_labs),
    journey!(
        "embed::a_state_goes_out_and_comes_back",
        ALL,
        Site::Dist,
        embed_places::a_state_goes_out_and_comes_back
    ),
    journey!("embed::neighbours_share_nothing", ALL, Site::Dist, embed_places::neighbours_share_nothing),
    journey!("embed::what_is_pasted_works", ALL, Site::Dist, embed_places::what_is_pasted_works),
    journey!(
        "embed::every_part_is_as_wide_as_the_frame",
        ALL,
        Site::Dist,
        embed_places::every_part_is_as_wide_as_the_frame,
        300
    ),
    journey!("embed::presets_have_pages", ALL, Site::Dist, embed_places::presets_have_pages),
    journey!("embed::themes_in_each_order", ALL, Site::Dist, embed_start::themes_in_each_order),
    journey!(
        "embed::without_webassembly_the_figure_stays",
        ALL,
        Site::Dist,
        embed_start::without_webassembly_the_figure_stays
    ),
    journey!("embed::it_prints_its_text", PRINTING, Site::Dist, embed_paper::it_prints_its_text, 300),
    journey!(
        "embed::frames_print_in_their_article",
        PRINTING,
        Site::Dist,
        embed_paper::frames_print_in_their_article
    ),
    journey!(
        "embed::paper_has_nothing_to_press",
        ALL,
        Site::Dist,
        embed_paper::paper_has_nothing_to_press,
        300
    ),
    journey!(
        "embed::charts_are_drawn_for_paper",
        ALL,
        Site::Dist,
        embed_paper::charts_are_drawn_for_paper,
        300
    ),
    // Accessibility of all of it.
    journey!("embed::axe_light_en", ALL, Site::Dist, embed_access::axe_light_en, 300),
    journey!("embed::axe_dark_ja", CHROMIUM, Site::Dist, embed_access::axe_dark_ja, 300),
    journey!("embed::axe_of_an_article", ALL, Site::Dist, embed_access::axe_of_an_article, 300),
    journey!("embed::axe_of_the_share_dialog", ALL, Site::Dist, embed_access::axe_of_the_share_dialog, 300),
    journey!("single::axe_in_both_languages", ALL, Site::Dist, embed_access::axe_of_one_file, 300),
    // One file, no server.
    journey!("single::every_lab_works_from_the_disk", ALL, Site::Dist, single::every_lab_works_from_the_disk),
    journey!("single::pages_switch_by_the_fragment", ALL, Site::Dist, single::pages_switch_by_the_fragment),
    journey!("single::one_file_is_an_embed_too", ALL, Site::Dist, single::one_file_is_an_embed_too),
    // The element.
    journey!("element::a_picture_then_the_lab", ALL, Site::Dist, element::a_picture_then_the_lab),
    journey!("element::the_height_follows", ALL, Site::Dist, element::the_height_follows),
    journey!("element::colours_follow_the_article", ALL, Site::Dist, element::colours_follow_the_article),
    journey!("element::settings_go_in_and_come_out", ALL, Site::Dist, element::settings_go_in_and_come_out),
    journey!("element::the_keyboard_goes_through", ALL, Site::Dist, element::the_keyboard_goes_through),
    journey!("element::a_button_fetches_the_lab", ALL, Site::Dist, element::a_button_fetches_the_lab),
    journey!("element::neighbours_share_nothing", ALL, Site::Dist, element_life::neighbours_share_nothing),
    journey!("element::it_may_be_moved", ALL, Site::Dist, element_life::it_may_be_moved),
    journey!("element::off_screen_it_sleeps", ALL, Site::Dist, element_life::off_screen_it_sleeps),
    journey!("element::paper_has_the_picture", ALL, Site::Dist, element_life::paper_has_the_picture),
    journey!("element::strict_articles_show_it", ALL, Site::Dist, element_life::strict_articles_show_it),
    journey!("element::a_broken_site_is_told", ALL, Site::Dist, element_life::a_broken_site_is_told),
    journey!(
        "element::twenty_start_as_they_are_reached",
        CHROMIUM,
        Site::Dist,
        element_life::twenty_start_as_they_are_reached
    ),
    // Inside other people's sites.
    journey!("host_sites::mdbook", CHROMIUM, Site::Host("mdbook"), host_sites::mdbook),
    journey!("host_sites::docusaurus", CHROMIUM, Site::Host("docusaurus"), host_sites::docusaurus),
    journey!("host_sites::mkdocs", CHROMIUM, Site::Host("mkdocs"), host_sites::mkdocs),
    journey!("host_sites::sphinx", CHROMIUM, Site::Host("sphinx"), host_sites::sphinx),
    journey!("host_sites::hugo", CHROMIUM, Site::Host("hugo"), host_sites::hugo),
    journey!("host_sites::reveal", CHROMIUM, Site::Host("reveal"), host_sites::reveal),
];
