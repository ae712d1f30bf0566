//! Where everything stands, in device pixels.

use tokenyard_lab::{Axis, Figure};

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
    pub(crate) fn new(figure: &Figure, (width, height): (u32, u32), scale: f64) -> Self {
        let px = |css: f64| (css * scale).round() as i32;
        let (width, height) = (i32::try_from(width).unwrap_or(0), i32::try_from(height).unwrap_or(0));
        let (left, top) = (px(44.0), px(24.0));
        // The gutter on the right holds the direct labels.
        let right = (width - px(84.0)).max(left + 1);
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

/// The row of each label, from 0, so that labels of one row that end at these places and are at
/// most `room` wide do not touch; in the given order.
pub(crate) fn rows(ends: &[i32], room: i32) -> Vec<i32> {
    // A handful of labels: looking at every pair costs nothing.
    let mut out: Vec<i32> = Vec::with_capacity(ends.len());
    for (i, end) in ends.iter().enumerate() {
        let taken = |row: i32| {
            out.iter().zip(ends).any(|(r, other)| *r == row && end.abs_diff(*other) < room.unsigned_abs())
        };
        let row = (0..i as i32).find(|row| !taken(*row)).unwrap_or(i as i32);
        out.push(row);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{rows, spread};

    #[test]
    fn labels_that_would_touch_get_rows_of_their_own() {
        assert_eq!(rows(&[100, 200, 130, 110, 90], 36), [0, 0, 1, 2, 1]);
        assert_eq!(rows(&[5, 5, 5], 36), [0, 1, 2]);
        assert!(rows(&[], 36).is_empty());
    }

    #[test]
    fn labels_move_apart_and_keep_their_order() {
        assert_eq!(spread(&[50, 50, 10], 12, 0, 100), [50, 62, 10]);
        assert_eq!(spread(&[95, 99], 12, 0, 100), [88, 100]);
        assert!(spread(&[], 12, 0, 100).is_empty());
    }
}
