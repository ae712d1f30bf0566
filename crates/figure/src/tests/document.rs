//! A figure as its readers' programs see it.

use roxmltree::{Document, Node};

use crate::width::Face;

/// A line of text with its estimated place.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) base: f64,
    /// Whether it is a label of a chart.
    pub(super) in_chart: bool,
}

fn number(node: &Node, name: &str) -> f64 {
    node.attribute(name).map_or(0.0, |text| text.parse().unwrap())
}

/// Where a node's origin is: the sum of the groups' shifts.
fn origin(node: &Node) -> (f64, f64) {
    let shifts = node.ancestors().filter_map(|group| group.attribute("transform"));
    shifts.fold((0.0, 0.0), |(x, y), shift| {
        let inner = shift.strip_prefix("translate(").unwrap().strip_suffix(')').unwrap();
        let (dx, dy) = inner.split_once(' ').unwrap();
        (x + dx.parse::<f64>().unwrap(), y + dy.parse::<f64>().unwrap())
    })
}

/// All lines of text.
pub(super) fn lines(svg: &str) -> Vec<Line> {
    let document = Document::parse(svg).unwrap();
    let texts =
        document.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")));
    texts
        .map(|node| {
            let face = Face {
                size: node.attribute("font-size").unwrap().parse().unwrap(),
                bold: node.attribute("font-weight").is_some(),
            };
            let text = node.text().unwrap_or_default().to_owned();
            let width = f64::from(face.width(&text));
            let (x, y) = origin(&node);
            let x = x + number(&node, "x");
            let left = match node.attribute("text-anchor") {
                None => x,
                Some("middle") => x - width / 2.0,
                Some("end") => x - width,
                Some(other) => panic!("{other}"),
            };
            let in_chart = node.ancestors().any(|group| group.attribute("transform").is_some());
            Line { text, left, right: left + width, base: y + number(&node, "y"), in_chart }
        })
        .collect()
}
