//! Another part of the list: journeys about lessons, for one learner and before a class.

use tokenyard_browser_tests::{ALL, Journey, Site, journey};

use super::{camera, class, teach};

/// Every one of them, in the order in which it runs in each engine.
pub(super) static JOURNEYS: &[Journey] = &[
    journey!("teach::the_list_leads_everywhere", ALL, Site::Dist, teach::the_list_leads_everywhere),
    journey!(
        "teach::every_lesson_from_start_to_finish",
        ALL,
        Site::Dist,
        teach::every_lesson_from_start_to_finish,
        240
    ),
    journey!(
        "teach::a_task_is_solved_and_not_solved",
        ALL,
        Site::Dist,
        teach::a_task_is_solved_and_not_solved
    ),
    journey!("teach::a_file_is_opened_or_refused", ALL, Site::Dist, teach::a_file_is_opened_or_refused),
    journey!("teach::links_open_or_say_why_not", ALL, Site::Dist, teach::links_open_or_say_why_not),
    journey!("teach::every_lesson_from_the_disk", ALL, Site::Dist, teach::every_lesson_from_the_disk, 240),
    journey!("teach::everything_from_the_disk", ALL, Site::Dist, teach::everything_from_the_disk),
    journey!("teach::axe_and_a_phone", ALL, Site::Dist, teach::axe_and_a_phone, 240),
    journey!("teach::a_step_by_keyboard_alone", ALL, Site::Dist, teach::a_step_by_keyboard_alone),
    // Before a class.
    journey!("class::keys_uncover_step_by_step", ALL, Site::Dist, class::keys_uncover_step_by_step),
    journey!(
        "class::a_second_window_has_notes_and_keys",
        ALL,
        Site::Dist,
        class::a_second_window_has_notes_and_keys
    ),
    journey!("class::any_lab_is_presented", ALL, Site::Dist, class::any_lab_is_presented),
    journey!("class::codes_by_keyboard_alone", ALL, Site::Dist, class::codes_by_keyboard_alone),
    journey!("class::a_task_by_keyboard_alone", ALL, Site::Dist, class::a_task_by_keyboard_alone),
    journey!("class::the_fleet_is_presented", ALL, Site::Dist, class::the_fleet_is_presented),
    journey!("class::codes_make_a_histogram", ALL, Site::Dist, class::codes_make_a_histogram),
    journey!("class::a_camera_reads_codes", ALL, Site::Dist, camera::reads_codes),
    journey!("class::finished_tasks_are_verified", ALL, Site::Dist, class::finished_tasks_are_verified),
    journey!("class::a_class_from_the_disk", ALL, Site::Dist, class::a_class_from_the_disk, 240),
    journey!("class::projectors_of_every_shape", ALL, Site::Dist, class::projectors_of_every_shape),
];
