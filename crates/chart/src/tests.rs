use tokenyard_lab::catalogue;
use tokenyard_lab::labs::LABS;

use super::*;

/// The English words of a lab, as its page has them.
fn words(lab: &str) -> Words {
    let locales = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../locales");
    let read = |name: &str| catalogue::read(&locales, name, "en").unwrap();
    read("common").into_iter().chain(read(lab)).collect()
}

/// Name, figure at the opening step, and words.
fn figures() -> Vec<(String, Figure, Words)> {
    let of = |lab: &&tokenyard_lab::LabSpec| {
        let run = lab.run(&lab.defaults());
        let step = run.moments().first().map_or(0, |m| m.step);
        let named = |f: Figure| (format!("{}-{}", lab.id, f.id), f, words(lab.id));
        run.figures(step).into_iter().map(named).collect::<Vec<_>>()
    };
    LABS.iter().flat_map(of).collect()
}

/// Golden files: `UPDATE_GOLDEN=1` writes them. The law beside them is
/// [`every_point_is_where_the_data_says`].
#[test]
fn figures_match_their_golden_files() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    for (name, figure, words) in figures() {
        let drawn = svg(&figure, &words, Theme::Light, (760, 230)).unwrap();
        let path = folder.join(format!("{name}.svg"));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &drawn).unwrap();
        }
        let golden = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(golden == drawn, "{} differs: look at it, then UPDATE_GOLDEN=1", path.display());
    }
}

#[test]
fn the_same_figure_gives_the_same_bytes() {
    for (_, figure, words) in figures() {
        let draw = || svg(&figure, &words, Theme::Page, (320, 200)).unwrap();
        assert_eq!(draw(), draw());
    }
}

#[test]
fn page_figures_carry_names_of_colours_only() {
    for (name, figure, words) in figures() {
        let drawn = svg(&figure, &words, Theme::Page, (320, 200)).unwrap();
        assert!(
            !drawn.contains("#F") && drawn.contains("var(--ink)") | drawn.contains("var(--muted)"),
            "{name}"
        );
        assert!(!drawn.contains("style="), "{name}: the page's policy forbids style attributes");
        let bare = elements(&figure, &words, Theme::Page, (320, 200), Room::PAGE).unwrap();
        assert!(!bare.contains("\"#") && bare.contains("var(--card)") && !bare.contains("style="), "{name}");
    }
}

#[test]
fn every_point_is_where_the_data_says() {
    for (name, figure, _) in figures() {
        let frame = geometry::Frame::new(&figure, (760, 230), 1.0);
        let share = |v: f64, axis: &tokenyard_lab::Axis| (v - axis.min) / (axis.max - axis.min);
        for p in figure.series.iter().flat_map(|s| &s.points) {
            let (across, up) = (share(p.0, &figure.x), share(p.1, &figure.y));
            assert!(
                (0.0..=1.0).contains(&across) && (0.0..=1.0).contains(&up),
                "{name}: {p:?} is off the chart"
            );
            let (x, y) = frame.at(*p);
            let (width, height) = (f64::from(frame.right - frame.left), f64::from(frame.bottom - frame.top));
            assert!((f64::from(x - frame.left) - across * width).abs() <= 0.5, "{name}: {p:?}");
            assert!((f64::from(frame.bottom - y) - up * height).abs() <= 0.5, "{name}: {p:?}");
        }
    }
}

/// Every pin is a ring at its place, with its label; on a phone the labels stand in the gutter.
#[test]
fn pins_stand_where_they_point_and_their_labels_do_not_touch() {
    let mut seen = 0;
    for (name, figure, words) in figures().into_iter().filter(|(_, f, _)| !f.pins.is_empty()) {
        for (size, in_gutter) in [((760, 230), false), ((300, 230), true)] {
            let drawn = svg(&figure, &words, Theme::Light, size).unwrap();
            let frame = geometry::Frame::new(&figure, size, 1.0);
            let mut places: Vec<(i32, i32)> = Vec::new();
            for pin in &figure.pins {
                let (x, y) = frame.at((pin.x, pin.y));
                assert!(drawn.contains(&format!("<circle cx=\"{x}\" cy=\"{y}\"")), "{name}: {pin:?}");
                let label = format!("\n{}\n", words.say(&pin.label));
                let tag = drawn.split(&label).next().unwrap().rsplit("<text ").next().unwrap();
                let number = |key: &str| -> i32 {
                    tag.split(key).nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
                };
                places.push((number("x=\""), number("y=\"")));
                assert_eq!(places.last().unwrap().0 > frame.right, in_gutter, "{name}: {tag}");
            }
            for (i, a) in places.iter().enumerate() {
                let apart = |b: &(i32, i32)| a.0.abs_diff(b.0) >= 36 || a.1.abs_diff(b.1) >= 14;
                assert!(places[..i].iter().all(apart), "{name}: {places:?}");
                assert!(a.1 <= frame.bottom, "{name}: {places:?}");
                seen += 1;
            }
        }
    }
    assert!(seen > 0);
}

/// Observations stand on their line: the line gives up its own markers, and one label serves both.
#[test]
fn observations_share_the_label_of_their_line_and_replace_its_markers() {
    use tokenyard_lab::{Series, Shape, msg};
    let (_, mut figure, words) = figures().swap_remove(0);
    let (low, high) = (figure.x.min, figure.x.max);
    let line = |points: Vec<(f64, f64)>| Series::line(msg("the.name"), msg("the.label"), 1, points);
    figure.series = vec![line((0..30).map(|i| (low + (high - low) * f64::from(i) / 29.0, 0.0)).collect())];
    let count = |figure: &Figure, what: &str| {
        svg(figure, &words, Theme::Light, (760, 230)).unwrap().matches(what).count()
    };
    assert_eq!((count(&figure, "the.label"), count(&figure, "<circle")), (1, 6));
    figure.series.push(Series { shape: Shape::Points, ..line(vec![(low, 0.0), (high, 0.0)]) });
    assert_eq!((count(&figure, "the.label"), count(&figure, "<circle")), (1, 2));
    figure.series[1].style = 5;
    assert_eq!((count(&figure, "the.label"), count(&figure, "<circle")), (2, 8));
}

#[test]
fn a_canvas_of_no_size_is_no_panic() {
    for (_, figure, words) in figures() {
        for size in [(0, 0), (1, 1), (40, 2000)] {
            assert!(svg(&figure, &words, Theme::Dark, size).is_ok());
        }
    }
}

#[test]
fn colours_equal_the_style_sheet() {
    let css = concat!(env!("CARGO_MANIFEST_DIR"), "/../../public/styles/tokens.css");
    let css = std::fs::read_to_string(css).unwrap();
    let (light, dark) = css.split_once("/* dark */").unwrap();
    for (part, theme) in [(light, Theme::Light), (dark, Theme::Dark)] {
        for (name, [r, g, b]) in theme.palette().named() {
            let line = format!("--{name}: #{r:02x}{g:02x}{b:02x};");
            assert!(part.contains(&line), "{line}");
        }
    }
}

/// Relative luminance of WCAG 2.2.
fn luminance(rgb: [u8; 3]) -> f64 {
    let channel = |c: u8| {
        let c = f64::from(c) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { tokenyard_det::math::pow((c + 0.055) / 1.055, 2.4) }
    };
    0.2126 * channel(rgb[0]) + 0.7152 * channel(rgb[1]) + 0.0722 * channel(rgb[2])
}

fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn the_palette_has_enough_contrast() {
    let css = concat!(env!("CARGO_MANIFEST_DIR"), "/../../public/styles/tokens.css");
    let css = std::fs::read_to_string(css).unwrap();
    let (light, rest) = css.split_once("/* dark */").unwrap();
    let (dark, _) = rest.split_once("@media").unwrap();
    for (theme, part) in [("light", light), ("dark", dark)] {
        let color = |name: &str| {
            let line = part.split(&format!("--{name}:")).nth(1).unwrap();
            parse_hex(line.split(';').next().unwrap()).unwrap()
        };
        let check = |front: &str, back: &str, least: f64| {
            let ratio = contrast(color(front), color(back));
            assert!(ratio >= least, "{theme}: {front} on {back} has {ratio:.2}, needs {least}");
        };
        for back in ["paper", "card", "accent-soft"] {
            check("ink", back, 4.5);
            check("muted", back, 4.5);
            check("accent", back, 4.5);
        }
        check("on-accent", "accent", 4.5);
        for back in ["paper", "card"] {
            check("edge", back, 3.0);
            (1..=6).for_each(|i| check(&format!("series-{i}"), back, 3.0));
        }
    }
}

#[test]
fn contrast_of_black_on_white_is_21() {
    assert!((contrast([0; 3], [255; 3]) - 21.0).abs() < 1e-9);
}

/// A page draws the cursor itself: it must stand where the drawing has it.
#[test]
fn the_cursor_apart_stands_where_it_is_drawn() {
    for (name, figure, words) in figures() {
        let Some((x, top, bottom)) = cursor(&figure, (760, 230)) else {
            assert!(figure.cursor.is_none(), "{name}");
            continue;
        };
        let drawn = svg(&figure, &words, Theme::Light, (760, 230)).unwrap();
        assert!(drawn.contains(&format!("points=\"{x},{top} {x},{bottom} \"")), "{name}");
    }
}

/// Bare elements hold the same points as a drawing, at quarters of a pixel, and dashes as attributes.
#[test]
fn elements_stand_where_the_data_says_and_dash_by_attribute() {
    let room = Room { left: 60, right: 100 };
    for (name, figure, words) in figures() {
        let drawn = elements(&figure, &words, Theme::Light, (760, 230), room).unwrap();
        assert_eq!(drawn, elements(&figure, &words, Theme::Light, (760, 230), room).unwrap());
        assert!(drawn.len() < svg(&figure, &words, Theme::Light, (760, 230)).unwrap().len(), "{name}");
        let frame = geometry::Frame::with(&figure, (4 * 760, 4 * 230), 4.0, room);
        assert_eq!((frame.left, frame.right), (240, 2640), "{name}");
        let number = |steps: i32| (f64::from(steps) / 4.0).to_string();
        for series in figure.series.iter().filter(|s| s.shape == tokenyard_lab::Shape::Line) {
            for (x, y) in series.points.iter().map(|p| frame.at(*p)) {
                let place = format!("{},{}", number(x), number(y));
                let found = drawn.match_indices(&place).any(|(at, _)| {
                    drawn[..at].ends_with(['"', ' ']) && drawn[at + place.len()..].starts_with(['"', ' '])
                });
                assert!(found, "{name}: {place}");
            }
        }
        let dashed = figure.series.iter().any(|s| s.style != 1 && s.shape != tokenyard_lab::Shape::Points);
        assert!(!dashed || drawn.contains("stroke-dasharray=\""), "{name}");
    }
}
