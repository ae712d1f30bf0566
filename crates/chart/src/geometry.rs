//! Where everything stands, in device pixels.

use tokenyard_lab::{Axis, Figure};

/// Room for the labels beside the plot, in CSS pixels. Nobody measures text here: who draws knows
/// how long the labels may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// For the numbers of the vertical axis, with the 8 pixels between them and the plot.
    pub left: u32,
    /// For the short names of the series, with the 6 pixels between them and the plot.
    pub right: u32,
}

impl Room {
    /// What the charts of a page have.
    pub const PAGE: Self = Self { left: 44, right: 84 };
}

/// The plot rectangle and the mapping into it.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub left: i32,
    pub right: i32,
    pub top: i32,
    pub bottom: i32,
    /// Device pixels per CSS pixel.
    pub scale: f64,
    x: (f64, f64),
    y: (f64, f64),
}

impl Frame {
    pub(crate) fn new(figure: &Figure, size: (u32, u32), scale: f64) -> Self {
        Self::with(figure, size, scale, Room::PAGE)
    }

    pub(crate) fn with(figure: &Figure, (width, height): (u32, u32), scale: f64, room: Room) -> Self {
        let px = |css: f64| (css * scale).round() as i32;
        let (width, height) = (i32::try_from(width).unwrap_or(0), i32::try_from(height).unwrap_or(0));
        let (left, top) = (px(f64::from(room.left)), px(24.0));
        // The gutter on the right holds the direct labels.
        let right = (width - px(f64::from(room.right))).max(left + 1);
        let bottom = (height - px(38.0)).max(top + 1);
        let span = |axis: &Axis| (axis.min, axis.max);
        Self { left, right, top, bottom, scale, x: span(&figure.x), y: span(&figure.y) }
    }

    pub(crate) fn px(&self, css: f64) -> i32 {
        (css * self.scale).round() as i32
    }

    pub(crate) fn at(&self, (x, y): (f64, f64)) -> (i32, i32) {
        (self.x(x), self.y(y))
    }

    pub(crate) fn x(&self, x: f64) -> i32 {
        let share = ((x - self.x.0) / (self.x.1 - self.x.0)).clamp(0.0, 1.0);
        self.left + (share * f64::from(self.right - self.left)).round() as i32
    }

    pub(crate) fn y(&self, y: f64) -> i32 {
        let share = ((y - self.y.0) / (self.y.1 - self.y.0)).clamp(0.0, 1.0);
        self.bottom - (share * f64::from(self.bottom - self.top)).round() as i32
    }
}

/// Moves labels apart so that no two are closer than `gap`, keeping their order and staying
/// between `top` and `bottom` while there is room. Returns the new heights in the given order.
pub(crate) fn spread(heights: &[i32], gap: i32, top: i32, bottom: i32) -> Vec<i32> {
    // Put in place one by one: a handful of labels is not worth a sorting routine in the module.
    let mut order: Vec<usize> = Vec::with_capacity(heights.len());
    for (i, height) in heights.iter().enumerate() {
        order.insert(order.partition_point(|other| heights[*other] <= *height), i);
    }
    let mut out = heights.to_vec();
    let mut floor = top;
    for &i in &order {
        out[i] = out[i].max(floor);
        floor = out[i] + gap;
    }
    let mut ceiling = bottom;
    for &i in order.iter().rev() {
        out[i] = out[i].min(ceiling);
        ceiling = out[i] - gap;
    }
    out
}

/// Whether labels that are at most `room` wide and end at these places would touch each other, or
/// begin before `start`.
pub(crate) fn crowded(ends: &[i32], room: i32, start: i32) -> bool {
    let touches = |(i, end): (usize, &i32)| {
        *end - room < start || ends[..i].iter().any(|other| end.abs_diff(*other) < room.unsigned_abs())
    };
    ends.iter().enumerate().any(touches)
}

/// The place of each value in their order from the smallest, from 0; equal ones as they come.
pub(crate) fn ranks(values: &[i32]) -> Vec<i32> {
    let before = |i: usize| {
        let smaller = |(j, other): &(usize, &i32)| (**other, *j) < (values[i], i);
        values.iter().enumerate().filter(smaller).count() as i32
    };
    (0..values.len()).map(before).collect()
}

#[cfg(test)]
mod tests {
    use super::{crowded, ranks, spread};

    #[test]
    fn labels_are_crowded_where_they_touch_each_other_or_what_stands_before_them() {
        assert!(!crowded(&[100, 200, 136], 36, 64));
        assert!(crowded(&[100, 200, 135], 36, 0), "two of them touch");
        assert!(crowded(&[100, 200], 36, 65), "the first begins too early");
        assert!(!crowded(&[], 36, 0));
    }

    #[test]
    fn ranks_count_from_the_smallest() {
        assert_eq!(ranks(&[30, 10, 20, 10]), [3, 0, 2, 1]);
        assert!(ranks(&[]).is_empty());
    }

    #[test]
    fn labels_move_apart_and_keep_their_order() {
        assert_eq!(spread(&[50, 50, 10], 12, 0, 100), [50, 62, 10]);
        assert_eq!(spread(&[95, 99], 12, 0, 100), [88, 100]);
        assert!(spread(&[], 12, 0, 100).is_empty());
    }
}
